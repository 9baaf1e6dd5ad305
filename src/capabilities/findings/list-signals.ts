import type { CallerContext } from '../../access/caller-context.ts';
import type { Database } from '../../db/database.ts';
import { cutPage } from '../../lib/wire/one-page.ts';
import { locateFinding, type RunFindingInput } from './judge-finding.ts';
import { signalsKey } from './outcomes/settle-outcome.ts';
import type { Signal } from './signals/signal.ts';
import { findNewestSignals, type SignalPosition } from './signals/signal-store.ts';

/** Why `accepted` of a finding is what it is: everything that was observed about it, newest first. */
export async function listSignals(
  deps: { readonly database: Database },
  context: Pick<CallerContext, 'scope'>,
  finding: RunFindingInput,
  { after, limit }: { after: SignalPosition | undefined; limit: number },
): Promise<{ signals: readonly Signal[]; next: SignalPosition | null }> {
  const { key } = await locateFinding(deps, context, finding);
  const found = await findNewestSignals(deps.database.sql, signalsKey(key), after, limit + 1);
  const { rows, next } = cutPage(found, limit, ({ position }) => position);
  return { signals: rows.map(({ signal }) => signal), next };
}
