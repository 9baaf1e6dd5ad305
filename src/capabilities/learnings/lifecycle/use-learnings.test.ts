import assert from 'node:assert/strict';
import { test } from 'node:test';
import { event, startLearnings } from '../../../../test/learnings-fixture.ts';

const test$ = await startLearnings();
const later = (minutes: number) => new Date(test$.now.getTime() + minutes * 60_000);
const usage = async (text: string) => {
  const [row] = await test$.list(`search=${encodeURIComponent(text)}`);
  return [row.usage_count, row.last_used_at];
};

test('uses are counted once each, and the last use is the newest, whatever the order of arrival', async () => {
  const id = await test$.create('Used a lot');
  const use = (minutes: number) => event('postil.learning_used', { learning_id: id }, later(minutes));
  const first = use(10);
  await test$.events([first, use(30), use(20)]);
  assert.deepEqual(await usage('Used a lot'), [3, later(30).toISOString()]);
  const { json } = await test$.events([first, use(-5)]);
  assert.deepEqual([json.accepted, json.duplicate], [1, 1]);
  assert.deepEqual(await usage('Used a lot'), [4, later(30).toISOString()]);
  assert.equal((await test$.list('search=used'))[0].updated_at, test$.now.toISOString());
});

test('uses that come before their Learning are kept and counted when it is created or captured', async () => {
  const id = await test$.create('Used too early');
  await test$.remove(id);
  await test$.event('postil.learning_used', { learning_id: id }, later(1));
  await test$.event(
    'postil.learning_used',
    { learning_id: id.toUpperCase(), pr_url: 'https://a.test/1' },
    later(2),
  );
  assert.equal(await test$.create('Used too early'), id);
  assert.deepEqual(await usage('Used too early'), [2, later(2).toISOString()]);
  await test$.remove(id);
  await test$.event('postil.learning_used', { learning_id: id }, later(3));
  await test$.capture('Used too early');
  assert.deepEqual(await usage('Used too early'), [1, later(3).toISOString()]);
});

test("another organization's event does not count here", async () => {
  const id = await test$.create('Used elsewhere');
  await test$.event('postil.learning_used', { learning_id: id, org_id: '1002' });
  assert.deepEqual(await usage('Used elsewhere'), [0, null]);
});

test('invalid uses fail alone', async () => {
  const { json } = await test$.events(
    [{ learning_id: 'x' }, {}, { learning_id: '00000000-0000-5000-8000-000000000001', more: 1 }].map((data) =>
      event('postil.learning_used', data, test$.now),
    ),
  );
  assert.deepEqual([json.accepted, json.failed], [0, 3]);
});
