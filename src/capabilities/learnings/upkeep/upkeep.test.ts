import assert from 'node:assert/strict';
import { test } from 'node:test';
import { citeLearnings } from '../../../../test/citing-findings.ts';
import { startLearnings } from '../../../../test/learnings-fixture.ts';
import { signInAs } from '../../../../test/session.ts';

const server = await startLearnings();
const { sql } = server.database;
const repository = await server.repository('501');
const session = await signInAs(server, 'user-9001@acme.test');
const scope = `scope=organization:${repository.organizationId}`;
const post = (path: string, body: unknown) =>
  session.call('POST', `/dashboard/v1/learnings/${path}?${scope}`, { body });
// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects, and fails where it is not there
const usage = async (query: string): Promise<any[]> =>
  (await session.call('GET', `/dashboard/v1/learnings/usage?${scope}&${query}`)).json.data;
const health = async () => (await session.call('GET', `/dashboard/v1/learnings/health?${scope}`)).json;
const compare = async () => {
  await server.runSchedule('learnings-compare');
};
const found = async (text: string) => (await server.search(text)).map(({ id }) => id);
const retire = (action: 'retire' | 'restore', ...ids: string[]) => post('retirements', { action, ids });

test('a retired Learning is not followed by reviews and not exported, and can be brought back', async () => {
  const id = await server.create('Retries back off exponentially with jitter');
  const foreign = '00000000-0000-4000-8000-000000000000';
  const answer = await retire('retire', id, foreign);
  assert.deepEqual(answer.json.results, [
    { id, outcome: 'done' },
    { id: foreign, outcome: 'not_found' },
  ]);
  assert.deepEqual([await server.list(), await found('retries back off')], [[], []]);
  assert.deepEqual((await retire('retire', id)).json.results[0].outcome, 'not_possible');
  const [shown] = await usage('health=retired');
  assert.deepEqual([shown.id, shown.retired_at, shown.stale], [id, server.now.toISOString(), null]);
  assert.equal((await health()).retired, 1);
  assert.equal((await retire('restore', id)).json.results[0].outcome, 'done');
  assert.deepEqual([(await server.list()).length, await found('retries back off')], [1, [id]]);
  assert.deepEqual((await server.auditActions()).slice(-2), ['learning.retired', 'learning.restored']);
  assert.equal((await retire('restore', id)).json.results[0].outcome, 'not_possible');
  await server.remove(id);
});

test('whoever writes the text of a retired one again brings it back, and it is retired no more', async () => {
  const text = 'Feature flags have an owner';
  const id = await server.create(text);
  await retire('retire', id);
  const again = await server.post([text]);
  assert.deepEqual([again.json.results[0].status, again.json.results[0].id], ['duplicate', id]);
  assert.deepEqual([await usage('health=retired'), (await usage('search=Feature')).length], [[], 1]);
  await server.remove(id);
});

test('what is private or was disapproved can neither be retired nor brought back', async () => {
  await server.capture('Only in this pull request', { pull_request: { number: 9, state: 'open' } });
  await server.capture('Nobody wanted this');
  await sql`UPDATE learnings SET approval = 'disapproved' WHERE learning = 'Nobody wanted this'`;
  const rows = await sql<{ id: string }[]>`
    SELECT id FROM learnings WHERE organization_id = ${repository.organizationId}`;
  assert.equal(rows.length, 2);
  const ids = rows.map(({ id }) => id);
  for (const action of ['retire', 'restore'] as const)
    assert.deepEqual(
      (await retire(action, ...ids)).json.results.map(({ outcome }: { outcome: string }) => outcome),
      ['not_possible', 'not_possible'],
    );
  await sql`DELETE FROM learnings WHERE organization_id = ${repository.organizationId}`;
});

test('Learnings that say the same are found when they are written, and merging them keeps one with the uses of both', async () => {
  const one = await server.create('Close database connections in a finally block, always');
  const other = await server.create('Always close database connections in a finally block');
  await server.create('Name the error in the log');
  await compare();
  const shown = (await usage('health=duplicate')).find(({ id }) => id === one);
  assert.deepEqual(
    shown.alike.map(({ id, kind }: Record<string, string>) => [id, kind]),
    [[other, 'duplicate']],
  );
  assert.equal((await health()).duplicate, 2);
  for (const id of [one, one, other]) await server.event('postil.learning_used', { learning_id: id });
  await citeLearnings(server, repository, [one], true);
  await citeLearnings(server, repository, [other], false);
  assert.equal((await post('merges', { kept_id: one, retired_id: one })).status, 409);
  const taken = await post('merges', {
    kept_id: one,
    retired_id: other,
    learning: 'Name the error in the log',
  });
  assert.deepEqual([taken.status, (await server.list()).length], [409, 3], 'nothing changes');
  const text = 'Close connections to the database in a finally block';
  const merged = await post('merges', { kept_id: one, retired_id: other, learning: text });
  assert.deepEqual(
    [merged.status, merged.json.learning, merged.json.usage_count],
    [200, text, 3],
    merged.text,
  );
  const [kept] = await usage('search=finally');
  assert.deepEqual([kept.followed, kept.contradicted, kept.alike], [1, 1, []], 'comments count together');
  assert.equal((await health()).contradicted, 1);
  const [retired] = await usage('health=retired');
  assert.deepEqual([retired.id, retired.merged_into, retired.usage_count], [other, one, 0]);
  assert.deepEqual(
    await found('close connections to the database in a finally block').then((ids) => ids[0]),
    one,
  );
  assert.deepEqual((await server.auditActions()).slice(-3), [
    'learning.updated',
    'learning.merged',
    'learning.retired',
  ]);
  assert.equal((await post('merges', { kept_id: one, retired_id: other })).status, 404, 'it is not in use');
  await retire('restore', other);
  const [back] = await usage('search=Always+close');
  assert.deepEqual(
    [back.followed, back.contradicted, back.merged_into],
    [0, 1, null],
    'its comments are its own again',
  );
  await sql`DELETE FROM learnings WHERE organization_id = ${repository.organizationId}`;
});

test('Learnings of different repositories, or about files that never meet, are not merged or found alike', async () => {
  const here = await server.create('Prices are integers of cents in every table');
  const there = await server.create({
    learning: 'Prices are integers of cents in every table!',
    repository_id: '502',
  });
  assert.equal((await post('merges', { kept_id: here, retired_id: there })).status, 409);
  await server.create({ learning: 'Handlers validate their input with zod', file: 'src/a' });
  await server.create({ learning: 'Handlers validate their input with zod.', file: 'src/b' });
  await compare();
  assert.equal((await health()).duplicate, 0);
  await sql`DELETE FROM learnings WHERE organization_id = ${repository.organizationId}`;
});

test('one that is against what another is for may conflict with it, until somebody says that both are right', async () => {
  const pro = await server.create('Use default exports in React components of the shop');
  const con = await server.create('Never use default exports in React components of the shop');
  await compare();
  const against = (await usage('health=conflict')).find((shown) => shown.id === con);
  const [{ id, word, is_other_against }] = against.alike;
  assert.deepEqual([id, word, is_other_against], [pro, 'default', false]);
  assert.equal((await post('told-apart', { ids: [pro, con] })).status, 204);
  assert.deepEqual([(await health()).conflict, await usage('health=conflict')], [0, []]);
  assert.equal((await server.auditActions()).at(-1), 'learning.told_apart');
  await post('told-apart', { ids: [con, pro] });
  assert.equal((await server.auditActions()).filter((action) => action === 'learning.told_apart').length, 1);
  await sql`UPDATE learning_index_versions SET compared_version = 0`;
  await compare();
  assert.equal((await health()).conflict, 0, 'comparing again does not forget it');
  await server.patch(con, 'Do not use default exports in any React components of the shop');
  await compare();
  assert.equal((await health()).conflict, 0, 'the same pair, in other words');
  await server.patch(con, 'Use default exports in all React components of the shop');
  await compare();
  assert.deepEqual([(await health()).conflict, (await health()).duplicate], [0, 2], 'now they say the same');
  await server.remove(con);
  assert.equal((await health()).duplicate, 0);
});

test('nobody merges, retires or tells apart Learnings of another organization', async () => {
  const [one, other] = [
    await server.create('Dates are ISO 8601 in UTC'),
    await server.create('Dates are ISO 8601 in UTC!'),
  ];
  await compare();
  const [elsewhere] = await sql`SELECT id FROM organizations WHERE provider_organization_id = '3001'`;
  const foreign = (path: string, body: unknown) =>
    session.call('POST', `/dashboard/v1/learnings/${path}?scope=organization:${elsewhere!.id}`, { body });
  const before = await usage('search=ISO');
  assert.equal((await foreign('merges', { kept_id: one, retired_id: other })).status, 404);
  const { results } = (await foreign('retirements', { action: 'retire', ids: [one] })).json;
  assert.deepEqual(results, [{ id: one, outcome: 'not_found' }]);
  assert.equal((await foreign('told-apart', { ids: [one, other] })).status, 204);
  assert.deepEqual([await usage('search=ISO'), before[0].alike.length], [before, 1]);
});
