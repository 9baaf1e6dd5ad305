import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '../../../../test/properties.ts';
import { bucketsOf } from './buckets.ts';

const day = (offset: number) =>
  new Date(Date.UTC(2026, 0, 1) + offset * 86_400_000).toISOString().slice(0, 10);

test('every day of a short window has a bucket, even without comments', () => {
  const { size, buckets } = bucketsOf([], '2026-01-30', '2026-02-02');
  assert.equal(size, 'day');
  assert.deepEqual(
    buckets.map(({ date }) => date),
    ['2026-01-30', '2026-01-31', '2026-02-01', '2026-02-02'],
  );
});

test('a long window has weeks that start on Monday', () => {
  const { size, buckets } = bucketsOf([], '2026-01-01', '2026-06-30');
  assert.equal(size, 'week');
  assert.equal(buckets[0]!.date, '2025-12-29');
  for (const { date } of buckets) assert.equal(new Date(date).getUTCDay(), 1);
});

test('62 days are shown as days, 63 as weeks', () => {
  assert.equal(bucketsOf([], day(0), day(61)).size, 'day');
  assert.equal(bucketsOf([], day(0), day(62)).size, 'week');
});

test('no comment is lost or counted twice', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 400 }), fc.array(fc.nat(400)), (length, offsets) => {
      const days = [...new Set(offsets)]
        .filter((offset) => offset <= length)
        .map((offset) => ({ date: day(offset), posted: 3, accepted: 1, not_accepted: 1, unknown: 1 }));
      const { buckets } = bucketsOf(days, day(0), day(length));
      assert.equal(
        buckets.reduce((sum, { posted }) => sum + posted, 0),
        days.length * 3,
      );
    }),
  );
});
