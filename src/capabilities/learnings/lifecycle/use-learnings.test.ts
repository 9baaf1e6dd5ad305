import assert from 'node:assert/strict';
import { test } from 'node:test';
import { event, startLearnings } from '../../../../test/learnings-fixture.ts';

const test$ = await startLearnings();
const later = (minutes: number) => new Date(test$.now.getTime() + minutes * 60_000);
const usage = async (text: string) => {
  const [row] = await test$.list(`search=${encodeURIComponent(text)}`);
  return [row.usage_count, row.last_used_at];
};

test('each use is counted once, and last_used_at is the newest, regardless of arrival order', async () => {
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

test('uses that arrive before their Learning exists are kept and counted when it is created or captured', async () => {
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

test('an invalid use does not affect the others', async () => {
  const id = await test$.create('Used among invalid uses');
  const { json } = await test$.events(
    [{ learning_id: 'x' }, {}, { learning_id: id }, { learning_id: id, more: 1 }].map((data) =>
      event('postil.learning_used', data, test$.now),
    ),
  );
  assert.deepEqual([json.accepted, json.failed], [1, 3]);
  assert.deepEqual(await usage('Used among invalid uses'), [1, test$.now.toISOString()]);
});
