import assert from 'node:assert/strict';
import { after, afterEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTestDatabase } from '../../test/postgres.ts';
import { newUuid } from '../lib/uuid.ts';
import { executeOn } from './leases.ts';
import { beat, type CutOffUnit } from './nodes.ts';
import type { UnitOfWork } from './unit-of-work.ts';
import { createWorkQueue } from './work-queue.ts';

type Data = { readonly n: number };

const { database, target, drop } = await createTestDatabase();
after(drop);
const { sql } = database;
const db = executeOn(sql);
const events: string[] = [];

const unit: UnitOfWork<Data> = {
  name: 'long',
  atOnce: 2,
  maxSeconds: 600,
  retries: { count: 3, firstPauseSeconds: 300, maxPauseSeconds: 600 },
  run: async ({ n }, { number }) => void events.push(`run ${n}, attempt ${number}`),
};

const open = (onTakenOver?: (cutOff: CutOffUnit) => void) =>
  createWorkQueue({
    target,
    units: () => [unit],
    onError: (error) => void events.push(String(error)),
    ...(onTakenOver !== undefined && { onTakenOver }),
  });

/** A unit that another node works on, whose last heartbeat was so long ago. */
async function inHandOfAnother(n: number, silentSeconds: number): Promise<void> {
  const queue = open();
  await queue.enqueue(sql, unit, { n }, { key: `key ${n}` });
  await queue.stop();
  const node = newUuid();
  await sql`
    UPDATE work.job SET state = 'active', started_on = now(), heartbeat_on = now()
    WHERE name = 'long' AND singleton_key = ${`key ${n}`}`;
  await sql`
    INSERT INTO taken_work (kind, key, node, times, taken_at, ends_at)
    VALUES ('long', ${`key ${n}`}, ${node}, 1, now(), now() + interval '1 hour')`;
  await sql`
    INSERT INTO nodes (node, seen_at) VALUES (${node}, clock_timestamp() - make_interval(secs => ${silentSeconds}))`;
}

afterEach(async () => {
  await sql`DELETE FROM nodes`;
  await sql`DELETE FROM taken_work`;
  await sql`DELETE FROM work.job`;
  events.length = 0;
});

const numbersOf = (units: readonly CutOffUnit[]) => units.map(({ data }) => (data as Data).n);

test('the work of a dead node is continued at once by another one, whatever the delay of its retries', async () => {
  await inHandOfAnother(1, 60);
  const takenOver: CutOffUnit[] = [];
  const queue = open((cutOff) => takenOver.push(cutOff));
  await queue.startWorkers();
  while (!events.includes('run 1, attempt 2')) await sleep(50);
  await queue.stop();
  assert.deepEqual(events, ['run 1, attempt 2']);
  assert.deepEqual(numbersOf(takenOver), [1]);
  const [noted] = queue.takenOver();
  assert.deepEqual([noted!.name, noted!.count], ['long', 1]);
  assert.ok(noted!.silentForSeconds >= 60, String(noted!.silentForSeconds));
});

test('work is also continued if the database went down together with its node', async () => {
  await inHandOfAnother(6, 60);
  await sql`DELETE FROM nodes`;
  await sql`UPDATE taken_work SET taken_at = taken_at - interval '1 minute'`;
  const queue = open();
  await queue.startWorkers();
  while (!events.includes('run 6, attempt 2')) await sleep(50);
  await queue.stop();
  assert.deepEqual(events, ['run 6, attempt 2']);
});

test('of many nodes that check at once, one gets the work of a dead node', async () => {
  await inHandOfAnother(2, 60);
  await beat(db);
  const found = await Promise.all(Array.from({ length: 8 }, () => beat(db)));
  assert.deepEqual(numbersOf(found.flat()), [2]);
});

test('a node with a recent heartbeat keeps its work', async () => {
  await inHandOfAnother(3, 60);
  await sql`UPDATE nodes SET lost_at = now()`;
  await beat(db);
  // Set after this node's own heartbeat: if the next one is late, this node declares no other one dead.
  await sql`UPDATE nodes SET lost_at = NULL, seen_at = clock_timestamp() - interval '2 seconds' WHERE lost_at IS NOT NULL`;
  assert.deepEqual(await beat(db), []);
});

test('a node that is new, or was delayed itself, declares no other one dead until its next heartbeat', async () => {
  await inHandOfAnother(4, 60);
  assert.deepEqual(await beat(db), []);
  await sql`UPDATE nodes SET seen_at = seen_at - interval '10 minutes'`;
  assert.deepEqual(await beat(db), [], 'as after a jump of the clock');
  assert.deepEqual(numbersOf(await beat(db)), [4]);
});

test('a node that was declared dead and has a new heartbeat can be declared dead again', async () => {
  await inHandOfAnother(5, 60);
  await beat(db);
  assert.deepEqual(numbersOf(await beat(db)), [5]);
  assert.deepEqual(await beat(db), []);
  await sql`UPDATE nodes SET lost_at = NULL WHERE lost_at IS NOT NULL`; // as its own heartbeat does
  assert.deepEqual(numbersOf(await beat(db)), [5]);
});
