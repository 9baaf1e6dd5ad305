import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeSpread } from './spread-text.ts';

const hours = (low: number, median: number, high: number) => ({
  count: 9,
  low: low * 3600,
  median: median * 3600,
  high: high * 3600,
});

test('times that are shown together are in one unit, the one that suits the median', () => {
  const now = hours(24.3, 47.1, 72);
  assert.deepEqual(describeSpread(now, 'seconds'), { median: '47.1 h', range: '24.3 to 72.0 h' });
  assert.deepEqual(describeSpread(hours(12, 60, 96), 'seconds'), {
    median: '2.5 days',
    range: '0.5 to 4.0 days',
  });
  assert.deepEqual(describeSpread(hours(0.1, 0.5, 1.5), 'seconds'), {
    median: '30 min',
    range: '6 to 90 min',
  });
  assert.equal(describeSpread(hours(12, 60, 96), 'seconds', now)?.median, '60.0 h');
});

test('too few values have no spread', () => {
  assert.equal(describeSpread({ ...hours(1, 2, 3), count: 4 }, 'seconds'), undefined);
});
