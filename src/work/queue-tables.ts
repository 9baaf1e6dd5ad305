import type { PgBoss } from 'pg-boss';
import type { Db } from '../db/database.ts';
import type { AnyUnit } from './unit-of-work.ts';

// Statements on the tables of pg-boss itself, where its own functions are too expensive or too late.

export const schema = 'work';
/** The policy of the queues: of the units with one key, at most one waits and at most one runs. */
export const policy = 'stately';

/** The state of one kind of work. */
export interface QueueState {
  readonly name: string;
  readonly waiting: number;
  readonly running: number;
  /** The last count of pg-boss: every 15 seconds, or less often if counting takes long. */
  readonly failed: number;
  readonly oldestWaitingAt: Date | null;
}

/**
 * The kinds of work that have due units, in one statement: if every worker polled by itself, they would be the main load on
 * the database of an idle installation.
 *
 * It also corrects, for each kind, the keys that pg-boss skips because they are running. pg-boss updates them only every 15
 * seconds: until then, a unit that waits for the end of another one blocks all others of its kind, or does not start although
 * the other one has ended. Only keys with waiting units are stored, so that the next unit with any other key can start at
 * once.
 */
export async function lookForDueWork(boss: PgBoss, units: readonly AnyUnit[]): Promise<string[]> {
  const isDue = `due.state < 'active' AND NOT due.blocked AND due.start_after <= now()`;
  // The same expression as in pg-boss's index on keys.
  const hasKeyOfJ = `due.policy = '${policy}' AND due.state IN ('created', 'retry')
            AND coalesce(due.singleton_key, '') = coalesce(j.singleton_key, '')`;
  const due = `
    WITH kind AS (
      SELECT q.name, q.singletons_active AS noted, (
        SELECT array_agg(j.singleton_key ORDER BY j.singleton_key) FROM ${schema}.job j
        WHERE j.name = q.name AND j.state = 'active' AND j.policy = '${policy}' AND EXISTS (
          SELECT FROM ${schema}.job due WHERE due.name = j.name AND ${hasKeyOfJ} AND ${isDue}
        )) AS held_up
      FROM ${schema}.queue q WHERE q.name = ANY($1::text[])
    ), outdated AS (
      SELECT q.name, k.held_up FROM kind k JOIN ${schema}.queue q ON q.name = k.name
      WHERE k.noted IS DISTINCT FROM k.held_up
      FOR NO KEY UPDATE OF q SKIP LOCKED
    ), noted AS (
      UPDATE ${schema}.queue q SET singletons_active = o.held_up FROM outdated o WHERE q.name = o.name
    )
    SELECT k.name FROM kind k
    WHERE EXISTS (SELECT FROM ${schema}.job due WHERE due.name = k.name AND ${isDue})`;
  const { rows } = await boss.getDb().executeSql(due, [units.map(({ name }) => name)]);
  return (rows as { name: string }[]).map(({ name }) => name);
}

/**
 * Counts waiting and running units with pg-boss's indexes, so that the finished units of the last day are not read. There is
 * no such index for failed units, so pg-boss's own count is used.
 */
export async function readState(db: Db, units: readonly AnyUnit[]): Promise<QueueState[]> {
  const rows = await db<
    { name: string; waiting: number; running: number; failed: number; oldest: Date | null }[]
  >`
    SELECT q.name, waiting.units AS waiting, waiting.oldest, running.units AS running, q.failed_count AS failed
    FROM work.queue q
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS units, min(j.created_on) AS oldest FROM work.job j
      WHERE j.name = q.name AND j.state < 'active' AND NOT j.blocked) waiting
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS units FROM work.job j
      WHERE j.name = q.name AND j.state = 'active' AND j.policy = ${policy}) running
    WHERE q.name = ANY(${units.map(({ name }) => name)}::text[])
    ORDER BY q.name`;
  return rows.map(({ oldest, ...row }) => ({ ...row, oldestWaitingAt: oldest }));
}
