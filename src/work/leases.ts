import type { Db } from '../db/database.ts';
import { errorCode } from '../db/driver/unavailable.ts';
import type { InHand } from '../lib/concurrency/in-hand.ts';
import { newUuid } from '../lib/uuid.ts';

// A node leases everything that it works on: it stores the lease in the database before it starts, and deletes it at the end,
// whatever the outcome. A lease ends when it expires or its node dies (nodes.ts). A lease that was not deleted means that its
// node died. After the third time the work is not leased again for six hours, since it may be the cause. Work that is known to be
// the cause counts double, so that it is not leased a third time.

/** Runs statements: on the connections of pg-boss or our own. */
export interface Execute {
  executeSql(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
}

/** Adapts our own connections and transactions to the interface of pg-boss. */
export function executeOn(db: Db): Execute {
  return {
    executeSql: async (text, values = []) => ({ rows: [...(await db.unsafe(text, values as never[]))] }),
  };
}

/** The id of this process as a node. */
export const thisNode = newUuid();

export const givenUpReason =
  'given up: the server ended again and again while it worked on this; its log says why';

/** A lease for one attempt at some work; its id is unique. */
export interface Lease {
  readonly kind: string;
  readonly key: string;
  readonly id: string;
}

export interface LeaseOptions {
  /** The time until the lease expires; must be longer than the work may take. */
  readonly seconds: number;
  /** Of all leases with the same turn, of whatever kind, only one is granted at a time. */
  readonly turn?: string | undefined;
}

/** 'held': another attempt works on it, or has its turn. 'given up': nodes died of it too often. */
export type Taken = Lease | 'held' | 'given up';

/** Somebody may kill a node twice, or a machine may run out of memory twice, without any fault of the work. */
const maxTimes = 3;
const isRecent = `t.taken_at > now() - interval '6 hours'`;
const isGivenUp = `t.times >= ${maxTimes} AND ${isRecent}`;

/** A node that is silent for this long is considered dead. If it is alive after all, its work is done twice, which is allowed. */
export const silentSeconds = 7;

/** An SQL condition: whether the lease in this row of `taken_work` is still held. A node without a row may have just started. */
export const isHeld = (row: string) => `(${row}.ends_at > clock_timestamp() AND coalesce(
  (SELECT n.lost_at IS NULL FROM nodes n WHERE n.node = ${row}.node),
  ${row}.taken_at > clock_timestamp() - make_interval(secs => ${silentSeconds})))`;

/** Takes leases. Those that cannot be taken are left unchanged. */
export async function takeLeases(
  db: Execute,
  kind: string,
  keys: readonly string[],
  { seconds, turn }: LeaseOptions,
): Promise<Map<string, Taken>> {
  const id = newUuid();
  const take = `
    WITH asked AS (
      SELECT DISTINCT unnest($2::text[]) AS key
    ), known AS (
      INSERT INTO nodes (node, seen_at) VALUES ($3, clock_timestamp()) ON CONFLICT (node) DO NOTHING
    ), taken AS (
      INSERT INTO taken_work AS t (kind, key, node, times, taken_at, lease, ends_at, turn)
      SELECT $1, key, $3, 1, now(), $4, clock_timestamp() + make_interval(secs => $5), $6 FROM asked ORDER BY key
      ON CONFLICT (kind, key) DO UPDATE SET node = excluded.node, taken_at = excluded.taken_at, lease = excluded.lease,
        ends_at = excluded.ends_at, turn = excluded.turn, times = CASE WHEN ${isRecent} THEN t.times + 1 ELSE 1 END
      WHERE NOT ${isHeld('t')} AND NOT (${isGivenUp})
      RETURNING t.key
    )
    SELECT a.key, taken.key IS NOT NULL AS "isTaken", EXISTS (
      SELECT FROM taken_work t WHERE t.kind = $1 AND t.key = a.key AND ${isGivenUp} AND NOT ${isHeld('t')}) AS "isGivenUp"
    FROM asked a LEFT JOIN taken ON taken.key = a.key`;
  const { rows } = await db
    .executeSql(take, [kind, [...keys], thisNode, id, seconds, turn ?? null])
    .catch((error: unknown) => {
      // The leases may have been stored before the connection was lost.
      for (const key of keys) unended.add({ kind, key, id });
      throw error;
    });
  return new Map(
    (rows as { key: string; isTaken: boolean; isGivenUp: boolean }[]).map((row) => [
      row.key,
      row.isTaken ? { kind, key: row.key, id } : row.isGivenUp ? 'given up' : 'held',
    ]),
  );
}

const uniqueViolation = '23505';

/** Takes one lease, with its turn if it has one. */
export async function takeLease(
  db: Execute,
  kind: string,
  key: string,
  options: LeaseOptions,
): Promise<Taken> {
  const { turn } = options;
  if (turn !== undefined)
    await db.executeSql(`UPDATE taken_work t SET turn = NULL WHERE t.turn = $1 AND NOT ${isHeld('t')}`, [
      turn,
    ]);
  try {
    return (await takeLeases(db, kind, [key], options)).get(key)!;
  } catch (error) {
    // A unique index ensures that only one lease has the turn.
    if (turn !== undefined && errorCode(error) === uniqueViolation) return 'held';
    throw error;
  }
}

/** Leases of this node whose deletion failed, or may have failed. */
const unended = new Set<Lease>();

/** Ends a lease, unless it was granted to somebody else meanwhile. If the database is unavailable, this is retried later. */
export async function endLease(db: Execute, lease: Lease): Promise<void> {
  const { kind, key, id } = lease;
  unended.add(lease);
  try {
    await db.executeSql('DELETE FROM taken_work WHERE kind = $1 AND key = $2 AND lease = $3', [
      kind,
      key,
      id,
    ]);
    unended.delete(lease);
  } catch {}
}

export async function endUnendedLeases(db: Execute): Promise<void> {
  for (const lease of unended) await endLease(db, lease);
}

/** Ends all leases of this node when it stops normally, and deletes rows that are too old to matter. */
export async function endAllLeases(db: Execute): Promise<void> {
  await db.executeSql(`DELETE FROM taken_work t WHERE node = $1 OR NOT ${isRecent}`, [thisNode]);
  await db.executeSql(`DELETE FROM nodes WHERE node = $1 OR seen_at < now() - interval '6 hours'`, [
    thisNode,
  ]);
}

/** If it is known what a node hung on, that counts double, and its other leased work is not blamed. */
export async function blame(db: Execute, node: string, { kind, name, key }: InHand): Promise<void> {
  const [ofKind, itsKey] = kind === 'unit of work' ? [name, key] : [kind, kind === 'job' ? name : key];
  await db.executeSql(
    'DELETE FROM taken_work WHERE node = $1 AND (kind, key) IS DISTINCT FROM ($2::text, $3::text)',
    [node, ofKind, itsKey],
  );
  await db.executeSql('UPDATE taken_work SET times = times + 1 WHERE node = $1', [node]);
  // A schedule runs every few seconds and has no lease otherwise.
  if (kind === 'job') await takeLeases(db, kind, [name], { seconds: 0 });
}

/** The schedules that made a node hang twice. */
export async function blamedSchedules(db: Execute): Promise<Set<string>> {
  const { rows } = await db.executeSql(
    `SELECT key FROM taken_work t WHERE kind = 'job' AND times >= 2 AND ${isRecent}`,
    [],
  );
  return new Set((rows as { key: string }[]).map(({ key }) => key));
}
