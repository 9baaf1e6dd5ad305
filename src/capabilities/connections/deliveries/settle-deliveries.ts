import type { Db } from '../../../db/database.ts';
import type { ConnectionId } from '../connection-record.ts';
import { ConnectionPaused } from '../open-host.ts';
import { newestWaiting, noteAttempt } from './delivery-store.ts';

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'unknown error';
}

/** Does the work that deliveries about a subject call for, and settles those received before it started. */
export async function settleDeliveries(
  db: Db,
  connectionId: ConnectionId,
  subject: string,
  work: (newest: { readonly received_at: Date } | undefined) => Promise<void>,
): Promise<void> {
  const newest = await newestWaiting(db, connectionId, subject);
  const note = async (outcome: { status: 'done' | 'waiting'; error: string | null }) => {
    if (newest !== undefined) await noteAttempt(db, connectionId, subject, newest.id, outcome);
  };
  try {
    await work(newest);
  } catch (error) {
    if (!(error instanceof ConnectionPaused)) await note({ status: 'waiting', error: messageOf(error) });
    throw error;
  }
  await note({ status: 'done', error: null });
}
