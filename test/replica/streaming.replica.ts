import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Tx } from '../../src/db/database.ts';
import { createLaggingReads } from '../../src/db/replicas/lagging-reads.ts';
import { replicaServer } from '../../src/db/replicas/replica-server.ts';
import { readBeside } from '../../src/db/same-moment.ts';
import { migrate } from '../../src/db/schema/migrate.ts';
import { createLog } from '../../src/lib/log.ts';
import { startTestApp } from '../harness.ts';
import { readAllPages, readPage, withoutLimits } from '../metrics-reader.ts';
import { pullRequest, pullRequestEvent } from '../review-events.ts';
import { sampleKeys, samplePlatform } from '../sample-platform.ts';
import { startStreamingPair } from './streaming-pair.ts';

// Real streaming replication; run it with `npm run test:replica`.
const pair = await startStreamingPair(async (database) => {
  await migrate(database);
});
after(() => pair.close());

/** While true, every read on the replica fails, so that the primary serves it. */
let isBroken = false;
const failWhileBroken =
  <Given extends unknown[], T>(work: (...given: Given) => Promise<T>) =>
  async (...given: Given): Promise<T> => {
    if (isBroken) throw new Error('broken on purpose');
    return work(...given);
  };
const replica = {
  ...pair.replica.database,
  readRows: failWhileBroken(pair.replica.database.readRows),
  transaction: failWhileBroken(pair.replica.database.transaction) as Database['transaction'],
};

const server = await startTestApp({
  ...withoutLimits,
  database: pair.primary.database,
  replicas: [replica],
  settings: { ...withoutLimits.settings, replicaMaxLagMs: 600_000 },
});
await server.platform(samplePlatform());
const key = await server.createKey(sampleKeys.organization);
const watchSchedule = server.app.schedules.find(({ name }) => name === 'watch-replicas')!;
const watch = () => watchSchedule.run(new AbortController().signal);
const path = '/v1/metrics/review-comments?start_date=2026-03-01&end_date=2026-03-31';

type Sent = ReturnType<typeof pullRequest>;
async function send(pullRequests: readonly Sent[]): Promise<void> {
  const { json } = await server.events(pullRequests.map((data) => pullRequestEvent(data)));
  assert.equal(json.accepted, pullRequests.length);
}
const newPullRequests = (count: number) => Array.from({ length: count }, () => pullRequest());
const urls = (entries: readonly { pr_url?: string; url?: string }[]) =>
  entries.map((entry) => (entry.pr_url ?? entry.url)!).sort();

async function served(): Promise<Record<string, number>> {
  const { text } = await server.operator('GET', '/metrics');
  const lines = text.matchAll(/^postil_lagging_reads_total\{by="(\w+)"\} (\d+)/gm);
  return Object.fromEntries([...lines].map(([, by, count]) => [by, Number(count)]));
}

const all: Sent[] = newPullRequests(30);

test('pages are read from the replica', async () => {
  await send(all);
  await pair.catchUp();
  await watch();
  assert.deepEqual(urls(await readAllPages(server.get, path, key, [7])), urls(all));
  assert.deepEqual(await served(), { replica: 5 });
});

test('a replica reads beside a transaction, too', async () => {
  const { database } = pair.replica;
  const sessionOf = async (tx: Tx) => (await tx`SELECT pg_backend_pid() AS pid`)[0]!.pid as number;
  const [own, beside] = await database.transaction(
    async (tx) => [await sessionOf(tx), await readBeside(database, tx, sessionOf)],
    { isolation: 'repeatable read', readOnly: true },
  );
  assert.notEqual(own, beside);
});

test('a cursor of the primary loses nothing on a replica that lags', async () => {
  await pair.pause();
  const more = newPullRequests(25);
  await send(more);
  all.push(...more);
  isBroken = true;
  const first = await readPage(server.get, `${path}&limit=31`, key);
  isBroken = false;
  assert.deepEqual(urls(first.data.slice(0, 30)), urls(all.slice(0, 30)));
  const rest = await readPage(server.get, `${path}&limit=1000&cursor=${first.next_cursor}`, key);
  assert.deepEqual(urls([...first.data, ...rest.data]), urls(all));
  assert.equal((await served()).primary_replica_behind, 1);
  // A reader that starts now sees an old state. Its second page must be current, because the replica has received more than
  // it has applied, and it is unknown which part of that the first page has seen.
  assert.deepEqual(urls(await readAllPages(server.get, path, key)), urls(all.slice(0, 30)));
  assert.deepEqual(urls(await readAllPages(server.get, path, key, [13])), urls(all));
  await pair.resume();
  await pair.catchUp();
  await watch();
  assert.deepEqual(urls(await readAllPages(server.get, path, key, [13])), urls(all));
});

test('however far the replica lags, a reader misses nothing that existed when it began, even entries that move meanwhile', async () => {
  for (let round = 0; round < 12; round++) {
    await pair.catchUp();
    const found = new Set<string>();
    let cursor: string | null = null;
    for (let page = 0; ; page++) {
      isBroken = (round + page) % 3 === 1;
      if (page % 4 === round % 4) await pair.pause();
      // Moves these to the end of the write order, while the reader may have passed neither their old nor their new position.
      await send(
        all
          .filter((_, index) => index % 7 === page % 7)
          .map((data) => ({ ...data, findings: pullRequest().findings })),
      );
      if (page % 4 === (round + 2) % 4) await pair.resume();
      await watch();
      const at: string = cursor === null ? '' : `&cursor=${cursor}`;
      const { data, next_cursor } = await readPage(
        server.get,
        `${path}&limit=${page < 20 ? 5 : 1000}${at}`,
        key,
      );
      for (const url of urls(data)) found.add(url);
      if (next_cursor === null) break;
      cursor = next_cursor;
    }
    isBroken = false;
    await pair.resume();
    assert.deepEqual([...found].sort(), urls(all), `round ${round}`);
  }
  const { replica: fromReplica = 0, primary_replica_behind: fromPrimary = 0 } = await served();
  assert.ok(fromReplica > 20 && fromPrimary > 20, 'both took part');
});

const log = createLog('silent');
const readsOf = (maxLagMs: number) =>
  createLaggingReads({
    primary: pair.primary.database,
    replicas: [replicaServer(pair.replica.database)],
    maxLagMs,
    log,
  });
const signal = new AbortController().signal;
const where = async (database: Database) => (database === pair.replica.database ? 'replica' : 'primary');

test('a replica that lags further than the limit is not read from', async () => {
  const reads = readsOf(2_000);
  const readFrom = async () => {
    await reads.schedules[0]!.run(signal);
    return (await reads.read('may_lag', where)).result;
  };
  while ((await readFrom()) !== 'replica') await sleep(50);
  await pair.pause();
  await pair.primary.database.sql`select pg_logical_emit_message(true, 'test', 'something to miss')`;
  while ((await readFrom()) !== 'primary') await sleep(50);
  await pair.resume();
  while ((await readFrom()) !== 'replica') await sleep(50);
});

test('a read that conflicts with recovery is served by the primary', async () => {
  await pair.cancelConflictingReads();
  const { sql } = pair.primary.database;
  await sql`create table vacuumed as select n from generate_series(1, 1000) n`;
  await pair.catchUp();
  const reads = readsOf(600_000);
  await reads.schedules[0]!.run(signal);
  const { result } = await reads.read('may_lag', (database) =>
    database.transaction(
      async (tx) => {
        const count = async () => (await tx`select n from vacuumed`).length;
        const before = await count();
        if (database !== pair.replica.database) return `primary ${before}`;
        await sql`delete from vacuumed where n > 10`;
        await sql`vacuum vacuumed`;
        for (;;) {
          assert.equal(await count(), before);
          await sleep(50);
        }
      },
      { isolation: 'repeatable read', readOnly: true },
    ),
  );
  assert.equal(result, 'primary 10');
});

test('while the replica is down the primary serves everything, and the replica is used again when it is back', async () => {
  const before = await served();
  await pair.replica.stop();
  assert.deepEqual(urls(await readAllPages(server.get, path, key, [20])), urls(all));
  await watch();
  assert.deepEqual(urls(await readAllPages(server.get, path, key, [20])), urls(all));
  assert.ok(server.logLines.some((line) => line.includes('"reason":"unreachable"')));
  const during = await served();
  assert.equal(during.replica, before.replica);
  await pair.replica.start();
  await pair.catchUp();
  await watch();
  assert.deepEqual(urls(await readAllPages(server.get, path, key, [20])), urls(all));
  assert.ok((await served()).replica! > during.replica!);
});

test('a promoted replica is never read from, not even before that is noticed', async () => {
  await watch();
  await pair.promote();
  await pair.replica.database.sql`update review_metrics set entry = null`;
  assert.deepEqual(urls(await readAllPages(server.get, path, key, [20])), urls(all));
  assert.ok(server.logLines.some((line) => line.includes('"reason":"promoted"')));
  await watch();
  assert.deepEqual(urls(await readAllPages(server.get, path, key, [20])), urls(all));
});
