import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openDatabaseProxy } from '../../../test/database-proxy.ts';
import { startTestApp, type TestApp } from '../../../test/harness.ts';
import { startLearnings } from '../../../test/learnings-fixture.ts';
import { patience } from '../../../test/patience.ts';
import { createTestDatabase } from '../../../test/postgres.ts';
import { pullRequestEvent } from '../../../test/review-events.ts';
import { sampleKeys, samplePlatform } from '../../../test/sample-platform.ts';
import { openDatabase } from '../../db/database.ts';
import { createProcessMetrics } from '../../http/process-metrics.ts';
import { measureSchedules } from '../../lib/measure-schedules.ts';
import { collectedGauge } from '../../lib/metrics.ts';
import { createDeterministicEmbedder } from '../learnings/embedding/deterministic-embedder.ts';
import { type Embedder, EmbeddingFailed } from '../learnings/embedding/embedder.ts';
import { measureWork } from './measure-work.ts';

function parseSamples(text: string): Map<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]));
}

async function readMetrics(server: Pick<TestApp, 'operator'>): Promise<Map<string, number>> {
  const { status, text } = await server.operator('GET', '/metrics');
  assert.equal(status, 200);
  return parseSamples(text);
}

test('a failing embedding model is logged once per kind, counted, and visible in the length of its queue', async () => {
  const working = createDeterministicEmbedder();
  let isDead = false;
  const embedder: Embedder = {
    id: working.id,
    dimensions: working.dimensions,
    close: () => working.close(),
    async embed(texts, options) {
      if (isDead) throw new EmbeddingFailed('The embeddings endpoint answered 500');
      return working.embed(texts, options);
    },
  };
  const server = await startLearnings({ embedder });
  await server.create('Prefer composition');
  isDead = true;
  for (let turn = 0; turn < 3; turn++) {
    await server.post([`Top secret guidance number ${turn}`]);
    await server.search(`composition over inheritance ${turn}`);
  }
  const failing = await readMetrics(server);
  assert.equal(failing.get('postil_embedding_failing{kind="document"}'), 1);
  assert.equal(failing.get('postil_embedding_failing{kind="query"}'), 1);
  assert.equal(failing.get('postil_embedding_calls_total{kind="query",outcome="failed"}'), 3);
  assert.equal(failing.get('postil_learnings_waiting_for_index'), 3);
  const logged = () => server.logLines.filter((line) => line.includes('embedding failed'));
  assert.deepEqual(
    logged()
      .map((line) => JSON.parse(line).kind)
      .sort(),
    ['document', 'query'],
  );
  assert.ok(logged().every((line) => !/guidance|composition/.test(line) && line.includes('answered 500')));
  assert.equal((await server.get('/ready')).status, 200, 'whatever needs no model is still served');

  isDead = false;
  server.now = new Date(server.now.getTime() + 60 * 60_000);
  await server.runSchedule('learnings-index-repair');
  await server.search('composition');
  const recovered = await readMetrics(server);
  assert.equal(recovered.get('postil_embedding_failing{kind="document"}'), 0);
  assert.equal(recovered.get('postil_learnings_waiting_for_index'), 0);
  assert.equal(server.logLines.filter((line) => line.includes('works again')).length, 2);
  assert.equal(recovered.get('postil_job_runs_total{job="learnings-index-repair",outcome="succeeded"}'), 1);
});

test('pending Learnings, events by outcome and database connections are reported', async () => {
  const server = await startLearnings();
  await server.platform({
    organizations: [{ provider: 'github', provider_organization_id: '1001', approval_delay_days: 3 }],
  });
  await server.capture('Prefer early returns');
  const event = pullRequestEvent();
  await server.events([event, { ...event, id: 'other', type: 'unknown' }]);
  await server.events([event]);
  const metrics = await readMetrics(server);
  assert.equal(metrics.get('postil_learnings_pending'), 1);
  assert.equal(metrics.get('postil_intake_events_total{outcome="accepted"}'), 2);
  assert.equal(metrics.get('postil_intake_events_total{outcome="duplicate"}'), 1);
  assert.equal(metrics.get('postil_intake_failures_total{code="INVALID_REQUEST"}'), 1);
  assert.equal(metrics.get('postil_database_pool_size{pool="transactions"}'), 4);
  assert.equal(metrics.get('postil_database_pool_in_use{pool="transactions"}'), 0);
  assert.equal(metrics.get('postil_database_pool_waiting{pool="rows"}'), 0);
  assert.ok(metrics.get('postil_database_connections_open')! > 0);
});

test('webhooks that fail are counted while they are active', async () => {
  const app = await startTestApp({ settings: { customerAddresses: { ranges: [], hosts: ['hooks.test'] } } });
  await app.platform(samplePlatform());
  const key = await app.createKey({ ...sampleKeys.organization, expires_at: null });
  for (let count = 1; count <= 3; count++) {
    const body = { url: `https://hooks.test/${count}`, types: ['postil.member.changed'] };
    assert.equal((await app.call('POST', '/v1/webhooks', { key, body })).status, 201);
  }
  const failing = async () => (await readMetrics(app)).get('postil_webhooks_failing');
  assert.equal(await failing(), 0);
  await app.database.sql`UPDATE webhooks SET failing_since = now() WHERE url ~ '[12]$'`;
  assert.equal(await failing(), 2);
  await app.database.sql`UPDATE webhooks SET active = false WHERE url LIKE '%1'`;
  assert.equal(await failing(), 1);
});

test('queued work is reported by kind and state', async () => {
  const { registry, render } = createProcessMetrics(60_000);
  const state = { name: 'sync', waiting: 2, running: 1, failed: 0, oldestWaitingAt: new Date(5000) };
  const queue = { state: async () => [state, { ...state, name: 'read', waiting: 0, oldestWaitingAt: null }] };
  measureWork(registry, { database: (await startTestApp()).database, queue: queue as never });
  const samples = parseSamples(await render());
  assert.equal(samples.get('postil_work_units{unit="sync",state="waiting"}'), 2);
  assert.equal(samples.get('postil_work_units{unit="read",state="running"}'), 1);
  assert.equal(samples.get('postil_work_oldest_waiting_timestamp_seconds{unit="sync"}'), 5);
  assert.equal(samples.get('postil_work_oldest_waiting_timestamp_seconds{unit="read"}'), undefined);
});

test('runs of schedules are counted by outcome, and the last success is remembered', async () => {
  const { registry, render } = createProcessMetrics(60_000);
  let isBroken = false;
  const [schedule] = measureSchedules(registry, [
    {
      name: 'sweep',
      intervalMs: 1,
      async run() {
        if (isBroken) throw new Error('broken');
      },
    },
  ]);
  const { signal } = new AbortController();
  const before = Date.now() / 1000;
  await schedule!.run(signal);
  const succeededAt = parseSamples(await render()).get(
    'postil_job_last_success_timestamp_seconds{job="sweep"}',
  )!;
  assert.ok(succeededAt >= before);
  isBroken = true;
  await assert.rejects(schedule!.run(signal));
  const samples = parseSamples(await render());
  assert.equal(samples.get('postil_job_runs_total{job="sweep",outcome="failed"}'), 1);
  assert.equal(samples.get('postil_job_runs_total{job="sweep",outcome="succeeded"}'), 1);
  assert.equal(samples.get('postil_job_last_success_timestamp_seconds{job="sweep"}'), succeededAt);
});

test('while the database is down, the metrics of the process are still reported, including failed requests', async () => {
  const { target, drop } = await createTestDatabase();
  const proxy = await openDatabaseProxy(target);
  const database = openDatabase(proxy.target, { maxConnections: 8, ...patience });
  after(async () => {
    await database.close();
    await proxy.close();
    await drop();
  });
  const server = await startTestApp({ database });
  await proxy.goAway();
  assert.equal((await server.get('/ready')).status, 503);
  const metrics = await readMetrics(server);
  assert.equal(metrics.get('postil_database_unavailable_total{reason="unreachable"}'), 1);
  assert.equal(metrics.get('postil_learnings_pending'), undefined);
  assert.ok(metrics.get('process_cpu_seconds_total') !== undefined);
  await proxy.comeBack();
  assert.equal((await readMetrics(server)).get('postil_learnings_pending'), 0);
});

test('a metric that takes too long to read is left out, and the others are reported', async () => {
  const { registry, render } = createProcessMetrics(10);
  collectedGauge(registry, { name: 'slow', help: 'slow' }, () => new Promise(() => {}));
  collectedGauge(registry, { name: 'fast', help: 'fast' }, () => [[{}, 1]]);
  const samples = parseSamples(await render());
  assert.equal(samples.get('slow'), undefined);
  assert.equal(samples.get('fast'), 1);
});
