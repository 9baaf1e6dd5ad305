import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startLearnings } from '../../../../test/learnings-fixture.ts';
import { sampleKeys } from '../../../../test/sample-platform.ts';

const test$ = await startLearnings();
const unknownId = '00000000-0000-5000-8000-000000000001';

test('PATCH replaces the trimmed, redacted text, keeps the id and returns the Learning as in the export', async () => {
  const id = await test$.create({ learning: 'Old wording', file: 'a.ts' });
  const created = test$.now;
  test$.now = new Date(created.getTime() + 60_000);
  const secret = `ghp_${'aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5'}`;
  const answer = await test$.patch(id, `  New wording with ${secret} \n`);
  assert.equal(answer.status, 200);
  assert.equal(answer.json.learning, 'New wording with [REDACTED]');
  assert.equal(answer.json.id, id);
  assert.equal(answer.json.file, 'a.ts');
  assert.equal(answer.json.created_at, created.toISOString());
  assert.equal(answer.json.updated_at, test$.now.toISOString());
  assert.deepEqual((await test$.list('file=a.ts'))[0], answer.json);
  const found = await test$.search('new wording');
  assert.equal(found[0].id, id);
});

test('after PATCH the new text is a duplicate of the id, the old text a new record, and that again a duplicate', async () => {
  const id = await test$.create('Text A');
  await test$.patch(id, 'Text B');
  const status = async (text: string) => {
    const { results } = (await test$.post([text])).json;
    return [results[0].status, results[0].id];
  };
  assert.deepEqual(await status('Text B'), ['duplicate', id]);
  const [again, newId] = await status('Text A');
  assert.equal(again, 'created');
  assert.notEqual(newId, id);
  assert.deepEqual(await status('Text A'), ['duplicate', newId]);
  await test$.patch(newId, 'Text C');
  const [third, thirdId] = await status('Text A');
  assert.equal(third, 'created', 'the counter goes on');
  assert.ok(![id, newId].includes(thirdId));
  assert.deepEqual(await status('Text A'), ['duplicate', thirdId]);
});

test('PATCH to a text that another Learning of the repository has is a conflict, in another repository it is not', async () => {
  const id = await test$.create('First of two');
  await test$.create('Second of two');
  const elsewhere = await test$.create({ learning: 'Third', repository_id: '502' });
  const conflict = await test$.patch(id, ' Second of two ');
  assert.deepEqual([conflict.status, conflict.json.errors[0].code], [409, 'CONFLICT']);
  assert.equal((await test$.patch(elsewhere, 'Second of two')).status, 200);
  assert.equal((await test$.list('search=first%20of'))[0].learning, 'First of two');
});

test('PATCH with the same text changes nothing', async () => {
  const id = await test$.create('Stays as it is');
  const audited = await test$.auditActions();
  test$.now = new Date(test$.now.getTime() + 60_000);
  const answer = await test$.patch(id, 'Stays as it is ');
  assert.equal(answer.status, 200);
  assert.notEqual(answer.json.updated_at, test$.now.toISOString());
  assert.deepEqual(await test$.auditActions(), audited);
});

test('PATCH rejects an invalid text, an invalid id and unknown fields; an unknown or foreign Learning is not found', async () => {
  const id = await test$.create('Only mine');
  const send = async (path: string, body: unknown, key = test$.key) => {
    await test$.resetLimits();
    const { status, json } = await test$.call('PATCH', `/v1/learnings/${path}`, { key, body });
    return [status, json.errors?.[0]?.code];
  };
  const invalid = [400, 'INVALID_REQUEST'];
  for (const body of [
    {},
    { learning: ' ' },
    { learning: 5 },
    { learning: 'x'.repeat(10_001) },
    { learning: 'a\0' },
    { learning: `ghp_${'aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5'}` },
    { learning: 'x', file: 'y' },
  ]) {
    assert.deepEqual(await send(id, body), invalid);
  }
  assert.deepEqual(await send('not-a-uuid', { learning: 'x' }), invalid);
  assert.deepEqual(await send(unknownId, { learning: 'x' }), [404, 'NOT_FOUND']);
  const foreign = await test$.createKey({ ...sampleKeys.organization, org_id: '1002' });
  const audited = await test$.auditActions();
  assert.deepEqual(await send(id, { learning: 'x' }, foreign), [404, 'NOT_FOUND']);
  assert.deepEqual(
    (await test$.list('search=only%20mine')).map((row) => [row.id, row.learning]),
    [[id, 'Only mine']],
    'a foreign Learning keeps its text',
  );
  assert.deepEqual(await test$.auditActions(), audited);
  assert.equal((await send(id.toUpperCase(), { learning: 'Mine in capitals' }))[0], 200);
});

test('DELETE answers 204 even for a deleted, unknown or foreign Learning, and does not touch the latter', async () => {
  const id = await test$.create('Soon gone');
  const foreign = await test$.createKey({ ...sampleKeys.organization, org_id: '1002' });
  const send = async (path: string, key = test$.key) => {
    await test$.resetLimits();
    return test$.call('DELETE', `/v1/learnings/${path}`, { key });
  };
  const untouched = await send(id, foreign);
  assert.equal(untouched.status, 204);
  assert.equal(untouched.text, '');
  assert.equal((await test$.list('search=soon')).length, 1);
  assert.equal((await send(id)).status, 204);
  assert.equal((await test$.list('search=soon')).length, 0);
  assert.deepEqual(await test$.search('soon gone'), []);
  assert.equal((await send(id)).status, 204);
  assert.equal((await send(unknownId)).status, 204);
  const invalid = await send('nonsense');
  assert.deepEqual([invalid.status, invalid.json.errors[0].code], [400, 'INVALID_REQUEST']);
  const deletions = (await test$.auditActions()).filter((action) => action === 'learning.deleted');
  assert.equal(deletions.length, 1, 'only what was there is audited');
});

test('a workspace token deletes with org_id in the query and patches with org_id in the body', async () => {
  const id = await test$.create('In the workspace');
  const key = await test$.createKey(sampleKeys.workspace);
  const path = `/v1/learnings/${id}`;
  const missing = await test$.call('DELETE', path, { key });
  assert.deepEqual([missing.status, missing.json.errors[0].code], [400, 'ORG_ID_REQUIRED']);
  assert.equal((await test$.call('DELETE', `${path}?org_id=1002`, { key })).status, 204);
  const patched = await test$.call('PATCH', path, { key, body: { learning: 'Patched', org_id: '1001' } });
  assert.equal(patched.json.learning, 'Patched');
  assert.equal((await test$.call('DELETE', `${path}?org_id=1001`, { key })).status, 204);
  assert.equal((await test$.list('search=patched')).length, 0);
});
