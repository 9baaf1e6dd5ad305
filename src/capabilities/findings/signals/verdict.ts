import { personSources, type Signal, type SignalName } from './signal.ts';

/** Whether a finding was accepted, and the signal that decided; null where the evidence does not suffice. */
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
 *  2. a person replied that it will not be fixed, or dismissed it: no
 *  3. its suggestion was applied, or is in the code now: yes
 *  4. the rule that raised it no longer does, and its lines changed: yes
 *  5. its lines and something that it names changed, and a person resolved it or replied that it is fixed: yes
 *  6. it was merged with nothing changed nearby: no
 *  7. its lines changed and a person resolved it: yes
 * Everything else is unknown. Signals about code count for the given version only: a change that was reverted is no change.
 */
export function judge(signals: readonly Signal[], head: string | null): Verdict {
  const newest = (isWanted: (signal: Signal) => boolean) =>
    signals.filter(isWanted).reduce<Signal | undefined>((a, b) => (a && isLater(a, b) ? a : b), undefined);
  const isPerson = ({ actor }: Signal) => actor !== null && !actor.isBot;
  const inCode = (name: SignalName) =>
    signals.some(({ signal, evidence }) => signal === name && evidence.head === head);

  const word = newest(({ signal, source }) => words.includes(signal) && personSources.has(source));
  if (word !== undefined && typeof word.evidence.accepted === 'boolean')
    return { accepted: word.evidence.accepted, signal: word.signal };

  const reply = newest((signal) => {
    if (!replies.includes(signal.signal) || personSources.has(signal.source)) return false;
    // A dismissal in the code lasts as long as the code does.
    return signal.source === 'git' ? signal.evidence.head === head : isPerson(signal);
  });
  if (reply !== undefined && refusals.includes(reply.signal))
    return { accepted: false, signal: reply.signal };

  // The host knows for certain that a suggestion was applied, whatever became of the code since.
  if (newest(({ signal }) => signal === 'suggestion_applied'))
    return { accepted: true, signal: 'suggestion_applied' };
  if (inCode('suggestion_landed')) return { accepted: true, signal: 'suggestion_landed' };

  // Lines that changed but are still found fault with do not count: the change was about something else.
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
  if (isTouched && inCode('named_change') && (isResolved || isSaidFixed))
    return { accepted: true, signal: 'named_change' };

  // A rule that stopped reporting contradicts that nothing was done about the finding: it may have been fixed elsewhere.
  if (inCode('merged_untouched') && !isGone) return { accepted: false, signal: 'merged_untouched' };
  if (isTouched && isResolved) return { accepted: true, signal: 'thread_resolved' };
  return undecided;
}

/** Equal times are decided by the contents, so that the order of arrival never matters. */
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
