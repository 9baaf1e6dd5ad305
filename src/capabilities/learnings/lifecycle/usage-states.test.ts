import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startLearnings } from '../../../../test/learnings-fixture.ts';
import fc from '../../../../test/properties.ts';
import { startOfWeek } from '../export/list-learnings.ts';

const test$ = await startLearnings();
const dayMs = 24 * 60 * 60 * 1000;

const at = (time: Date) => {
  test$.now = time;
};

test('stat_filter distinguishes total, active in 30 days, never used and created this week', async () => {
  at(new Date('2026-07-01T12:00:00Z')); // a Wednesday; the week began on June 29
  const old = await test$.create({ learning: 'Stat old', repository_id: '502' });
  at(new Date('2026-08-12T12:00:00Z'));
  const recent = await test$.create({ learning: 'Stat recent', repository_id: '502' });
  await test$.event('postil.learning_used', { learning_id: old }, new Date('2026-07-13T12:00:00Z'));
  const stat = async (filter: string) =>
    (await test$.list(`search=stat&stat_filter=${filter}`)).map(({ id }) => id).sort();
  assert.deepEqual(await stat('total'), [old, recent].sort());
  assert.deepEqual(await stat('active'), [old], 'used 30 days ago exactly');
  assert.deepEqual(await stat('never_used'), [recent]);
  assert.deepEqual(await stat('created_this_week'), [recent]);
  at(new Date('2026-08-12T12:00:00.001Z'));
  assert.deepEqual(await stat('active'), []);
  at(new Date('2026-08-16T23:59:59.999Z'));
  assert.deepEqual(await stat('created_this_week'), [recent], 'until Sunday ends');
  at(new Date('2026-08-17T00:00:00Z'));
  assert.deepEqual(await stat('created_this_week'), []);
});

test('the usage filters of all pages refer to the time of the first page', async () => {
  at(new Date('2026-09-06T23:59:00Z'));
  await test$.post(['Week one', 'Week two', 'Week three']);
  const first = await test$.get('/v1/learnings?search=week&stat_filter=created_this_week&limit=1', test$.key);
  at(new Date('2026-09-07T00:01:00Z'));
  const cursor = encodeURIComponent(first.json.next_cursor);
  const second = await test$.get(
    `/v1/learnings?search=week&stat_filter=created_this_week&cursor=${cursor}`,
    test$.key,
  );
  assert.equal(second.json.data.length, 2);
});

test('a week starts on Monday 00:00 UTC', () => {
  fc.assert(
    fc.property(fc.date({ noInvalidDate: true, min: new Date(-1e12), max: new Date(4e12) }), (now) => {
      const monday = startOfWeek(now);
      assert.equal(monday.getUTCDay(), 1);
      assert.ok(monday.getTime() % dayMs === 0);
      assert.ok(monday.getTime() <= now.getTime() && now.getTime() < monday.getTime() + 7 * dayMs);
    }),
  );
});
