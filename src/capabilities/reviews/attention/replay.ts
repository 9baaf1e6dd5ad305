import type { Severity } from '../../../reviewer/finding-vocabulary.ts';
import {
  type Attention,
  findQuiet,
  isOff,
  type RuleRecord,
  type RuleSetting,
  rulesOff,
} from '../../../reviewer/judge/attention.ts';

/** A comment that was posted, with its outcome. */
export interface PostedComment {
  readonly identity: string;
  /** Identifies the pull request of the comment. */
  readonly pull: string;
  readonly rules: readonly string[];
  readonly severity: Severity;
  readonly postedAt: Date;
  readonly accepted: boolean | null;
  /** When the outcome became known. */
  readonly decidedAt: Date | null;
}

export interface Tally {
  readonly comments: number;
  readonly accepted: number;
  readonly rejected: number;
  readonly unknown: number;
}

export interface Replay {
  readonly pullRequests: number;
  readonly before: Tally;
  readonly after: Tally;
  /** The rules whose comments would have been fewer, by name. */
  readonly rules: readonly { readonly rule: string; readonly before: Tally; readonly after: Tally }[];
}

/**
 * Which comments would have been posted, had these settings applied from the beginning. A comment that is not posted has no
 * outcome, so rules learn only from those that are kept. Deterministic.
 */
export function keptComments<Comment extends PostedComment>(
  history: readonly Comment[],
  attention: Attention,
  settings: ReadonlyMap<string, RuleSetting>,
): ReadonlySet<Comment> {
  const records = new Map<string, Learned>();
  const recordOf = (rule: string): Learned =>
    records.get(rule) ?? {
      rule,
      accepted: 0,
      rejected: 0,
      pullRequests: 0,
      setting: settings.get(rule) ?? 'automatic',
      pulls: new Set(),
    };
  const kept = new Set<Comment>();
  for (const { comment, isDecision } of eventsOf(history)) {
    if (!isDecision) {
      const known = comment.rules.map(recordOf);
      const isLeftOut = isOff(comment, rulesOff(known)) || findQuiet([comment], known, attention).length > 0;
      if (!isLeftOut) kept.add(comment);
    } else if (kept.has(comment))
      for (const rule of new Set(comment.rules)) records.set(rule, learn(recordOf(rule), comment));
  }
  return kept;
}

/** The number of comments before and after, in total and by rule. */
export function replayComments(
  history: readonly PostedComment[],
  attention: Attention,
  settings: ReadonlyMap<string, RuleSetting>,
): Replay {
  return summarize(history, keptComments(history, attention, settings));
}

interface Learned extends RuleRecord {
  /** Shared by all records of the rule: copying it for every decision would take quadratic time. */
  readonly pulls: Set<string>;
}

function learn(record: Learned, { pull, accepted }: PostedComment): Learned {
  const pulls = record.pulls.add(pull);
  return {
    ...record,
    accepted: record.accepted + Number(accepted === true),
    rejected: record.rejected + Number(accepted === false),
    pulls,
    pullRequests: pulls.size,
  };
}

interface HistoryEvent<Comment> {
  readonly comment: Comment;
  readonly at: number;
  /** True: the outcome became known at this time. False: the comment was posted at this time. */
  readonly isDecision: boolean;
}

/** Posts and outcomes in the order of time; on a tie, outcomes come first. */
function eventsOf<Comment extends PostedComment>(history: readonly Comment[]): HistoryEvent<Comment>[] {
  const events = history.flatMap((comment): HistoryEvent<Comment>[] => {
    const at = comment.postedAt.getTime();
    const posted = { comment, at, isDecision: false };
    if (comment.accepted === null || comment.decidedAt === null) return [posted];
    return [posted, { comment, at: Math.max(comment.decidedAt.getTime(), at + 1), isDecision: true }];
  });
  return events.sort(
    (a, b) => a.at - b.at || Number(b.isDecision) - Number(a.isDecision) || byName(a.comment, b.comment),
  );
}

/** Orders by pull request and finding id, since finding ids are unique within a pull request only. */
function byName(a: PostedComment, b: PostedComment): number {
  const [one, other] = [`${a.pull} ${a.identity}`, `${b.pull} ${b.identity}`];
  return one < other ? -1 : one > other ? 1 : 0;
}

function summarize(history: readonly PostedComment[], kept: ReadonlySet<PostedComment>): Replay {
  const ofRule = (comments: readonly PostedComment[], rule: string) =>
    tally(comments.filter(({ rules }) => rules.includes(rule)));
  const remaining = history.filter((comment) => kept.has(comment));
  const touched = new Set(history.filter((comment) => !kept.has(comment)).flatMap(({ rules }) => rules));
  return {
    pullRequests: new Set(history.map(({ pull }) => pull)).size,
    before: tally(history),
    after: tally(remaining),
    rules: [...touched]
      .sort()
      .map((rule) => ({ rule, before: ofRule(history, rule), after: ofRule(remaining, rule) })),
  };
}

function tally(comments: readonly PostedComment[]): Tally {
  const count = (accepted: boolean | null) =>
    comments.filter((comment) => comment.accepted === accepted).length;
  return {
    comments: comments.length,
    accepted: count(true),
    rejected: count(false),
    unknown: count(null),
  };
}
