import { type Evidence, personSources, type Signal, type SignalName } from '../signals/signal.ts';

/** Whether a finding was accepted, and the signal that decided; null if the evidence is insufficient. */
export interface Verdict {
  readonly accepted: boolean | null;
  readonly signal: SignalName | null;
}

const undecided: Verdict = { accepted: null, signal: null };

const words: readonly SignalName[] = ['confirmed', 'dismissed'];
const refusals: readonly SignalName[] = ['reply_wont_fix', 'dismissed'];
const replies: readonly SignalName[] = ['reply_fixed', ...refusals];
const threadStates: readonly SignalName[] = ['thread_resolved', 'thread_reopened'];

/**
 * Decides from the signals about a finding whether it was accepted. The first of these that applies, wherever the signals
 * come from and in whatever order they arrived:
 *  1. a person said so through the API, the dashboard or a command; the last word counts until it is withdrawn
 *  2. a person replied that it will not be fixed, or a comment in the code suppresses it: no
 *  3. its suggestion was applied, or is in the code now: yes
 *  4. the rule that raised it no longer does, and its lines changed: yes
 *  5. its lines changed and a person replied that it is fixed: yes
 *  6. its lines and something that it names changed, and a person resolved it: yes, unless that is likely by chance
 *  7. it was merged with nothing changed nearby, and no person said that it is fixed: no, unless a person wrote it and its file
 *     changed elsewhere
 *  8. its lines changed and a person resolved it: yes, unless that is likely by chance
 * Everything else is unknown. Signals about code count for the given version only: a change that was reverted is no change.
 */
export function decideOutcome(signals: readonly Signal[], head: string | null): Verdict {
  const newest = (isWanted: (signal: Signal) => boolean) =>
    signals.filter(isWanted).reduce<Signal | undefined>((a, b) => (a && isLater(a, b) ? a : b), undefined);
  const isPerson = ({ actor }: Signal) => actor !== null && !actor.isBot;
  const inCode = (name: SignalName) =>
    signals.some(({ signal, evidence }) => signal === name && evidence.head === head);

  const word = newest(({ signal, source }) => words.includes(signal) && personSources.has(source));
  if (word !== undefined && typeof word.evidence.accepted === 'boolean')
    return { accepted: word.evidence.accepted, signal: word.signal };

  // Of an edited reply, only the present text counts.
  const edits = new Map<unknown, number>();
  for (const { evidence } of signals)
    if (typeof evidence.edit === 'number')
      edits.set(evidence.comment, Math.max(edits.get(evidence.comment) ?? 0, evidence.edit));
  const isCurrent = ({ evidence }: Signal) => {
    const last = edits.get(evidence.comment ?? evidence.id);
    return last === undefined || (evidence.edit === last && evidence.withdrawn !== true);
  };
  const reply = newest((signal) => {
    if (!replies.includes(signal.signal) || personSources.has(signal.source) || !isCurrent(signal))
      return false;
    // A suppression comment in the code counts as long as it is in the code.
    return signal.source === 'git' ? signal.evidence.head === head : isPerson(signal);
  });
  if (reply !== undefined && refusals.includes(reply.signal))
    return { accepted: false, signal: reply.signal };

  // The host knows for certain that a suggestion was applied, even if the code has changed since.
  if (newest(({ signal }) => signal === 'suggestion_applied'))
    return { accepted: true, signal: 'suggestion_applied' };
  if (inCode('suggestion_landed')) return { accepted: true, signal: 'suggestion_landed' };

  // Changed lines do not count if the finding is still raised: then the change was about something else.
  const isStillRaised = signals.some(
    ({ signal, evidence }) =>
      signal === 'lines_changed' && evidence.head === head && evidence.still_raised === true,
  );
  const isTouched = inCode('lines_changed') && !isStillRaised;
  const isGone = signals.some(
    ({ signal, source, evidence }) =>
      signal === 'finding_gone' && source === 'rule' && evidence.head === head,
  );
  if (isGone && isTouched) return { accepted: true, signal: 'finding_gone' };

  const thread = newest(({ signal }) => threadStates.includes(signal));
  const isResolved = thread?.signal === 'thread_resolved' && isPerson(thread);
  const isSaidFixed = reply?.signal === 'reply_fixed';
  const isNamed = inCode('named_change');
  if (isTouched && isSaidFixed) return { accepted: true, signal: isNamed ? 'named_change' : 'reply_fixed' };
  const isUnlikely = signals.some(
    ({ signal, evidence }) =>
      signal === 'lines_changed' && evidence.head === head && isBeyondChance(evidence, isNamed),
  );
  if (isTouched && isNamed && isResolved && isUnlikely) return { accepted: true, signal: 'named_change' };

  // Two signals contradict that nothing was done, since it may have been fixed elsewhere: its rule no longer raises it, or a
  // person says that it is fixed.
  const isUntouched = signals.some(
    ({ signal, evidence }) =>
      signal === 'merged_untouched' && evidence.head === head && !isPerhapsElsewhere(evidence),
  );
  if (isUntouched && !isGone && !isSaidFixed) return { accepted: false, signal: 'merged_untouched' };
  if (isTouched && isResolved && isUnlikely) return { accepted: true, signal: 'thread_resolved' };
  return undecided;
}

/** A person's comment may not be on the line to be changed, so a change anywhere in the file may be the response. */
function isPerhapsElsewhere({ comment_of: of, file_changed: isChanged }: Evidence): boolean {
  return of === 'person' && isChanged === true;
}

/** Assumed if the chance rate is unknown: this share of lines under comments that nobody saw changed before the merge. */
const usualChance = 0.25;

/**
 * The highest chance rate at which a changed line and a resolved thread count as acceptance. People resolve each other's
 * threads once they are dealt with, but resolve threads of programs unread as well. So for those, something that the comment
 * names must have changed too. The same is required if a comment only asks, because an answer suffices to resolve it.
 */
const limits = {
  person: { named: 1, unnamed: 0.5 },
  program: { named: 0.2, unnamed: -1 },
};

/**
 * Whether the chance rate is low enough for a change of the lines to count as a reaction to the comment.
 *
 * Monotonic: never true for a higher chance rate if it is false for a lower one. Signals from before chance rates existed
 * always pass, as they did then.
 */
export function isBeyondChance(
  { chance, comment_of: of, only_asks: asks }: Evidence,
  isNamed: boolean,
): boolean {
  if (of !== 'person' && of !== 'program') return true;
  if (asks === true && !isNamed) return false;
  const limit = limits[of][isNamed ? 'named' : 'unnamed'];
  return (typeof chance === 'number' ? chance : usualChance) <= limit;
}

/** Ties in time are broken by the contents, so that the order of arrival never matters. */
function isLater(one: Signal, other: Signal): boolean {
  if (one.at.getTime() !== other.at.getTime()) return one.at > other.at;
  return rankOf(one) > rankOf(other);
}

function rankOf({ signal, source, actor, evidence }: Signal): string {
  return JSON.stringify([
    signal,
    source,
    actor?.id,
    actor?.name,
    actor?.isBot,
    Object.entries(evidence).sort(),
  ]);
}
