import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '../../../../../test/properties.ts';
import { aboveChance, acceptanceOf, minDecided } from './acceptance.ts';

const outcomes = (accepted: number, not_accepted: number) => ({
  posted: accepted + not_accepted,
  accepted,
  not_accepted,
  unknown: 0,
});

test('the Wilson interval has known values', () => {
  const half = acceptanceOf(outcomes(50, 50))!;
  assert.equal(half.rate, 0.5);
  assert.ok(Math.abs(half.low - 0.4038) < 0.0001 && Math.abs(half.high - 0.5962) < 0.0001);
  const none = acceptanceOf(outcomes(0, 20))!;
  assert.ok(none.low === 0 && Math.abs(none.high - 0.1611) < 0.0001);
});

test('with too few known outcomes there is no rate, however many are unknown', () => {
  const many = { ...outcomes(10, 9), posted: 1000, unknown: 981 };
  assert.equal(acceptanceOf(many), undefined);
  assert.ok(acceptanceOf(outcomes(10, minDecided - 10)));
});

test('the interval contains the rate, stays within 0 and 1, and narrows with more data', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10_000 }), fc.integer({ min: 0, max: 10_000 }), (accepted, not) => {
      const one = acceptanceOf(outcomes(accepted, not));
      if (one === undefined) return;
      assert.ok(one.low >= 0 && one.low <= one.rate + 1e-12 && one.rate <= one.high + 1e-12 && one.high <= 1);
      const more = acceptanceOf(outcomes(accepted * 4, not * 4))!;
      assert.ok(more.high - more.low < one.high - one.low);
    }),
  );
});

test('above chance is the difference to what chance gives, with the interval of the rate, and needs enough data', () => {
  const above = aboveChance({ decided: 100, accepted: 50, expected: 25 })!;
  assert.equal(above.rate, 0.25);
  assert.equal(above.chance, 0.25);
  assert.ok(Math.abs(above.low - 0.1538) < 0.0001 && Math.abs(above.high - 0.3462) < 0.0001);
  assert.ok(
    aboveChance({ decided: 40, accepted: 4, expected: 20 })!.high < 0,
    'worse than chance is below zero',
  );
  assert.equal(aboveChance({ decided: minDecided - 1, accepted: 5, expected: 1 }), undefined);
});
