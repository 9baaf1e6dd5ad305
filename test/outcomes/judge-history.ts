import { blockOf } from '../../src/capabilities/findings/comments/read-suggestions.ts';
import { codeSignals } from '../../src/capabilities/findings/observing/code-signals.ts';
import {
  anchorOf,
  type FollowedFinding,
} from '../../src/capabilities/findings/observing/followed-finding.ts';
import { observeCode } from '../../src/capabilities/findings/observing/observe-code.ts';
import { decideOutcome, type Verdict } from '../../src/capabilities/findings/outcomes/decide-outcome.ts';
import type { Signal, SignalName } from '../../src/capabilities/findings/signals/signal.ts';
import { namesIn } from '../../src/capabilities/findings/tracking/identifiers.ts';
import type { Repository } from '../../src/reviewer/repository/repository.ts';
import type { History } from './history.ts';
import type { StoredHistory } from './store-histories.ts';

const person = { id: '1', name: 'ada', isBot: false };
const missing = '0'.repeat(40);

export interface JudgedHistory {
  readonly history: History;
  readonly verdict: Verdict;
  readonly signals: readonly Signal[];
  readonly chance: number | null;
}

/** Tracks the finding of a history through every version, like a server, and evaluates it after the merge. */
export async function judgeHistory(
  repository: Repository,
  history: History,
  stored: StoredHistory,
): Promise<JudgedHistory> {
  const { path, range, text, suggestion, source } = history.finding;
  const lines = history.posted[path]!;
  const anchor = anchorOf(lines, range);
  const quote = lines.slice(range.start - 1, range.end).join('\n');
  const finding: FollowedFinding = {
    revision: stored.posted.revision,
    mergeBase: stored.posted.mergeBase,
    path,
    side: 'new',
    range,
    anchor,
    names: namesIn({ text, suggestion, quote }),
    suggestion,
    suggestions: blockOf(suggestion),
    isOfPerson: false,
    onlyAsks: false,
  };
  const posted = history.isForgotten ? { revision: missing, mergeBase: null } : stored.posted;
  const signals: Signal[] = [];
  let chance: number | null = null;
  for (const [index, version] of stored.pushes.entries()) {
    const isMerged = index === stored.pushes.length - 1;
    const seen = (await observeCode(repository, [finding], posted, version)).get(finding)!;
    chance = seen.chance;
    const detector = isMerged ? { kind: source, name: 'some-rule', stillRaises: !history.isGone } : null;
    const at = new Date(index * 1000);
    signals.push(
      ...codeSignals(finding, { ...seen, head: version.revision, at, isMerged, detector, appliedBy: null }),
    );
  }
  const said = (signal: SignalName) =>
    signals.push({ signal, source: 'host', at: new Date(60_000), actor: person, evidence: {} });
  if (history.isResolvedByPerson) said('thread_resolved');
  if (history.reply !== null) said(history.reply === 'fixed' ? 'reply_fixed' : 'reply_wont_fix');
  return { history, signals, chance, verdict: decideOutcome(signals, stored.pushes.at(-1)!.revision) };
}
