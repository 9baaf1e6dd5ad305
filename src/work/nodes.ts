import { setTimeout as sleep } from 'node:timers/promises';
import type { PgBoss } from 'pg-boss';
import type { Db } from '../db/database.ts';
import { type Execute, isHeld, silentSeconds, thisNode } from './leases.ts';
import { policy, schema } from './queue-tables.ts';

// Every node that works stores a heartbeat once a second. A few seconds after a node died its leases end and its units are given
// to others. Without this, that would take half a minute, until the heartbeat that pg-boss keeps for each unit expires. This is
// the only place where a node is declared dead.

/**
 * A node whose own last heartbeat is older declares no other one dead this time: it was delayed itself, or the database was,
 * or the database's clock jumped. By its next heartbeat the others have sent theirs, too.
 */
const regularSeconds = 3;

/** A unit that a dead node was working on. */
export interface CutOffUnit {
  readonly name: string;
  readonly id: string;
  readonly retryCount: number;
  readonly data: object;
  /** For how long the node had been silent. */
  readonly silentForSeconds: number;
}

/** Stores a heartbeat of this node, and returns the units of dead nodes; each unit is returned to one node only. */
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
 * Finds running units without a lease that `beat` cannot find: their node died before it leased them, or the database went
 * down with it and lost the node's row. A unit that was just fetched or is just ending has no lease either, so units are
 * returned only after they were found for some time.
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
 * Whether a node is alive. A recent heartbeat is not enough: it may be a copy from a backup, by the clock of another machine.
 * So the heartbeat must change before its node would be declared dead.
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

/** Returns a unit of a dead node to the queue, to be started at once; counts as a failed attempt. */
export async function giveBack(boss: PgBoss, { name, id, retryCount }: CutOffUnit): Promise<void> {
  await boss.fail(name, { id, retryCount }, { message: 'the node that worked on it is gone' });
  await boss
    .getDb()
    .executeSql(
      `UPDATE ${schema}.job SET start_after = now() WHERE name = $1 AND id = $2 AND state = 'retry'`,
      [name, id],
    );
}
