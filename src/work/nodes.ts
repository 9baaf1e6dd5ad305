import type { PgBoss } from 'pg-boss';
import type { Db } from '../db/database.ts';
import { schema } from './queue-tables.ts';
import { type Execute, thisNode } from './taken-work.ts';

// Every node that does work says once a second that it is alive (its heartbeat). What a node had in hand that has died is given to
// others after a few seconds, instead of after half a minute, when the heartbeat that pg-boss keeps for each unit has run out.

/** A node that has been silent for so long is taken for dead. Should it be alive after all, its work is done twice, as it may be. */
export const silentSeconds = 7;
/**
 * A node whose own last heartbeat is older judges nobody this time: it was held up itself, or the database was, or the clock of
 * the database jumped. By its next heartbeat the others have given theirs, too.
 */
const regularSeconds = 3;

/** A unit that a dead node had in hand. */
export interface CutOffUnit {
  readonly name: string;
  readonly id: string;
  readonly retryCount: number;
  readonly data: object;
  /** For how long the node had been silent. */
  readonly silentForSeconds: number;
}

/** Says that this node is alive, and returns what nodes had in hand that no longer are: each unit to one node only. */
export async function beat(db: Execute): Promise<CutOffUnit[]> {
  const statement = `
    WITH own AS (
      SELECT seen_at > clock_timestamp() - make_interval(secs => ${regularSeconds}) AS is_regular FROM nodes WHERE node = $1
    ), beat AS (
      INSERT INTO nodes (node, seen_at) VALUES ($1, clock_timestamp())
      ON CONFLICT (node) DO UPDATE SET seen_at = excluded.seen_at, lost_at = NULL
    ), silent AS (
      SELECT node FROM nodes
      WHERE node <> $1 AND lost_at IS NULL AND seen_at < clock_timestamp() - make_interval(secs => ${silentSeconds})
        AND EXISTS (SELECT FROM own WHERE is_regular)
      FOR UPDATE SKIP LOCKED
    ), lost AS (
      UPDATE nodes n SET lost_at = clock_timestamp() FROM silent s WHERE n.node = s.node
      RETURNING n.node, extract(epoch FROM clock_timestamp() - n.seen_at)::float8 AS seconds
    )
    SELECT j.name, j.id, j.retry_count AS "retryCount", j.data, l.seconds AS "silentForSeconds"
    FROM lost l JOIN taken_work t ON t.node = l.node
    JOIN ${schema}.job j ON j.name = t.kind AND j.state = 'active' AND coalesce(j.singleton_key, j.id::text) = t.key`;
  const { rows } = await db.executeSql(statement, [thisNode]);
  return rows as CutOffUnit[];
}

/** How many nodes are alive. */
export async function liveNodes(db: Db): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    SELECT count(*)::int AS count FROM nodes WHERE seen_at > clock_timestamp() - make_interval(secs => ${silentSeconds})`;
  return row!.count;
}

/** Puts a unit that was cut off back into the queue, to be started at once; it counts as an attempt that failed. */
export async function giveBack(boss: PgBoss, { name, id, retryCount }: CutOffUnit): Promise<void> {
  await boss.fail(name, { id, retryCount }, { message: 'the node that worked on it is gone' });
  await boss
    .getDb()
    .executeSql(
      `UPDATE ${schema}.job SET start_after = now() WHERE name = $1 AND id = $2 AND state = 'retry'`,
      [name, id],
    );
}
