import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../../db/database.ts';
import { errorCode } from '../../../db/driver/unavailable.ts';
import type { OrganizationId } from '../../../lib/ids.ts';
import {
  createPartition,
  dropPartition,
  findPendingMoves,
  finishMove,
  type MovePosition,
  moveBatch,
  readStorageState,
  redirectWrites,
  type StorageState,
} from './partitions.ts';
import { sharedStorage } from './storage-map.ts';

const batchSize = 1000;
const roundPauseMs = 100;
/** Another node created the same partition at the same moment. */
const alreadyExists = new Set(['42P07', '23505']);

/** The next step for an organization; the state in the database is all that is needed to resume after a crash. */
type Step =
  | { readonly do: 'create-partition' | 'drop-partition'; readonly storageId: number }
  | { readonly do: 'redirect-writes'; readonly storageId: number }
  | { readonly do: 'move'; readonly from: number; readonly to: number };

/** Decides the next step toward where the operator wants the metrics; undefined when they are there. */
export function nextStep(state: StorageState): Step | undefined {
  const { isIsolationWanted, isolatedId, hasPartition, storageId, movingFrom } = state;
  // Rows of a storage without a partition (after a restore) go back to the shared one first.
  const canIsolate = hasPartition || (storageId === sharedStorage && movingFrom === null);
  const wanted = isIsolationWanted && canIsolate ? isolatedId : sharedStorage;
  if (wanted === isolatedId && !hasPartition) return { do: 'create-partition', storageId: isolatedId };
  if (wanted !== storageId) return { do: 'redirect-writes', storageId: wanted };
  if (movingFrom !== null) return { do: 'move', from: movingFrom, to: storageId };
  if (!isIsolationWanted && hasPartition) return { do: 'drop-partition', storageId: isolatedId };
  return undefined;
}

async function moveAll(
  database: Database,
  organizationId: OrganizationId,
  move: { from: number; to: number },
  signal: AbortSignal,
): Promise<void> {
  let position: MovePosition | null = null;
  do {
    if (signal.aborted) return;
    position = await moveBatch(database, organizationId, move, position, batchSize);
  } while (position !== null);
  // Rows that were locked by a writer are moved in the next round.
  if (!(await finishMove(database, organizationId, move))) await sleep(roundPauseMs);
}

async function moveOrganization(
  database: Database,
  organizationId: OrganizationId,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const step = nextStep(await readStorageState(database.sql, organizationId));
    switch (step?.do) {
      case undefined:
        return;
      case 'create-partition':
        await createPartition(database, step.storageId).catch((error: unknown) => {
          if (!alreadyExists.has(errorCode(error) ?? '')) throw error;
        });
        break;
      case 'drop-partition':
        await dropPartition(database, organizationId, step.storageId);
        break;
      case 'redirect-writes':
        await redirectWrites(database, organizationId, step.storageId);
        break;
      case 'move':
        await moveAll(database, organizationId, step, signal);
    }
  }
}

/** Moves the metrics of every organization to where the operator wants them; several nodes may do so at once. */
export async function moveMetrics(database: Database, signal: AbortSignal): Promise<void> {
  const failures: unknown[] = [];
  for (const organizationId of await findPendingMoves(database.sql)) {
    await moveOrganization(database, organizationId, signal).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures.length === 1 ? failures[0] : new AggregateError(failures);
}
