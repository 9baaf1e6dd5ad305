import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startLearnings } from '../../../../test/learnings-fixture.ts';
import { member, organization, sampleKeys } from '../../../../test/sample-platform.ts';

const test$ = await startLearnings();

test('a batch answers in the order of its items, with counts and an overall status', async () => {
  const { json } = await test$.post([
    {
      learning: '  Name tests after what they guarantee \n',
      file: 'test/a.ts',
      source_url: 'https://a.test/1',
    },
    { learning: 'Another', repository_id: '502' },
    { learning: 'Elsewhere', repository_id: '999' },
    'Name tests after what they guarantee',
  ]);
  assert.deepEqual(
    json.results.map(({ index, status }: { index: number; status: string }) => [index, status]),
    [
      [0, 'created'],
      [1, 'created'],
      [2, 'failed'],
      [3, 'duplicate'],
    ],
  );
  assert.equal(json.status, 'partial_success');
  assert.deepEqual([json.created_count, json.duplicate_count, json.failed_count], [2, 1, 1]);
  assert.equal(json.results[3].id, json.results[0].id);
  assert.deepEqual(json.results[2].error.code, 'REPOSITORY_NOT_FOUND');
  assert.equal(json.results[2].id, null);
  assert.ok(!('error' in json.results[0]));
  const [row] = await test$.list('file=test/a.ts');
  assert.deepEqual(row, {
    id: json.results[0].id,
    learning: 'Name tests after what they guarantee',
    repository_name: 'api',
    author_username: 'user-9001',
    created_at: test$.now.toISOString(),
    updated_at: test$.now.toISOString(),
    usage_count: 0,
    organization_id: '1001',
    organization_name: 'org-1001',
    repository_id: '501',
    author_id: '9001',
    file: 'test/a.ts',
    source_url: 'https://a.test/1',
    last_used_at: null,
  });
});

test('the overall status is success without failures and failure when all fail', async () => {
  assert.equal((await test$.post(['All is well'])).json.status, 'success');
  assert.equal((await test$.post(['All is well'])).json.status, 'success', 'duplicates are not failures');
  assert.equal((await test$.post([{ learning: '' }, { learning: 3 }])).json.status, 'failure');
});

test('the id is a UUID v5 that is the same for the same text, and another in another repository or organization', async () => {
  const item = { learning: 'Prefer early returns' };
  const first = (await test$.post([item])).json.results[0].id;
  assert.match(first, /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.equal((await test$.remove(first)).status, 204);
  const again = (await test$.post([item])).json.results[0];
  assert.deepEqual([again.status, again.id], ['created', first]);
  const elsewhere = (await test$.post([{ ...item, repository_id: '502' }])).json.results[0];
  assert.equal(elsewhere.status, 'created');
  assert.notEqual(elsewhere.id, first);
  const key = await test$.createKey({ ...sampleKeys.organization, org_id: '1002' });
  const foreign = await test$.call('POST', '/v1/learnings', {
    key,
    body: { data: [{ ...item, repository_id: '501' }] },
  });
  assert.equal(foreign.json.results[0].status, 'created');
  assert.notEqual(foreign.json.results[0].id, first);
});

const faults: Record<string, [unknown, RegExp]> = {
  'no object': [17, /data\[0\]/],
  null: [null, /data\[0\]/],
  'a list': [[], /data\[0\]/],
  'no repository': [{ learning: 'a' }, /repository_id/],
  'a number as repository': [{ repository_id: 501, learning: 'a' }, /repository_id/],
  'no text': [{ repository_id: '501' }, /learning/],
  'a text that is blank': [{ repository_id: '501', learning: ' \n\t ' }, /learning: must not be empty/],
  'a text of 10,001 characters': [{ repository_id: '501', learning: 'é'.repeat(10_001) }, /10000 characters/],
  'a text with NUL': [{ repository_id: '501', learning: 'a\0b' }, /learning/],
  'a text with half a surrogate pair': [{ repository_id: '501', learning: 'a\ud800b' }, /learning/],
  'a repository with NUL': [{ repository_id: '5\u00001', learning: 'a' }, /repository_id/],
  'an unknown field': [{ repository_id: '501', learning: 'a', author: 'x' }, /author: unknown field/],
  'its own org_id': [{ repository_id: '501', learning: 'a', org_id: '1001' }, /org_id: unknown field/],
  'an empty file': [{ repository_id: '501', learning: 'a', file: '' }, /file/],
  'a file of null': [{ repository_id: '501', learning: 'a', file: null }, /file/],
  'a file of 1,025 characters': [{ repository_id: '501', learning: 'a', file: 'f'.repeat(1025) }, /file/],
  'a file with NUL': [{ repository_id: '501', learning: 'a', file: '\0' }, /file/],
  'a URL that is none': [{ repository_id: '501', learning: 'a', source_url: 'here' }, /source_url/],
  'a URL of another kind': [
    { repository_id: '501', learning: 'a', source_url: 'ftp://a.test' },
    /source_url/,
  ],
  'a URL with a space': [
    { repository_id: '501', learning: 'a', source_url: 'https://a.test/ b' },
    /source_url/,
  ],
  'a URL of 2,049 characters': [
    { repository_id: '501', learning: 'a', source_url: `https://a.test/${'x'.repeat(2034)}` },
    /source_url/,
  ],
};

for (const [name, [item, message]] of Object.entries(faults)) {
  test(`an item with ${name} is INVALID_ITEM and the others are stored`, async () => {
    await test$.resetLimits();
    const good = { repository_id: '502', learning: `beside ${name}` };
    const { status, json, text } = await test$.call('POST', '/v1/learnings', {
      key: test$.key,
      body: { data: [item, good] },
    });
    assert.equal(status, 200, text);
    assert.equal(json.results[0].status, 'failed');
    assert.equal(json.results[0].error.code, 'INVALID_ITEM');
    assert.match(json.results[0].error.message, message);
    assert.equal(json.results[1].status, 'created');
  });
}

test('the longest text, file and URL are accepted, counted in characters after trimming', async () => {
  const { json } = await test$.post([
    {
      learning: `  ${'😀'.repeat(10_000)}  `,
      file: 'ä'.repeat(1024),
      source_url: `https://a.test/${'x'.repeat(2033)}`,
    },
  ]);
  assert.equal(json.results[0].status, 'created', json.results[0].error?.message);
});

test('an invalid item has an id wherever one can be derived from repository and text', async () => {
  const id = (await test$.post(['Derivable'])).json.results[0].id;
  const { results } = (
    await test$.post([
      { learning: 'Derivable', file: 5 },
      { learning: 'Never stored', extra: 1 },
      { learning: 'Never stored', file: '\0' },
      { learning: 'Derivable', repository_id: '999', file: 5 },
      { learning: '', file: 'x' },
    ])
  ).json;
  assert.deepEqual(
    results.map((result: { id: string | null }) => result.id === null),
    [false, false, false, true, true],
  );
  assert.equal(results[0].id, id);
  assert.equal(results[1].id, results[2].id);
  assert.equal((await test$.create('Never stored')) as string, results[1].id);
});

test('an invalid item whose text another Learning has left has the id that a valid one would get', async () => {
  const idOfInvalid = async () => (await test$.post([{ learning: 'Left', file: 5 }])).json.results[0].id;
  const ids = [await test$.create('Left')];
  for (const text of ['Gone on', 'Gone on, too']) {
    await test$.patch(ids.at(-1)!, text);
    const id = await idOfInvalid();
    assert.ok(!ids.includes(id), `${id} is the id of another Learning`);
    ids.push(await test$.create('Left'));
    assert.equal(id, ids.at(-1));
    assert.equal(await idOfInvalid(), id);
  }
});

test('an item that is first sent invalid is created by its second, valid appearance', async () => {
  const { results } = (await test$.post([{ learning: 'Twice', file: 5 }, 'Twice'])).json;
  assert.deepEqual([results[0].status, results[1].status], ['failed', 'created']);
});

test('the batch has 1 to 100 items, no other fields, and at most 8 MiB', async () => {
  const send = async (body: unknown) => {
    await test$.resetLimits();
    return test$.call('POST', '/v1/learnings', { key: test$.key, body });
  };
  const item = (index: number) => ({ repository_id: '501', learning: `item ${index}` });
  const items = (count: number) => Array.from({ length: count }, (_, index) => item(index));
  for (const body of [{}, { data: [] }, { data: items(101) }, { data: items(1), x: 1 }, { data: {} }, []]) {
    const answer = await send(body);
    assert.equal(answer.status, 400, JSON.stringify(body).slice(0, 80));
    assert.equal(answer.json.errors[0].code, 'INVALID_REQUEST');
  }
  assert.equal((await send({ data: items(100) })).json.created_count, 100);
  const long = Array.from({ length: 100 }, (_, index) => ({ ...item(index), learning: 'x'.repeat(70_000) }));
  const large = await send({ data: long });
  assert.equal(large.json.failed_count, 100, 'some 7 MB are read, and rejected item by item');
  const tooLarge = await send(' '.repeat(8 * 1024 * 1024 + 1));
  assert.deepEqual([tooLarge.status, tooLarge.json.errors[0].code], [413, 'PAYLOAD_TOO_LARGE']);
  const wrongType = await test$.call('POST', '/v1/learnings', {
    key: test$.key,
    body: '{}',
    headers: { 'content-type': 'text/plain' },
  });
  assert.equal(wrongType.status, 415);
});

test('several faults in a request are separate errors', async () => {
  await test$.resetLimits();
  const answer = await test$.call('POST', '/v1/learnings?a=1', { key: test$.key, body: { data: [], b: 1 } });
  assert.equal(answer.status, 400);
  assert.equal(answer.json.errors.length, 3);
});

test('an inactive repository is not found', async () => {
  await test$.platform({
    organizations: [
      organization({
        provider_organization_id: '1001',
        workspace: 'acme',
        repositories: [{ provider_repository_id: '503', name: 'old', active: false }],
      }),
    ],
  });
  const { results } = (await test$.post([{ repository_id: '503', learning: 'x' }])).json;
  assert.equal(results[0].error.code, 'REPOSITORY_NOT_FOUND');
});

test('the author is the owner of the key, of whatever kind', async () => {
  const key = await test$.createKey({ ...sampleKeys.user, owner: '9002' });
  await test$.call('POST', '/v1/learnings', {
    key,
    body: { data: [{ repository_id: '501', learning: 'By a member' }] },
  });
  const [row] = await test$.list('search=by%20a%20MEMBER');
  assert.deepEqual([row.author_id, row.author_username], ['9002', 'user-9002']);
});

test("a workspace token names its organization; the author is the owner's account there, or the person", async () => {
  await test$.platform({
    workspaces: [{ slug: 'acme', admins: ['user-9001@acme.test', 'root@acme.test'] }],
    organizations: [
      organization({
        provider_organization_id: '1002',
        workspace: 'acme',
        members: [member('9001', { username: 'alice', role: 'cr_admin' })],
      }),
    ],
  });
  const post = async (owner: string, body: Record<string, unknown>, query = '') => {
    const key = await test$.createKey({ ...sampleKeys.workspace, owner });
    const data = [{ repository_id: '501', learning: `From ${owner}` }];
    return test$.call('POST', `/v1/learnings${query}`, { key, body: { data, ...body } });
  };
  assert.equal((await post('user-9001@acme.test', {})).json.errors[0].code, 'ORG_ID_REQUIRED');
  assert.equal((await post('user-9001@acme.test', {}, '?org_id=1002')).status, 400);
  assert.equal((await post('user-9001@acme.test', { org_id: '3001' })).status, 404);
  assert.equal((await post('user-9001@acme.test', { org_id: '1002' })).json.created_count, 1);
  assert.equal((await post('root@acme.test', { org_id: '1002' })).json.created_count, 1);
  const reader = await test$.createKey({ ...sampleKeys.organization, org_id: '1002' });
  const rows = (await test$.get('/v1/learnings?search=From', reader)).json.data;
  const byText = new Map<string, { author_id: string; author_username: string }>(
    rows.map((row: { learning: string }) => [row.learning, row]),
  );
  assert.equal(byText.get('From user-9001@acme.test')!.author_id, '9001');
  assert.equal(byText.get('From user-9001@acme.test')!.author_username, 'alice');
  const [person] = await test$.database.sql`SELECT id FROM people WHERE email = 'root@acme.test'`;
  assert.equal(byText.get('From root@acme.test')!.author_id, person!.id);
  assert.equal(byText.get('From root@acme.test')!.author_username, 'root@acme.test');
});

test('create, update and delete share 10 requests a minute per organization, workspace tokens among them', async () => {
  await test$.resetLimits();
  const workspace = await test$.createKey(sampleKeys.workspace);
  const user = await test$.createKey({ ...sampleKeys.user, owner: '9002' });
  const nowhere = '/v1/learnings/00000000-0000-5000-8000-000000000001';
  const item = { data: [{ repository_id: '501', learning: 'counted' }] };
  for (let round = 0; round < 3; round += 1) {
    assert.equal((await test$.call('POST', '/v1/learnings', { key: test$.key, body: item })).status, 200);
    assert.equal((await test$.call('PATCH', nowhere, { key: user, body: { learning: 'x' } })).status, 404);
    const deleted = await test$.call('DELETE', `${nowhere}?org_id=1001`, { key: workspace });
    assert.equal(deleted.status, 204);
  }
  const unnamed = await test$.call('POST', '/v1/learnings', { key: workspace, body: item });
  assert.equal(unnamed.status, 400, 'rejected before its organization is known, so it costs nothing');
  const tenth = await test$.call('POST', '/v1/learnings', {
    key: workspace,
    body: { ...item, org_id: '1001' },
  });
  assert.deepEqual([tenth.status, tenth.headers['x-ratelimit-remaining']], [200, '0']);
  for (const [key, extra] of [
    [workspace, { org_id: '1001' }],
    [test$.key, {}],
  ] as const) {
    const refused = await test$.call('POST', '/v1/learnings', { key, body: { ...item, ...extra } });
    assert.deepEqual([refused.status, refused.json.errors[0].code], [429, 'RATE_LIMIT_EXCEEDED']);
    assert.ok(Number(refused.headers['retry-after']) >= 1);
  }
  const other = await test$.call('POST', '/v1/learnings', {
    key: workspace,
    body: { ...item, org_id: '1002' },
  });
  assert.equal(other.status, 200, 'another organization has its own quota');
});
