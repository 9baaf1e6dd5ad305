import { setTimeout as sleep } from 'node:timers/promises';
import type { PgBoss } from 'pg-boss';
import type { Db } from '../db/database.ts';
import { type Execute, isHeld, silentSeconds, thisNode } from './leases.ts';
import { policy, schema } from './queue-tables.ts';

// Every node that does work says once a second that it is alive (its heartbeat). The leases of a node that has died are over after a
// few seconds, and its units are given to others, instead of after half a minute, when the heartbeat that pg-boss keeps for each unit
// has run out. This is the only place where a node is taken for dead.

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

/**
 * Finds units that nobody has leased and of which `beat` knows nothing: their node died between fetching and leasing them, or the
 * database went down with it and has forgotten the node. Whoever has fetched or done a unit a moment ago has no lease either:
 * hence they must be found for some time.
 */
export function createUnleasedSearch(): (db: Execute) => Promise<CutOffUnit[]> {
  let foundSince = new Map<string, number>();
  return async (db) => {
    const { rows } = await db.executeSql(`
      SELECT j.name, j.id, j.retry_count AS "retryCount", j.data,
        extract(epoch FROM clock_timestamp() - j.started_on)::float8 AS "silentForSeconds"
      FROM ${schema}.job j
      WHERE j.state = 'active' AND j.policy = '${policy}' AND NOT EXISTS (
        SELECT FROM taken_work t
        WHERE t.kind = j.name AND t.key = coalesce(j.singleton_key, j.id::text) AND ${isHeld('t')})`);
    const units = rows as CutOffUnit[];
    const now = performance.now();
    const attemptOf = ({ id, retryCount }: CutOffUnit) => `${id} ${retryCount}`;
    foundSince = new Map(units.map((unit) => [attemptOf(unit), foundSince.get(attemptOf(unit)) ?? now]));
    return units.filter((unit) => now - foundSince.get(attemptOf(unit))! > silentSeconds * 1000);
  };
}

const watchEveryMs = 250;

/**
 * Whether a node is alive. A heartbeat alone does not say so: it may be a copy, restored together with everything else, and by
 * the clock of another machine. Who is alive gives another one before it would be taken for dead.
 */
export async function hasLiveNode(db: Db): Promise<boolean> {
  const heartbeats = async () => {
    const rows = await db<{ node: string; seenAt: string; isRecent: boolean }[]>`
      SELECT node, seen_at::text AS "seenAt",
        seen_at > clock_timestamp() - make_interval(secs => ${silentSeconds}) AS "isRecent" FROM nodes`;
    return rows.map(({ node, seenAt, isRecent }) => ({ beat: `${node} ${seenAt}`, isRecent }));
  };
  const first = await heartbeats();
  if (!first.some(({ isRecent }) => isRecent)) return false;
  const known = new Set(first.map(({ beat }) => beat));
  const endMs = performance.now() + silentSeconds * 1000;
  while (performance.now() < endMs) {
    await sleep(watchEveryMs);
    if ((await heartbeats()).some(({ beat }) => !known.has(beat))) return true;
  }
  return false;
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
