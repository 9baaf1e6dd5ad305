import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { startLearnings } from '../../../../test/learnings-fixture.ts';
import fc from '../../../../test/properties.ts';
import { organization, sampleKeys } from '../../../../test/sample-platform.ts';
import { exportFields } from './export-rows.ts';

const test$ = await startLearnings();
const start = test$.now;
const hourMs = 3_600_000;

const at = (time: Date) => {
  test$.now = time;
};

async function getAll(path: string, key = test$.key, nextOf = (limit: number) => limit, limit = 3) {
  const rows: { id: string; learning: string }[] = [];
  const cursors = new Set<string>();
  for (let cursor = ''; ; ) {
    await test$.resetLimits();
    const answer = await test$.get(`${path}&limit=${nextOf(limit)}${cursor}`, key);
    assert.equal(answer.status, 200, answer.text);
    rows.push(...answer.json.data);
    const next = answer.json.next_cursor;
    if (next === null) return rows;
    assert.ok(!cursors.has(next), 'a cursor is never repeated');
    cursors.add(next);
    cursor = `&cursor=${encodeURIComponent(next)}`;
  }
}

await test$.post([
  { learning: 'Alpha 100% sure', file: 'src/a.ts' },
  { learning: 'Beta under_score', file: 'src/b.ts' },
  { learning: 'Gamma \\ ÄÖÜ', repository_id: '502' },
]);
at(new Date(start.getTime() + hourMs));
await test$.post(['Delta', 'Epsilon, "quoted"\r\nnext line']);
at(start);

test('without filters all shared and approved Learnings are listed, oldest first', async () => {
  const rows = await test$.list();
  assert.equal(rows.length, 5);
  assert.deepEqual(Object.keys(rows[0]), [...exportFields]);
  assert.deepEqual(
    rows.map(({ created_at }) => created_at),
    rows.map(({ created_at }) => created_at).sort(),
  );
});

const textsOf = (rows: { learning: string }[]) =>
  rows.map(({ learning }) => learning.split(/[ ,]/)[0]).sort();

const selections: [string, string, string[]][] = [
  ['repository_ids', 'repository_ids=502', ['Gamma']],
  ['several repository_ids', 'repository_ids=502,999', ['Gamma']],
  ['search in any case of letters', 'search=aLPHA', ['Alpha']],
  ['search beyond ASCII', `search=${encodeURIComponent('äöü')}`, ['Gamma']],
  ['search with % taken literally', 'search=0%25%20s', ['Alpha']],
  ['search with _ taken literally', 'search=r_s', ['Beta']],
  ['search with \\ taken literally', 'search=%5C', ['Gamma']],
  ['search that matches nothing', 'search=zeta', []],
  ['one exact file', 'file=src/a.ts', ['Alpha']],
  ['several files', 'file=src/a.ts&file=src/b.ts', ['Alpha', 'Beta']],
  ['a part of a file name', 'file=src', []],
  ['user_ids', 'user_ids=9001', ['Alpha', 'Beta', 'Delta', 'Epsilon', 'Gamma']],
  ['foreign user_ids', 'user_ids=9002', []],
  ['filters together', 'repository_ids=501&search=ta&user_ids=9001', ['Beta', 'Delta']],
];

for (const [name, parameters, expected] of selections) {
  test(`selects by ${name}`, async () => {
    assert.deepEqual(textsOf(await test$.list(parameters)), expected);
  });
}

test('invalid parameters are rejected with the name of the parameter', async () => {
  const eleven = Array.from({ length: 11 }, (_, index) => index);
  for (const parameters of [
    `repository_ids=${eleven.join(',')}`,
    `user_ids=${eleven.join(',')}`,
    'repository_ids=1,,2',
    'search=',
    `search=${'x'.repeat(201)}`,
    'search=a&search=b',
    eleven.map((index) => `file=${index}`).join('&'),
    'file=',
    'stat_filter=used',
    'format=xml',
    'limit=0',
    'limit=1001',
    'limit=1e2',
    'cursor=nonsense',
    'organization_ids=1001',
    'status=all',
  ]) {
    await test$.resetLimits();
    const answer = await test$.get(`/v1/learnings?${parameters}`, test$.key);
    assert.equal(answer.status, 400, parameters);
    assert.equal(answer.json.errors[0].code, 'INVALID_REQUEST');
    const name = parameters.split('=', 1)[0]!;
    assert.match(answer.json.errors[0].message, new RegExp(name), parameters);
  }
  assert.equal(
    (
      await test$.list(
        eleven
          .slice(1)
          .map((index) => `file=${index}`)
          .join('&'),
      )
    ).length,
    0,
  );
});

test('any sequence of page sizes returns the whole selection once, in order', async () => {
  const texts = Array.from({ length: 30 }, (_, index) => ({
    learning: `Page ${index}`,
    repository_id: '502',
  }));
  for (let step = 0; step < 3; step += 1) {
    at(new Date(start.getTime() + step * 1000));
    await test$.post(texts.slice(step * 10, step * 10 + 10));
  }
  at(start);
  // Finer than a Date: rows that another tool imported.
  await test$.database.sql`
    UPDATE learnings SET created_at = created_at + interval '1 microsecond' * get_byte(content_hash, 0) WHERE learning LIKE 'Page 2%'`;
  const whole = (await test$.list('search=page')).map(({ id }) => id);
  assert.equal(whole.length, 30);
  await fc.assert(
    fc.asyncProperty(fc.infiniteStream(fc.integer({ min: 1, max: 12 })), async (sizes) => {
      const rows = await getAll('/v1/learnings?search=page', test$.key, () => sizes.next().value!);
      assert.deepEqual(
        rows.map(({ id }) => id),
        whole,
      );
    }),
    { numRuns: 10 },
  );
});

test('a workspace token reads all its organizations page by page, or the named one; an instance key reads its own', async () => {
  for (const org_id of ['1002', '2001', '2002', '2003', '3001']) {
    const instance = org_id.startsWith('2') ? 'ghe' : null;
    const key = await test$.createKey({ ...sampleKeys.organization, org_id, instance });
    const data = ['one', 'two'].map((text) => ({
      repository_id: '501',
      learning: `Tenant ${org_id} ${text}`,
    }));
    assert.equal((await test$.call('POST', '/v1/learnings', { key, body: { data } })).json.created_count, 2);
  }
  await test$.post(['Tenant 1001 one', 'Tenant 1001 two']);
  const workspace = await test$.createKey(sampleKeys.workspace);
  const instance = await test$.createKey(sampleKeys.instance);
  const seen = async (parameters: string, key: string, limit = 1) =>
    (await getAll(`/v1/learnings?search=tenant${parameters}`, key, undefined, limit))
      .map(({ learning }) => learning.split(' ')[1])
      .sort();
  assert.deepEqual(await seen('', workspace), ['1001', '1001', '1002', '1002']);
  assert.deepEqual(await seen('', workspace, 3), ['1001', '1001', '1002', '1002']);
  assert.deepEqual(await seen('&org_id=1002', workspace), ['1002', '1002']);
  assert.deepEqual(await seen('', instance), ['2001', '2001', '2002', '2002']);
  assert.deepEqual(await seen('&organization_ids=2002,9999', instance), ['2002', '2002']);
  assert.deepEqual(await seen('&org_id=1002', test$.key), ['1001', '1001'], 'ignored by an organization key');
  const forbidden = await test$.get('/v1/learnings?organization_ids=2003', instance);
  assert.deepEqual([forbidden.status, forbidden.json.errors[0].code], [403, 'ORGANIZATION_FORBIDDEN']);
  const legacy = await test$.get('/v1/learnings', await test$.createKey(sampleKeys.legacy));
  assert.deepEqual([legacy.status, legacy.headers.deprecation], [200, 'true']);
});

test('a cursor works on another node and for another key of the scope, but not with other filters', async () => {
  const { json } = await test$.get('/v1/learnings?limit=2&search=page', test$.key);
  const cursor = encodeURIComponent(json.next_cursor);
  const node = await test$.secondNode();
  const other = await test$.createKey({ ...sampleKeys.user, owner: '9002' });
  const next = await node.get(`/v1/learnings?limit=5&search=page&cursor=${cursor}`, other);
  assert.equal(next.json.data.length, 5);
  const workspace = await test$.createKey(sampleKeys.workspace);
  for (const [parameters, key] of [
    ['search=alpha', test$.key],
    ['search=page&stat_filter=active', test$.key],
    ['search=page', workspace],
  ] as const) {
    const refused = await test$.get(`/v1/learnings?${parameters}&cursor=${cursor}`, key);
    assert.equal(refused.status, 400, parameters);
  }
});

test('repository_name needs a user key whose user can read that repository; anything else is not found', async () => {
  await test$.resetLimits();
  await test$.platform({
    organizations: [
      organization({
        provider_organization_id: '1001',
        workspace: 'acme',
        repositories: [
          { provider_repository_id: '504', name: 'vault', readers: ['9001'] },
          { provider_repository_id: '505', name: 'closed', active: false },
        ],
      }),
    ],
  });
  await test$.post([{ repository_id: '504', learning: 'CachedIndex in the vault' }]);
  const alice = await test$.createKey(sampleKeys.user);
  const bob = await test$.createKey({ ...sampleKeys.user, owner: '9002' });
  const read = async (name: string, key: string) => {
    await test$.resetLimits();
    const { status, json } = await test$.get(`/v1/learnings?repository_name=${name}&search=vault`, key);
    return [status, json.errors?.[0]?.code ?? json.data.length];
  };
  assert.deepEqual(await read('vault', alice), [200, 1]);
  assert.deepEqual(await read('api', alice), [200, 0]);
  assert.deepEqual(await read('api', bob), [200, 0], 'every member reads an open repository');
  assert.deepEqual(await read('vault', bob), [404, 'NOT_FOUND'], 'no reader of it');
  assert.deepEqual(await read('unheard-of', alice), [404, 'NOT_FOUND']);
  assert.deepEqual(await read('closed', alice), [404, 'NOT_FOUND']);
  for (const kind of ['organization', 'workspace', 'instance', 'legacy', 'agentic'] as const) {
    const key = await test$.createKey(sampleKeys[kind]);
    for (const more of ['', '&org_id=1001']) {
      assert.deepEqual(await read(`api${more}`, key), [403, 'KEY_TYPE_FORBIDDEN'], `${kind}${more}`);
    }
  }
});

test('the CSV has the fields of the JSON in order, survives a round trip, and escapes formulas', async () => {
  await test$.post([
    {
      learning: '=HYPERLINK("https://evil.test")',
      repository_id: '502',
      file: '-cmd',
      source_url: 'https://a.test',
    },
    { learning: '＝full width', repository_id: '502' },
    { learning: '@sum, "and" more\nlines', repository_id: '502' },
  ]);
  const answer = await test$.get('/v1/learnings?format=csv&repository_ids=502', test$.key);
  assert.match(answer.headers['content-type']!, /^text\/csv/);
  const [header, ...records] = parse(answer.text) as string[][];
  assert.deepEqual(header, [...exportFields]);
  const rows = await test$.list('repository_ids=502');
  assert.equal(records.length, rows.length);
  const isFormula = (text: string) => /^[=+\-@\t\r＝＋－＠]/.test(text);
  for (const [index, record] of records.entries()) {
    for (const [column, name] of exportFields.entries()) {
      const value = rows[index][name] === null ? '' : String(rows[index][name]);
      assert.equal(record[column], isFormula(value) ? `'${value}` : value);
      assert.ok(!isFormula(record[column]!));
    }
  }
});

test('CSV pages carry the next cursor in x-next-cursor and Link', async () => {
  await test$.resetLimits();
  const first = await test$.get('/v1/learnings?format=csv&search=page&limit=20', test$.key);
  const link = /^<([^>]+)>; rel="next"$/.exec(first.headers.link!)![1]!;
  assert.equal(new URL(link, 'http://x').searchParams.get('cursor'), first.headers['x-next-cursor']);
  const second = await test$.get(link, test$.key);
  assert.equal((parse(second.text) as string[][]).length, 11);
  assert.equal(second.headers['x-next-cursor'], undefined);
  assert.equal(second.headers.link, undefined);
});

test('a page of exactly 16 MiB is sent and one byte more is rejected', async () => {
  const whole = 16 * 1024 * 1024;
  const page = '/v1/learnings?search=size';
  const id = await test$.create({ learning: 'Size', repository_id: '502' });
  // Control characters take six bytes in JSON; 300 of these rows stay a little below the limit.
  await test$.database.sql`
    INSERT INTO learnings (organization_id, id, repository_id, learning, content_hash, author_id, origin, visibility,
      pull_requests, approval, redactor_version, created_at, updated_at, usage_count, index_due_at, index_version)
    SELECT organization_id, gen_random_uuid(), repository_id, 'Size ' || repeat(chr(1), 9200) || n, sha256(n::text::bytea),
      author_id, origin, visibility, pull_requests, approval, redactor_version, created_at, updated_at, 0, index_due_at, 1
    FROM learnings, generate_series(1, 300) AS n WHERE id = ${id}`;
  const fill = (characters: number) =>
    test$.database
      .sql`UPDATE learnings SET learning = 'Size' || repeat('x', ${characters}::int) WHERE id = ${id}`;
  const missing = whole - Buffer.byteLength((await test$.get(page, test$.key)).text);
  assert.ok(missing > 0);
  await fill(missing);
  const exact = await test$.get(page, test$.key);
  assert.equal(exact.status, 200);
  assert.equal(Buffer.byteLength(exact.text), whole);
  assert.equal(
    exact.text,
    JSON.stringify(exact.json),
    'the text that PostgreSQL writes is the one JSON.stringify does',
  );
  await fill(missing + 1);
  const over = await test$.get(page, test$.key);
  assert.deepEqual([over.status, over.json.errors[0].code], [413, 'RESPONSE_TOO_LARGE']);
  assert.equal((await test$.get(`${page}&limit=100`, test$.key)).status, 200, 'a smaller limit helps');
  assert.equal((await test$.get(`${page}&format=csv`, test$.key)).status, 200, 'the CSV is smaller');
});
