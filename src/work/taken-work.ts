import type { Db } from '../db/database.ts';
import type { InHand } from '../lib/concurrency/in-hand.ts';
import { newUuid } from '../lib/uuid.ts';

// What a node has in hand is noted in the database before it begins, and deleted at its end, however it ends. What is left
// behind was cut off: its node has died. After the third time it is not taken again for six hours, since it may be the cause;
// what is known to be the cause counts double, so that it is not taken a third time.

/** What statements are run with: the connections of pg-boss or our own. */
export interface Execute {
  executeSql(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
}

/** Lets our own connections and transactions be used as those of pg-boss. */
export function executeOn(db: Db): Execute {
  return {
    executeSql: async (text, values = []) => ({ rows: [...(await db.unsafe(text, values as never[]))] }),
  };
}

/** This process. */
export const thisNode = newUuid();

export const givenUpReason =
  'given up: the server ended again and again while it worked on this; its log says why';

/** Somebody may kill a node twice, or a machine may run out of memory, without any fault of the work. */
const maxTimes = 3;
const isRecent = `t.taken_at > now() - interval '6 hours'`;

/** Notes what is taken; returns the keys of what may be. */
export async function takeWork(db: Execute, kind: string, keys: readonly string[]): Promise<Set<string>> {
  const take = `
    INSERT INTO taken_work AS t (kind, key, node, times, taken_at)
    SELECT $1, k.key, $3, 1, now() FROM (SELECT DISTINCT unnest($2::text[]) AS key) AS k ORDER BY k.key
    ON CONFLICT (kind, key) DO UPDATE SET node = excluded.node, taken_at = excluded.taken_at,
      times = CASE WHEN ${isRecent} THEN t.times + 1 ELSE 1 END
    WHERE NOT (t.times >= ${maxTimes} AND ${isRecent})
    RETURNING t.key`;
  const { rows } = await db.executeSql(take, [kind, [...keys], thisNode]);
  return new Set((rows as { key: string }[]).map(({ key }) => key));
}

/** Forgets what has come to an end on this node. */
export async function endWork(db: Execute, kind: string, key: string): Promise<void> {
  await db.executeSql('DELETE FROM taken_work WHERE kind = $1 AND key = $2 AND node = $3', [
    kind,
    key,
    thisNode,
  ]);
}

/** Forgets all that this node has taken, when it stops by itself; and what is so old that it no longer counts. */
export async function endAllWork(db: Execute): Promise<void> {
  await db.executeSql(`DELETE FROM taken_work t WHERE node = $1 OR NOT ${isRecent}`, [thisNode]);
  await db.executeSql(`DELETE FROM nodes WHERE node = $1 OR seen_at < now() - interval '6 hours'`, [
    thisNode,
  ]);
}

/** When it is known what a node hangs on, that counts double, and everything else that it had in hand is not to blame. */
export async function blame(db: Execute, node: string, { kind, name, key }: InHand): Promise<void> {
  const [ofKind, itsKey] = kind === 'unit of work' ? [name, key] : [kind, kind === 'job' ? name : key];
  await db.executeSql(
    'DELETE FROM taken_work WHERE node = $1 AND (kind, key) IS DISTINCT FROM ($2::text, $3::text)',
    [node, ofKind, itsKey],
  );
  await db.executeSql('UPDATE taken_work SET times = times + 1 WHERE node = $1', [node]);
  // A job runs every few seconds and leaves no note otherwise.
  if (kind === 'job') await takeWork(db, kind, [name]);
}

/** The jobs that made a node hang twice. */
export async function blamedJobs(db: Execute): Promise<Set<string>> {
  const { rows } = await db.executeSql(
    `SELECT key FROM taken_work t WHERE kind = 'job' AND times >= 2 AND ${isRecent}`,
    [],
  );
  return new Set((rows as { key: string }[]).map(({ key }) => key));
}
