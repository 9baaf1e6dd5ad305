import type { CallerContext } from '../../access/caller-context.ts';
import type { Database } from '../../db/database.ts';
import { cutPage } from '../../lib/wire/one-page.ts';
import type { OutcomeKey } from '../reviews/run-findings/store-outcome.ts';
import { locateFinding, type RunFindingInput } from './judge-finding.ts';
import { signalsKey } from './outcomes/settle-outcome.ts';
import type { Signal } from './signals/signal.ts';
import { findNewestSignals, type SignalPosition } from './signals/signal-store.ts';

export interface SignalPageRange {
  readonly after: SignalPosition | undefined;
  readonly limit: number;
}

export interface SignalPage {
  readonly signals: readonly Signal[];
  readonly next: SignalPosition | null;
}

/** The evidence for the outcome of a followed finding: everything that was observed about it, newest first. */
export async function listSignalsOf(
  { database }: { readonly database: Database },
  key: OutcomeKey,
  { after, limit }: SignalPageRange,
): Promise<SignalPage> {
  const found = await findNewestSignals(database.sql, signalsKey(key), after, limit + 1);
  const { rows, next } = cutPage(found, limit, ({ position }) => position);
  return { signals: rows.map(({ signal }) => signal), next };
}

/** The same for a finding of a run. */
export async function listSignals(
  deps: { readonly database: Database },
  context: Pick<CallerContext, 'scope'>,
  finding: RunFindingInput,
  range: SignalPageRange,
): Promise<SignalPage> {
  const { key } = await locateFinding(deps, context, finding);
  return listSignalsOf(deps, key, range);
}

/** A signal as the API shows it. */
export function presentSignal({ signal, source, at, actor, evidence }: Signal) {
  const by = actor && { id: actor.id, name: actor.name, is_bot: actor.isBot };
  return { signal, source, at: at.toISOString(), actor: by, evidence };
}
