import assert from 'node:assert/strict';
import { after, afterEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTestDatabase } from '../../test/postgres.ts';
import { newUuid } from '../lib/uuid.ts';
import { endLease, endUnendedLeases, executeOn, type Lease, takeLease, takeLeases } from './leases.ts';
import type { UnitOfWork } from './unit-of-work.ts';
import { createWorkQueue } from './work-queue.ts';

const { database, target, drop } = await createTestDatabase();
after(drop);
const { sql } = database;
const db = executeOn(sql);
const hour = { seconds: 3_600 };

afterEach(() => sql`DELETE FROM taken_work`);

const isLease = (taken: unknown): taken is Lease => typeof taken === 'object';
const leased = () => sql<{ key: string }[]>`SELECT key FROM taken_work ORDER BY key`;

test('of many concurrent attempts to take one lease, one succeeds; so does one of many with the same turn', async () => {
  const same = await Promise.all(Array.from({ length: 8 }, () => takeLease(db, 'same', 'key', hour)));
  assert.equal(same.filter(isLease).length, 1);
  const turn = await Promise.all(
    Array.from({ length: 8 }, (_, n) => takeLease(db, `kind ${n}`, 'key', { ...hour, turn: 'turn' })),
  );
  assert.equal(turn.filter(isLease).length, 1);
  assert.equal(turn.filter((taken) => taken === 'held').length, 7);
});

test('a lease and its turn expire, and end when their node dies', async () => {
  await takeLease(db, 'kind', 'late', { seconds: 0, turn: 'of late' });
  await takeLease(db, 'kind', 'dead', { ...hour, turn: 'of dead' });
  assert.equal(await takeLease(db, 'kind', 'dead', hour), 'held');
  const node = newUuid();
  await sql`INSERT INTO nodes (node, seen_at, lost_at) VALUES (${node}, now(), now())`;
  await sql`UPDATE taken_work SET node = ${node} WHERE key = 'dead'`;
  for (const key of ['late', 'dead']) {
    assert.ok(isLease(await takeLease(db, 'kind', `next of ${key}`, { ...hour, turn: `of ${key}` })));
    assert.ok(isLease(await takeLease(db, 'kind', key, hour)));
  }
});

test('held leases are left alone while free ones of the same call are taken', async () => {
  const first = await takeLeases(db, 'kind', ['a'], hour);
  const second = await takeLeases(db, 'kind', ['a', 'b'], hour);
  assert.ok(isLease(first.get('a')));
  assert.equal(second.get('a'), 'held');
  assert.ok(isLease(second.get('b')));
  const [row] = await sql`SELECT lease, times FROM taken_work WHERE key = 'a'`;
  assert.deepEqual([row!.lease, row!.times], [(first.get('a') as Lease).id, 1]);
});

test('a former holder of a lease does not end it for the new one', async () => {
  const lost = await takeLease(db, 'kind', 'key', { seconds: 0 });
  const won = await takeLease(db, 'kind', 'key', hour);
  await endLease(db, lost as Lease);
  assert.deepEqual([...(await leased())], [{ key: 'key' }]);
  await endLease(db, won as Lease);
  assert.deepEqual([...(await leased())], []);
});

test('a lease that could not be ended, or was taken without an answer, is ended when the database is available again', async () => {
  const away = new Error('the database is away');
  const ended = await takeLease(db, 'kind', 'ended', hour);
  await endLease({ executeSql: () => Promise.reject(away) }, ended as Lease);
  const unanswered = {
    async executeSql(text: string, values?: unknown[]) {
      await db.executeSql(text, values);
      throw away;
    },
  };
  await assert.rejects(takeLease(unanswered, 'kind', 'unanswered', hour), away);
  assert.deepEqual([...(await leased())], [{ key: 'ended' }, { key: 'unanswered' }]);
  await endUnendedLeases(db);
  assert.deepEqual([...(await leased())], []);
});

test('units with the same turn run one at a time, whatever their kind and node', async () => {
  const running = new Set<string>();
  const ran: string[] = [];
  const unitOf = (name: string): UnitOfWork<{ readonly n: number }> => ({
    name,
    atOnce: 2,
    maxSeconds: 60,
    retries: { count: 0, firstPauseSeconds: 1, maxPauseSeconds: 1 },
    turnOf: () => 'the only turn',
    async run({ n }) {
      assert.equal(running.size, 0, 'one at a time');
      running.add(name);
      await sleep(50);
      running.delete(name);
      ran.push(`${name} ${n}`);
    },
  });
  const units = [unitOf('one-kind'), unitOf('other-kind')];
  const errors: unknown[] = [];
  const open = () =>
    createWorkQueue({ target, units: () => units, onError: (error) => void errors.push(error) });
  const nodes = [open(), open()];
  for (const unit of units)
    for (const n of [1, 2]) await nodes[0]!.enqueue(sql, unit, { n }, { key: String(n) });
  for (const node of nodes) await node.startWorkers();
  while (ran.length < 4 && errors.length === 0) await sleep(50);
  for (const node of nodes) await node.stop();
  assert.deepEqual(errors, []);
  assert.deepEqual(ran.toSorted(), ['one-kind 1', 'one-kind 2', 'other-kind 1', 'other-kind 2']);
});
