import { classifyReply } from '../../src/capabilities/findings/comments/classify-reply.ts';
import { onlyAsks } from '../../src/capabilities/findings/comments/only-asks.ts';
import { readReviewerComment } from '../../src/capabilities/findings/comments/read-reviewer-comment.ts';
import { readSuggestions } from '../../src/capabilities/findings/comments/read-suggestions.ts';
import { codeSignals } from '../../src/capabilities/findings/observing/code-signals.ts';
import {
  anchorOf,
  type FollowedFinding,
} from '../../src/capabilities/findings/observing/followed-finding.ts';
import { observeCode } from '../../src/capabilities/findings/observing/observe-code.ts';
import { decideOutcome, type Verdict } from '../../src/capabilities/findings/outcomes/decide-outcome.ts';
import type { Signal, SignalName } from '../../src/capabilities/findings/signals/signal.ts';
import { namesIn } from '../../src/capabilities/findings/tracking/identifiers.ts';
import { readFileAt } from '../../src/reviewer/repository/read-file-at.ts';
import type { RepositoryPlace } from '../../src/reviewer/repository/repository.ts';
import type { LabelledComment } from './labelled-comments.ts';

interface FollowedComment {
  readonly comment: LabelledComment;
  /** The tracking state of its lines. */
  readonly state: string;
  /** The signals from the code. */
  readonly code: readonly Signal[];
}

export interface JudgedComment extends Omit<FollowedComment, 'code'> {
  readonly verdict: Verdict;
  readonly signals: readonly Signal[];
}

/**
 * A comment as a finding that the server follows from the version where it was posted; undefined if its place is not in the
 * repository.
 */
async function followedFrom(
  repository: RepositoryPlace,
  comment: LabelledComment,
): Promise<FollowedFinding | undefined> {
  const { commit, base, path, side, start_line: start, end_line: end, body } = comment;
  const version = side === 'new' ? commit : base;
  const text = version === null ? undefined : await readFileAt(repository, version, path);
  if (text === undefined) return undefined;
  const lines = text.replace(/\n$/, '').split('\n');
  if (end !== null && end > lines.length) return undefined;
  const range = start === null || end === null ? null : { start, end };
  const anchor = range && anchorOf(lines, range);
  const quote = range === null ? '' : lines.slice(range.start - 1, range.end).join('\n');
  const { suggestion } = readReviewerComment(body);
  const names = namesIn({ text: body, suggestion, quote });
  const suggestions = readSuggestions(body);
  return {
    revision: commit,
    mergeBase: base,
    path,
    side,
    range,
    anchor,
    names,
    suggestion,
    suggestions,
    isOfPerson: !comment.is_bot,
    onlyAsks: onlyAsks(body),
  };
}

const someone = (isBot: boolean) => ({ id: '1', name: isBot ? 'a bot' : 'a person', isBot });

function threadSignals({ thread }: LabelledComment, isAllResolved: boolean): Signal[] {
  const at = new Date(1000);
  const said = (signal: SignalName, isBot: boolean, index: number): Signal => {
    return { signal, source: 'host', at, actor: someone(isBot), evidence: { id: index } };
  };
  const replies = (thread?.replies ?? []).flatMap((reply, index) => {
    const meaning = classifyReply(reply.body);
    if (meaning === null) return [];
    return [said(meaning === 'fixed' ? 'reply_fixed' : 'reply_wont_fix', reply.is_bot, index)];
  });
  const isResolved = thread === null ? isAllResolved : thread.is_resolved;
  return isResolved ? [...replies, said('thread_resolved', thread?.resolved_by_bot === true, -1)] : replies;
}

/** Follows comments until the merge by the server's rules. Comments whose place is not in the repository are left out. */
export async function followComments(
  repository: RepositoryPlace,
  comments: readonly LabelledComment[],
): Promise<FollowedComment[]> {
  const followed: FollowedComment[] = [];
  const versionsOf = (one: LabelledComment) => [one.base, one.commit, one.last_base, one.last_commit].join();
  for (const group of Map.groupBy(comments, versionsOf).values()) {
    const [{ base, commit, last_base: lastBase, last_commit: head }] = group as [LabelledComment];
    const found = new Map<FollowedFinding, LabelledComment>();
    for (const comment of group) {
      const finding = await followedFrom(repository, comment);
      if (finding !== undefined) found.set(finding, comment);
    }
    const posted = { revision: commit, mergeBase: base };
    const now = { revision: head, mergeBase: lastBase };
    // A snapshot may lack large files.
    const observed = await observeCode(repository, [...found.keys()], posted, now).catch(() => undefined);
    for (const [finding, seen] of observed ?? []) {
      const code = { ...seen, head, at: new Date(0), isMerged: true, detector: null, appliedBy: null };
      const { state } = seen.tracking;
      followed.push({ comment: found.get(finding)!, state, code: codeSignals(finding, code) });
    }
  }
  return followed;
}

/** Judges a comment. With `isAllResolved`, threads in an unknown state count as resolved by a person. */
export function judgeComment(
  { comment, state, code }: FollowedComment,
  isAllResolved: boolean,
): JudgedComment {
  const signals = [...code, ...threadSignals(comment, isAllResolved)];
  return { comment, state, signals, verdict: decideOutcome(signals, comment.last_commit) };
}
