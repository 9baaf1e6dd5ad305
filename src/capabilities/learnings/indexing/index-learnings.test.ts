import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startLearnings } from '../../../../test/learnings-fixture.ts';
import { createTestDeps } from '../../../../test/test-deps.ts';
import { createApp } from '../../../app.ts';
import { createLog } from '../../../lib/log.ts';
import { createDeterministicEmbedder } from '../embedding/deterministic-embedder.ts';
import { type Embedder, EmbeddingFailed } from '../embedding/embedder.ts';
import { findByIds } from '../store.ts';
import { indexLearnings } from './index-learnings.ts';

let isFailing = false;
let poison: string | undefined;
let calls = 0;
/** The number of texts that were embedded as documents, per call. */
const embedded: number[] = [];
/** After this many calls the model fails. */
let callsLeft = Number.POSITIVE_INFINITY;
const sound = createDeterministicEmbedder({ id: 'model:one', dimensions: 1024 });

function fragile(embedder: Embedder): Embedder {
  return {
    ...embedder,
    async embed(texts, options) {
      if (options.kind === 'document') calls += 1;
      if (options.kind === 'document' && callsLeft-- <= 0) throw new EmbeddingFailed('stopped by the test');
      if (isFailing || (poison !== undefined && texts.some((text) => text.includes(poison!))))
        throw new EmbeddingFailed('failed by the test');
      if (options.kind === 'document') embedded.push(texts.length);
      return embedder.embed(texts, options);
    },
  };
}

const test$ = await startLearnings({ embedder: fragile(sound) });
const { sql } = test$.database;
const minutesLater = (minutes: number) => new Date(test$.now.getTime() + minutes * 60_000);

async function embedderOf(text: string): Promise<string | null> {
  const [row] = await sql`SELECT embedder_id FROM learnings WHERE learning = ${text}`;
  return row!.embedder_id;
}

async function storedLearnings(ids: readonly string[]) {
  const [row] = await sql`SELECT organization_id FROM learnings WHERE id = ${ids[0]!}`;
  return findByIds(sql, row!.organization_id, ids);
}

async function whileFailing<T>(work: () => Promise<T>): Promise<T> {
  isFailing = true;
  try {
    return await work();
  } finally {
    isFailing = false;
  }
}

test('an index failure keeps the canonical record and reports it with the id; repeating the request repairs it', async () => {
  const { json } = await whileFailing(() => test$.post(['Index later', 'Index later', { learning: '' }]));
  assert.equal(json.status, 'failure');
  assert.equal(json.failed_count, 3);
  assert.deepEqual(
    json.results.map(({ error }: { error: { code: string } }) => error.code),
    ['INDEXING_FAILED', 'INDEXING_FAILED', 'INVALID_ITEM'],
  );
  const { id } = json.results[0];
  assert.equal((await test$.list('search=index%20later'))[0].id, id, 'stored and exported');
  const [hit] = await test$.search('index later');
  assert.deepEqual([hit.id, hit.reasons.meaning], [id, null], 'found by its words meanwhile');
  const again = (await test$.post(['Index later'])).json.results[0];
  assert.deepEqual([again.status, again.id], ['duplicate', id]);
  assert.ok((await test$.search('index later'))[0].reasons.meaning > 0.9);
});

test('records that are indexed are not embedded again', async () => {
  const before = calls;
  assert.equal((await test$.post(['Index later'])).json.duplicate_count, 1);
  assert.equal(calls, before);
});

test('PATCH whose index refresh fails answers 503 with the text stored; the same request again repairs it', async () => {
  const id = await test$.create('Before the patch');
  assert.ok((await test$.search('before the patch'))[0].reasons.meaning > 0.9);
  const failed = await whileFailing(() => test$.patch(id, 'After the patch'));
  assert.deepEqual([failed.status, failed.json.errors[0].code], [503, 'INDEX_REFRESH_FAILED']);
  assert.ok(Number(failed.headers['retry-after']) >= 1);
  assert.equal((await test$.list('search=the%20patch'))[0].learning, 'After the patch');
  assert.equal(await embedderOf('After the patch'), null);
  const [meanwhile] = await test$.search('after the patch');
  assert.deepEqual(
    [meanwhile.id, meanwhile.reasons.meaning],
    [id, null],
    'the vectors of the old text count no more',
  );
  const repeated = await test$.patch(id, 'After the patch');
  assert.equal(repeated.status, 200);
  assert.equal(await embedderOf('After the patch'), 'model:one');
  assert.ok((await test$.search('after the patch'))[0].reasons.meaning > 0.9);
});

test('the schedule repairs what a crash or failure left, and skips what a request is still working on', async () => {
  await whileFailing(() => test$.post(['Left by a crash', 'Left by a failure']));
  await test$.runSchedule('learnings-index-repair');
  assert.equal(await embedderOf('Left by a crash'), null, 'its request may still be at work');
  test$.now = minutesLater(2);
  await test$.runSchedule('learnings-index-repair');
  assert.equal(await embedderOf('Left by a crash'), 'model:one');
  assert.equal(await embedderOf('Left by a failure'), 'model:one');
});

test('captured Learnings are indexed by the schedule', async () => {
  await test$.capture('Captured for the index');
  assert.equal(await embedderOf('Captured for the index'), null);
  await test$.runSchedule('learnings-index-repair');
  assert.equal(await embedderOf('Captured for the index'), 'model:one');
  assert.ok((await test$.search('captured for the index'))[0].reasons.meaning > 0.9);
});

test('texts that the model rejects do not keep others from being indexed, however many they are, and are tried again later', async () => {
  poison = 'poison';
  const texts = Array.from({ length: 40 }, (_, index) =>
    index % 4 === 0 ? `Step ${index} fine` : `Step ${index} poison`,
  );
  for (const text of texts) await test$.capture(text);
  await test$.runSchedule('learnings-index-repair');
  const [counted] = await sql`SELECT count(*) AS n FROM learnings WHERE embedder_id IS NULL`;
  assert.equal(counted!.n, 30);
  const before = calls;
  await test$.runSchedule('learnings-index-repair');
  assert.equal(calls, before, 'the model is not asked again at once');
  poison = undefined;
  test$.now = minutesLater(6);
  await test$.runSchedule('learnings-index-repair');
  const [rest] = await sql`SELECT count(*) AS n FROM learnings WHERE embedder_id IS NULL`;
  assert.equal(rest!.n, 0);
});

test('while the model is down the schedule gives up after a few tries', async () => {
  for (let index = 0; index < 40; index += 1) await test$.capture(`Waiting for the model ${index}`);
  const before = calls;
  await whileFailing(() => test$.runSchedule('learnings-index-repair'));
  assert.ok(calls - before <= 4, `${calls - before} calls`);
  await test$.runSchedule('learnings-index-repair');
  assert.equal(await embedderOf('Waiting for the model 7'), 'model:one');
});

test('vectors of a text that has changed since are not stored for the new one', async () => {
  const id = await test$.create('Overtaken text');
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const slow: Embedder = {
    ...sound,
    id: 'model:slow',
    async embed(texts, options) {
      await held;
      return sound.embed(texts, options);
    },
  };
  const deps = { database: test$.database, embedder: slow, clock: () => test$.now };
  const late = indexLearnings(deps, await storedLearnings([id]));
  await test$.patch(id, 'Overtaking text');
  release();
  await late;
  assert.equal(await embedderOf('Overtaking text'), 'model:one');
});

test('what cannot be embedded in time is left to the schedule, and finished vectors are kept', async () => {
  const { json } = await whileFailing(() =>
    test$.post([0, 1, 2].map((index) => `Long text ${index} ${'and so on '.repeat(980)}`)),
  );
  const ids: string[] = json.results.map(({ id }: { id: string }) => id);
  const abort = new AbortController();
  const embedder: Embedder = {
    ...sound,
    async embed(texts, options) {
      const embeddings = await sound.embed(texts, options);
      abort.abort();
      return embeddings;
    },
  };
  const deps = { database: test$.database, embedder, clock: () => test$.now };
  const { unindexed, hasFailed } = await indexLearnings(deps, await storedLearnings(ids), abort.signal);
  assert.equal(hasFailed, false, 'a machine that is too busy is not a failure');
  assert.equal(unindexed.size, 2, 'a long text makes a call of its own');
  const [counted] = await sql`
    SELECT count(*) AS n FROM learnings WHERE id = ANY(${ids}::uuid[]) AND embedder_id IS NOT NULL`;
  assert.equal(counted!.n, 1);
});

test('a batch that the model cannot finish is partly created, in order; only the rest must be repeated', async () => {
  const texts = Array.from({ length: 100 }, (_, index) =>
    `Advice ${index} ${'so it goes '.repeat(17)}`.trim(),
  );
  embedded.length = 0;
  callsLeft = 2;
  const { json } = await test$.post(texts);
  callsLeft = Number.POSITIVE_INFINITY;
  const done = embedded.reduce((sum, count) => sum + count, 0);
  assert.equal(embedded.length, 2);
  assert.ok(embedded[0]! <= 8, `${embedded[0]} texts in the first call`);
  assert.deepEqual(
    [json.status, json.created_count, json.failed_count],
    ['partial_success', done, 100 - done],
  );
  for (const [index, { status, id, error }] of json.results.entries()) {
    assert.deepEqual(
      [status, error?.code],
      index < done ? ['created', undefined] : ['failed', 'INDEXING_FAILED'],
    );
    assert.match(id, /^[0-9a-f-]{36}$/);
  }
  const again = (await test$.post(texts)).json;
  assert.deepEqual([again.status, again.duplicate_count], ['success', 100]);
});

test('with another model every Learning stays findable while the schedule embeds them again, without racing other nodes', async () => {
  const embedder = fragile(createDeterministicEmbedder({ id: 'model:two', dimensions: 512 }));
  const app = await createApp({
    ...createTestDeps(test$.target, () => []),
    database: test$.database,
    clock: () => test$.now,
    log: createLog('silent'),
    embedder,
    operatorToken: 'x'.repeat(20),
    settings: { metricsPerMinute: 60, apiKeyHeaderAliases: [] },
  });
  const search = async () => {
    await test$.resetLimits();
    const answer = await app.server.inject({
      method: 'POST',
      url: '/v1/learnings/search',
      headers: { 'x-service-api-key': test$.key, 'content-type': 'application/json' },
      payload: JSON.stringify({ repository_id: '501', query: 'captured for the index' }),
    });
    return answer.json().data[0];
  };
  const repair = app.schedules.find(({ name }) => name === 'learnings-index-repair')!;
  const { signal } = new AbortController();
  try {
    await test$.create('Embedded a moment ago');
    const old = await search();
    assert.deepEqual([old.learning, old.reasons.meaning], ['Captured for the index', null]);
    await repair.run(signal);
    assert.equal(
      await embedderOf('Embedded a moment ago'),
      'model:one',
      'not taken from another node at once',
    );
    test$.now = minutesLater(11);
    await repair.run(signal);
    assert.equal(await embedderOf('Embedded a moment ago'), 'model:two');
    assert.ok((await search()).reasons.meaning > 0.9);
    const [left] = await sql`SELECT count(*) AS n FROM learnings WHERE embedder_id <> 'model:two'`;
    assert.equal(left!.n, 0);
    const onOldNode = await test$.search('captured for the index');
    assert.deepEqual(
      [onOldNode[0].learning, onOldNode[0].reasons.meaning],
      ['Captured for the index', null],
      'a node with the former model still answers by words',
    );
  } finally {
    await app.close();
  }
});
