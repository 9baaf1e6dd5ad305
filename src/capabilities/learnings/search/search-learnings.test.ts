import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startLearnings } from '../../../../test/learnings-fixture.ts';
import { sampleKeys } from '../../../../test/sample-platform.ts';
import { createDeterministicEmbedder } from '../embedding/deterministic-embedder.ts';

let isFailing = false;
let embeddedQueries: string[] = [];
const words = createDeterministicEmbedder({ fails: () => isFailing, dimensions: 4096 });
const test$ = await startLearnings({
  embedder: {
    ...words,
    async embed(texts, options) {
      if (options.kind === 'query') embeddedQueries.push(...texts);
      return words.embed(texts, options);
    },
  },
});

const textsOf = (rows: { learning: string }[]) => rows.map(({ learning }) => learning);

test('a search returns the rows of the export, best first, each with its score and reasons', async () => {
  const id = await test$.create({
    learning: 'Close database connections in a finally block',
    file: 'src/db.ts',
  });
  await test$.create('Name database migrations by number');
  const found = await test$.search('close the database connections', { file: 'src/db.ts' });
  assert.equal(found[0].id, id);
  const { score, reasons, ...row } = found[0];
  assert.deepEqual(row, (await test$.list('search=finally'))[0]);
  assert.ok(score > found[1].score && score <= 1);
  assert.equal(reasons.scope, 'repository');
  assert.equal(reasons.file, 'exact');
  assert.ok(reasons.meaning > 0.5);
  assert.ok(reasons.words > 0 && reasons.words < 1, 'three words of two Learnings are not yet rare');
  assert.equal(found[1].reasons.file, 'any');
  assert.ok(found[1].reasons.words < reasons.words);
});

test('only Learnings of the repository are found', async () => {
  await test$.create({ learning: 'Paint bikeshed blue', repository_id: '502' });
  await test$.create('Paint bikeshed green');
  assert.deepEqual(textsOf(await test$.search('paint bikeshed')), ['Paint bikeshed green']);
  assert.deepEqual(textsOf(await test$.search('paint bikeshed', { repository_id: '502' })), [
    'Paint bikeshed blue',
  ]);
});

test('unrelated Learnings are not found', async () => {
  assert.deepEqual(await test$.search('zebra crossing'), []);
  isFailing = true;
  assert.deepEqual(await test$.search('the of and'), [], 'stop words are no match');
  isFailing = false;
});

test('with a file, Learnings for that file, its folders and all files are found, but not those for other files', async () => {
  const files = ['src/api/users.ts', 'src/api/', './src', 'src/api/users.tsx', 'src/ap', 'web/users.ts'];
  for (const [index, file] of files.entries()) {
    await test$.create({ learning: `Validate payloads early rule${index}`, file });
  }
  await test$.create('Validate payloads early rule9');
  const found = await test$.search('validate payloads early', { file: 'src/api/users.ts' });
  const fits = Object.fromEntries(found.map(({ file, reasons }) => [String(file), reasons.file]));
  assert.deepEqual(fits, {
    'src/api/users.ts': 'exact',
    'src/api/': 'folder',
    './src': 'folder',
    null: 'any',
  });
  assert.equal(found[0].file, 'src/api/users.ts', 'the file itself comes first');
  assert.equal((await test$.search('validate payloads early')).length, 7, 'without a file, all');
});

test('limit defaults to 10, and is at most 50', async () => {
  await test$.post(Array.from({ length: 60 }, (_, index) => `LoggedFailure advice number ${index}`));
  assert.equal((await test$.search('repeated advice number')).length, 10);
  assert.equal((await test$.search('repeated advice number', { limit: 50 })).length, 50);
});

test('invalid searches are rejected; an unknown, inactive or foreign repository is not found', async () => {
  const send = async (body: unknown, key = test$.key) => {
    await test$.resetLimits();
    const { status, json } = await test$.call('POST', '/v1/learnings/search', { key, body });
    return [status, json.errors?.[0]?.code];
  };
  for (const body of [
    {},
    { repository_id: '501' },
    { repository_id: '501', query: '' },
    { repository_id: '501', query: '  ' },
    { repository_id: '501', query: 'x'.repeat(10_001) },
    { repository_id: '501', query: 'x', limit: 51 },
    { repository_id: '501', query: 'x', limit: 0 },
    { repository_id: '501', query: 'x', limit: '5' },
    { repository_id: '501', query: 'x', file: '' },
    { repository_id: '501', query: 'x', pull_request: 0 },
    { repository_id: '501', query: 'x\0' },
    { repository_id: '501', query: 'x', more: 1 },
    { repository_id: 501, query: 'x' },
  ]) {
    assert.deepEqual(await send(body), [400, 'INVALID_REQUEST'], JSON.stringify(body).slice(0, 80));
  }
  assert.deepEqual(await send({ repository_id: '999', query: 'x' }), [404, 'NOT_FOUND']);
  const agentic = await test$.createKey(sampleKeys.agentic);
  assert.deepEqual(await send({ repository_id: '501', query: 'x' }, agentic), [403, 'KEY_TYPE_FORBIDDEN']);
  const other = await test$.createKey({ ...sampleKeys.organization, org_id: '1002' });
  const { json } = await test$.call('POST', '/v1/learnings/search', {
    key: other,
    body: { repository_id: '501', query: 'paint bikeshed' },
  });
  assert.deepEqual(json.data, [], 'another tenant finds nothing of it');
});

test('unusual queries of any kind are answered', async () => {
  const odd = [
    "it's a 'quoted' \\ back\\slash & | ! ( ) :* <-> query",
    'x'.repeat(10_000),
    '<b>not & html</b>',
    '日本語のテスト',
    Array.from({ length: 1500 }, (_, index) => `word${index}`).join(' '),
    '!!!',
    'a/b/c.ts user@example.test https://example.test/x?y=z 1.5e10 -7',
  ];
  for (const query of odd) await test$.search(query.slice(0, 10_000));
  await test$.create("Don't use back\\slash & 'quotes' in paths");
  const found = await test$.search("back\\slash 'quotes'");
  assert.match(found[0].learning, /back\\slash/);
});

test('a workspace token searches every organization that has the repository, or the one it names', async () => {
  const other = await test$.createKey({ ...sampleKeys.organization, org_id: '1002' });
  await test$.call('POST', '/v1/learnings', {
    key: other,
    body: { data: [{ repository_id: '501', learning: 'Paint bikeshed red' }] },
  });
  const key = await test$.createKey(sampleKeys.workspace);
  const search = async (fields: Record<string, unknown>) => {
    const body = { repository_id: '501', query: 'paint bikeshed', ...fields };
    return (await test$.call('POST', '/v1/learnings/search', { key, body })).json.data;
  };
  const both = await search({});
  assert.deepEqual(both.map((row: { organization_id: string }) => row.organization_id).sort(), [
    '1001',
    '1002',
  ]);
  assert.deepEqual(textsOf(await search({ org_id: '1002' })), ['Paint bikeshed red']);
  const instance = await test$.createKey(sampleKeys.instance);
  const none = await test$.call('POST', '/v1/learnings/search', {
    key: instance,
    body: { repository_id: '501', query: 'paint bikeshed', organization_ids: ['2002'] },
  });
  assert.deepEqual([none.status, none.json.data], [200, []]);
});

test('a change on one node is seen by the next search on another: created, patched, deleted', async () => {
  const node = await test$.secondNode();
  const seen = async () => textsOf(await test$.search('walrus tusk', {}, node));
  assert.deepEqual(await seen(), []);
  const id = await test$.create('Walrus tusk length matters');
  assert.deepEqual(await seen(), ['Walrus tusk length matters']);
  await test$.patch(id, 'Walrus tusk height matters');
  assert.deepEqual(await seen(), ['Walrus tusk height matters']);
  const [hit] = await test$.search('height matters', {}, node);
  assert.ok(hit.reasons.meaning > 0.6, 'compared by the vectors of the new text');
  await test$.patch(id, 'Something else entirely');
  assert.deepEqual(await seen(), []);
  await test$.patch(id, 'Walrus tusk again');
  assert.deepEqual(await seen(), ['Walrus tusk again']);
  await test$.remove(id);
  assert.deepEqual(await seen(), []);
});

test('a Learning that the database no longer has does not displace the next best', async () => {
  const node = await test$.secondNode();
  const { results } = (
    await test$.post(['Penguin one walks', 'Penguin one walks fast', 'Penguin one walks very slow today'])
  ).json;
  const [best] = await test$.search('penguin one walks', { limit: 1 }, node);
  assert.equal(best.id, results[0].id);
  await test$.remove(results[0].id);
  await test$.remove(results[1].id);
  const [next] = await test$.search('penguin one walks', { limit: 1 }, node);
  assert.equal(next.id, results[2].id);
});

test('when the query cannot be embedded, results are by words alone', async () => {
  isFailing = true;
  const found = await test$.search('paint bikeshed');
  isFailing = false;
  assert.deepEqual(textsOf(found), ['Paint bikeshed green']);
  assert.equal(found[0].reasons.meaning, null);
  assert.ok(found[0].score > 0 && found[0].score < 0.7, 'not above what is like in meaning, too');
});

test('a rare name, or a part of it, outweighs words that many Learnings share', async () => {
  const shared = ['file', 'path', 'stream', 'buffer', 'socket', 'pipe'];
  await test$.post([
    ...shared.map((what) => `When a function reads the data of a ${what} it returns the error to the caller`),
    'Accept io.Reader, not concrete types',
    'Call parseWholeBody before the handler',
  ]);
  isFailing = true;
  const first = async (query: string) => textsOf(await test$.search(query))[0];
  assert.equal(
    await first('func read(from io.Reader) error { return caller(from) }'),
    'Accept io.Reader, not concrete types',
  );
  assert.equal(await first('the error of a whole body'), 'Call parseWholeBody before the handler');
  isFailing = false;
});

test('credentials in a query do not reach the model', async () => {
  embeddedQueries = [];
  const secret = `ghp_${'aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5'}`;
  await test$.search(`paint bikeshed with ${secret}`);
  assert.deepEqual(embeddedQueries, ['paint bikeshed with [REDACTED]']);
});

test('export and search share a limit of 60 reads per minute', async () => {
  await test$.resetLimits();
  const body = { repository_id: '501', query: 'zebra' };
  const user = await test$.createKey(sampleKeys.user);
  for (let index = 0; index < 30; index += 1) {
    assert.equal((await test$.get('/v1/learnings?limit=1', user)).status, 200);
    assert.equal((await test$.call('POST', '/v1/learnings/search', { key: test$.key, body })).status, 200);
  }
  const refused = await test$.get('/v1/learnings?limit=1', test$.key);
  assert.deepEqual([refused.status, refused.json.errors[0].code], [429, 'RATE_LIMIT_EXCEEDED']);
});
