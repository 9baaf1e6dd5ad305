import type { Database } from '../../../db/database.ts';
import type { WorkQueue } from '../../../work/work-queue.ts';
import type { ConnectionId } from '../connection-record.ts';
import type { ConnectionUnits } from '../work-units.ts';
import { findUnfinishedBackfills } from './backfill-store.ts';
import { findOpenUnread } from './open-store.ts';

interface EnqueueDeps {
  readonly database: Database;
  readonly queue: WorkQueue;
  readonly units: ConnectionUnits;
}

/** Enqueues what has to be read of each repository: what is open, and what a backfill asked for. Running it twice is harmless. */
export async function enqueueRepositories(deps: EnqueueDeps, connectionId?: ConnectionId): Promise<void> {
  const { sql } = deps.database;
  await enqueueUnits(deps, 'readOpen', 'open', await findOpenUnread(sql, connectionId));
  await enqueueUnits(deps, 'backfill', 'backfill', await findUnfinishedBackfills(sql, connectionId));
}

async function enqueueUnits(
  { database, queue, units }: EnqueueDeps,
  name: 'readOpen' | 'backfill',
  key: string,
  rows: Awaited<ReturnType<typeof findOpenUnread>>,
): Promise<void> {
  const unit = units[name];
  for (const { connection_id: connectionId, repository_id: repositoryId } of rows)
    await queue.enqueue(
      database.sql,
      unit,
      { connectionId, repositoryId },
      { key: `${connectionId} ${key} ${repositoryId}`, group: connectionId },
    );
  queue.wake(unit.name);
}
