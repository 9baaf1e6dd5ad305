import type { Db, Tx } from '../../../db/database.ts';
import type { RepositoryId } from '../../../lib/ids.ts';
import type { Connection, ConnectionId } from '../connection-record.ts';

export interface BackfillProgress {
  readonly state: 'none' | 'running' | 'done' | 'failed';
  readonly since: string | null;
  readonly done: number;
  readonly total: number;
}

/**
 * Starts a backfill of every repository of a connection, including those that a later sync finds. Where it was given up to read
 * what is open, that is tried again too.
 */
export async function startBackfill(tx: Tx, connectionId: ConnectionId, since: string): Promise<void> {
  await tx`UPDATE connections SET backfill_since = ${since}::date WHERE id = ${connectionId}`;
  await tx`
    UPDATE connection_repositories SET backfill_state = 'waiting', backfill_done = 0, backfill_total = 0,
      open_state = nullif(open_state, 'failed')
    WHERE connection_id = ${connectionId}`;
}

/** The repositories whose backfill was requested and has not finished. */
export async function findUnfinishedBackfills(
  db: Db,
  connectionId?: ConnectionId,
): Promise<{ connection_id: ConnectionId; repository_id: RepositoryId }[]> {
  return db`
    SELECT r.connection_id, r.repository_id FROM connection_repositories r JOIN connections c ON c.id = r.connection_id
    WHERE c.backfill_since IS NOT NULL AND NOT c.paused AND (r.backfill_state IS NULL OR r.backfill_state IN ('waiting', 'running'))
      ${connectionId === undefined ? db`` : db`AND c.id = ${connectionId}`}`;
}

export async function isBackfilled(
  db: Db,
  connectionId: ConnectionId,
  repositoryId: string,
): Promise<boolean> {
  const rows = await db`
    SELECT 1 FROM connection_repositories
    WHERE connection_id = ${connectionId} AND repository_id = ${repositoryId} AND backfill_state = 'done'`;
  return rows.length > 0;
}

/** Records how far the backfill since this date is; false if another one has been requested, about which this says nothing. */
export async function noteBackfill(
  db: Db,
  { id, backfillSince }: Pick<Connection, 'id' | 'backfillSince'>,
  repositoryId: string,
  progress: {
    readonly state: 'running' | 'done' | 'failed';
    readonly done?: number;
    readonly total?: number;
  },
): Promise<boolean> {
  // The lock makes it wait for a request that is being stored.
  const rows = await db`
    WITH current AS MATERIALIZED (
      SELECT 1 FROM connections WHERE id = ${id} AND backfill_since = ${backfillSince}::date FOR SHARE)
    UPDATE connection_repositories SET backfill_state = ${progress.state},
      backfill_done = coalesce(${progress.done ?? null}::int, backfill_done),
      backfill_total = coalesce(${progress.total ?? null}::int, backfill_total)
    WHERE connection_id = ${id} AND repository_id = ${repositoryId}
      AND EXISTS (SELECT 1 FROM current)
    RETURNING 1`;
  return rows.length > 0;
}

/** The progress of backfills by connection. */
export async function findBackfills(
  db: Db,
  connectionIds: readonly ConnectionId[],
): Promise<Map<ConnectionId, BackfillProgress>> {
  const rows = await db<
    { id: ConnectionId; since: string | null; done: number; total: number; open: number; failed: number }[]
  >`
    SELECT c.id, c.backfill_since AS since, coalesce(sum(r.backfill_done), 0)::int AS done,
      coalesce(sum(r.backfill_total), 0)::int AS total,
      count(*) FILTER (WHERE c.synced_at IS NULL
        OR r.connection_id IS NOT NULL AND (r.backfill_state IS NULL OR r.backfill_state IN ('waiting', 'running')))::int AS open,
      count(*) FILTER (WHERE r.backfill_state = 'failed')::int AS failed
    FROM connections c LEFT JOIN connection_repositories r ON r.connection_id = c.id
    WHERE c.id = ANY(${[...connectionIds]}::uuid[]) GROUP BY c.id`;
  return new Map(
    rows.map(({ id, since, done, total, open, failed }) => {
      const state =
        since === null ? 'none' : open > 0 ? 'running' : failed > 0 ? 'failed' : ('done' as const);
      return [id, { state, since, done, total }];
    }),
  );
}
