import type { Tx } from '../../../db/database.ts';
import { announce } from '../../webhooks/announce.ts';
import { presentSummary } from './present-run.ts';
import type { RunKey } from './run-record.ts';
import { findRunSummary } from './store.ts';

/** Announces a run that this transaction has ended, for whatever reason. */
export async function announceFinishedRun(tx: Tx, key: RunKey, now: Date): Promise<void> {
  const run = await findRunSummary(tx, key);
  if (run === undefined) throw new Error('A run that does not exist cannot have ended');
  await announce(tx, now, [
    {
      organizationId: key.organizationId,
      type: 'postil.review.finished',
      subject: `reviews/${key.runId}`,
      data: presentSummary(run),
    },
  ]);
}
