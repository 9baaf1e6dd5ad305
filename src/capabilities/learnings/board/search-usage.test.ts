import assert from 'node:assert/strict';
import { test } from 'node:test';
import { citeLearnings } from '../../../../test/citing-findings.ts';
import { startLearnings } from '../../../../test/learnings-fixture.ts';
import { signInAs } from '../../../../test/session.ts';
import { noteMissingFiles } from '../upkeep/note-missing-files.ts';

const server = await startLearnings();
const dayMs = 86_400_000;
const session = await signInAs(server, 'user-9001@acme.test');
const [{ id: organizationId }] = (await server.database
  .sql`SELECT id FROM organizations WHERE provider_organization_id = '1001'`) as unknown as [{ id: string }];
const old = await server.create('Old and never used');
const busy = await server.create('Used and followed');
const doubted = await server.create({ learning: 'Used and contradicted', repository_id: '502' });
const longAgo = new Date(server.now.getTime() - 120 * dayMs);
await server.database.sql`UPDATE learnings SET created_at = ${longAgo}`;
await server.event('postil.learning_used', { learning_id: busy });
await server.event('postil.learning_used', { learning_id: busy });
await server.event('postil.learning_used', { learning_id: doubted });
const fresh = await server.create('Created today');

const repository = await server.repository('501');
for (const [cited, accepted] of [
  [[busy, doubted], true],
  [[doubted, 'no uuid'], false],
  [[old], null],
] as const)
  await citeLearnings(server, repository, cited, accepted);

const get = (path: string) => session.call('GET', `/dashboard/v1/learnings/${path}`);
const scope = `scope=organization:${organizationId}`;
async function ids(query: string) {
  const found: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { status, json, text } = await get(`usage?${scope}&${query}${cursor && `&cursor=${cursor}`}`);
    assert.equal(status, 200, text);
    found.push(...json.data.map(({ id }: { id: string }) => id));
    cursor = json.next_cursor;
  }
  return found;
}

test('Learnings are counted and found as used, stale, followed and contradicted', async () => {
  assert.deepEqual((await get(`health?${scope}`)).json, {
    total: 4,
    used: 2,
    stale: 1,
    followed: 2,
    contradicted: 1,
    duplicate: 0,
    conflict: 0,
    retired: 0,
  });
  assert.deepEqual(await ids('health=stale'), [old]);
  assert.deepEqual(await ids('health=contradicted'), [doubted]);
  assert.deepEqual((await ids('health=followed')).toSorted(), [busy, doubted].toSorted());
  assert.deepEqual((await ids('health=used')).toSorted(), [busy, doubted].toSorted());
  const { json } = await get(`usage?${scope}&search=contradicted`);
  assert.deepEqual([json.data[0].followed, json.data[0].contradicted], [1, 1]);
  const [stale] = (await get(`usage?${scope}&health=stale`)).json.data;
  assert.deepEqual(
    [stale.stale, stale.undecided, stale.retired_at, stale.alike],
    ['never_used', 1, null, []],
  );
});

test('the comments that cite a Learning are listed in pages, the newest first; a foreign one has none', async () => {
  const first = await get(`${doubted}/findings?${scope}&limit=1`);
  const second = await get(`${doubted}/findings?${scope}&limit=1&cursor=${first.json.next_cursor}`);
  assert.deepEqual(
    [first, second].map(({ json }) => [json.data[0].title, json.data[0].accepted, json.data[0].pull_request]),
    [
      ['Finding 2', false, 7],
      ['Finding 1', true, 7],
    ],
  );
  assert.equal(second.json.next_cursor, null);
  const [other] = await server.database
    .sql`SELECT id FROM organizations WHERE provider_organization_id <> '1001' LIMIT 1`;
  const foreign = await get(`${doubted}/findings?scope=organization:${other!.id}`);
  assert.ok(foreign.status === 404 || foreign.json.data.length === 0, foreign.text);
});

test('one about a file that the default branch no longer has is stale until the file is there again', async () => {
  const about = await server.create({ learning: 'Names of services end in -service', file: 'src/services' });
  const note = (present: readonly string[]) =>
    noteMissingFiles(server, repository, server.now, async (paths) =>
      paths.filter((path) => present.includes(path)),
    );
  await note([]);
  const { data } = (await get(`usage?${scope}&search=Names`)).json;
  assert.deepEqual(
    [data[0].stale, (await ids('health=stale')).toSorted()],
    ['file_gone', [old, about].toSorted()],
  );
  await note(['src/services']);
  assert.deepEqual(await ids('health=stale'), [old]);
  await server.remove(about);
});

test('they are sorted by creation, last use, number of uses and contradictions, page by page, and filtered by repository', async () => {
  assert.equal((await ids('limit=1'))[0], fresh);
  assert.equal((await ids('sort=created&limit=1')).at(-1), fresh);
  assert.equal((await ids('sort=-uses&limit=1'))[0], busy);
  assert.equal((await ids('sort=-contradicted&limit=1'))[0], doubted);
  const byUse = await ids('sort=-used&limit=1');
  assert.deepEqual(byUse.slice(2).toSorted(), [old, fresh].toSorted());
  for (const sort of ['-created', 'created', '-used', '-uses', '-contradicted'])
    assert.equal(new Set(await ids(`sort=${sort}&limit=1`)).size, 4, sort);
  assert.deepEqual(await ids('repository_id=502'), [doubted]);
});
