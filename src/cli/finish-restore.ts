import { endAllAccess } from '../capabilities/dashboard-session/accounts/end-access.ts';
import { holdSendings } from '../capabilities/digests/sending/hold-sendings.ts';
import { holdDeliveries } from '../capabilities/webhooks/delivery/hold-deliveries.ts';
import type { Database } from '../db/database.ts';
import { hasLiveNode } from '../work/nodes.ts';
import { CommandError } from './command-error.ts';

/**
 * Prevents a restored database from repeating old effects: all sessions end, and messages that may have been sent already are
 * held back (ADR 0133).
 */
export async function finishRestore(
  database: Database,
  { sendWaiting }: { readonly sendWaiting: boolean },
): Promise<string> {
  if (await hasLiveNode(database.sql))
    throw new CommandError('A server is running on this database; stop it first');
  const held = await database.transaction(async (tx) => {
    await endAllAccess(tx);
    if (sendWaiting) return undefined;
    return { deliveries: await holdDeliveries(tx), digests: await holdSendings(tx, new Date()) };
  });
  if (held === undefined || held.deliveries + held.digests === 0) return '';
  return `Held back, since they may have been sent already: ${held.deliveries} webhook deliveries, ${held.digests} digests.`;
}
