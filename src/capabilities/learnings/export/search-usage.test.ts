import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startLearnings } from '../../../../test/learnings-fixture.ts';
import { signInAs } from '../../../../test/session.ts';

const server = await startLearnings();
const dayMs = 86_400_000;
const session = await signInAs(server, 'user-9001@acme.test');
const [{ id: organizationId }] = (await server.database
  .sql`SELECT id FROM organizations WHERE provider_organization_id = '1001'`) as unknown as [{ id: string }];
const [{ id: repositoryId }] = (await server.database.sql`
  SELECT id FROM repositories WHERE organization_id = ${organizationId} AND provider_repository_id = '501'`) as unknown as [
  { id: string },
];
const old = await server.create('Old and never used');
const busy = await server.create('Used and followed');
const doubted = await server.create({ learning: 'Used and contradicted', repository_id: '502' });
const longAgo = new Date(server.now.getTime() - 120 * dayMs);
await server.database.sql`UPDATE learnings SET created_at = ${longAgo}`;
await server.event('postil.learning_used', { learning_id: busy });
await server.event('postil.learning_used', { learning_id: busy });
await server.event('postil.learning_used', { learning_id: doubted });
const fresh = await server.create('Created today');

/** A comment on a pull request that cites Learnings. */
async function cite(learningIds: string[], accepted: boolean | null, id: string) {
  const { sql } = server.database;
  await sql`
    INSERT INTO review_findings (organization_id, repository_id, pull_request, finding_id, kind, lineage, quote, path, side,
      head_revision, in_diff, severity, category, title, body, source_kind, source_name, learning_ids, state, accepted,
      first_run_id, last_run_id, created_at, updated_at)
    VALUES (${organizationId}, ${repositoryId}, 7, ${id}, 'k', 'l', 'q', 'p', 'new', 'r', true, 'minor', 'c', 't', 'b', 'model',
      'm', ${learningIds}, 'open', ${accepted}, gen_random_uuid(), gen_random_uuid(), ${server.now}, ${server.now})`;
}

await server.database.sql`
  INSERT INTO reviewed_pull_requests (organization_id, repository_id, number, url, state, is_draft, head_revision, facts, read_at)
  VALUES (${organizationId}, ${repositoryId}, 7, 'https://git.test/7', 'open', false, 'r', '{}', ${server.now})`;
await cite([busy, doubted], true, 'f1');
await cite([doubted, 'no uuid'], false, 'f2');
await cite([old], null, 'f3');

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

test('Learnings are counted and found as used, unused for 90 days, followed and contradicted', async () => {
  assert.deepEqual((await get(`health?${scope}`)).json, {
    total: 4,
    used: 2,
    unused: 1,
    followed: 2,
    contradicted: 1,
  });
  assert.deepEqual(await ids('health=unused'), [old]);
  assert.deepEqual(await ids('health=contradicted'), [doubted]);
  assert.deepEqual((await ids('health=followed')).toSorted(), [busy, doubted].toSorted());
  assert.deepEqual((await ids('health=used')).toSorted(), [busy, doubted].toSorted());
  const { json } = await get(`usage?${scope}&search=contradicted`);
  assert.deepEqual([json.data[0].followed, json.data[0].contradicted], [1, 1]);
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
