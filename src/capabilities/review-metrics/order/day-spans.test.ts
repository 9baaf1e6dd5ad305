import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '../../../../test/properties.ts';
import {
  coverDays,
  type DaySpan,
  dayOf,
  dayOfDate,
  entryClasses,
  type SpanKeyRange,
  slotOf,
  spanKeysPerSize,
  spanSizes,
  sumDays,
} from './day-spans.ts';

const day = fc.integer({ min: 0, max: 3_652_058 });

function daysOf({ size, index }: DaySpan): number[] {
  return Array.from({ length: size }, (_, offset) => index * size + offset);
}

test('the spans of a window contain each of its days once and no other day', () => {
  fc.assert(
    fc.property(day, fc.integer({ min: 0, max: 3000 }), (first, length) => {
      const days = coverDays(first, first + length).flatMap(daysOf);
      assert.deepEqual(
        days,
        Array.from({ length: length + 1 }, (_, offset) => first + offset),
      );
    }),
  );
});

function daysOfRange({ first, last }: SpanKeyRange): number[] {
  return Array.from({ length: last - first + 1 }, (_, offset) => first + offset).flatMap((key) =>
    daysOf({ size: spanSizes[Math.floor(key / spanKeysPerSize)]!, index: key % spanKeysPerSize }),
  );
}

test('the spans that are added and subtracted are each day of the window once and nothing else', () => {
  fc.assert(
    fc.property(day, fc.oneof(fc.nat(20), fc.nat(3000)), (first, length) => {
      const { added, subtracted } = sumDays(first, first + length);
      const times = new Map<number, number>();
      for (const day of added.flatMap(daysOfRange)) times.set(day, (times.get(day) ?? 0) + 1);
      for (const day of subtracted.flatMap(daysOfRange)) times.set(day, (times.get(day) ?? 0) - 1);
      assert.deepEqual(
        [...times].filter(([, count]) => count !== 0).sort(([one], [other]) => one - other),
        Array.from({ length: length + 1 }, (_, offset) => [first + offset, 1]),
      );
    }),
  );
});

test('adding and subtracting never takes more spans than adding alone, and half as many for some years', () => {
  const countOf = (first: number, last: number) => {
    const { added, subtracted } = sumDays(first, last);
    return [...added, ...subtracted].reduce((count, range) => count + range.last - range.first + 1, 0);
  };
  fc.assert(
    fc.property(day, fc.oneof(fc.nat(20), fc.nat(3000)), (first, length) => {
      assert.ok(countOf(first, first + length) <= coverDays(first, first + length).length);
    }),
  );
  const [first, last] = [dayOfDate('2024-09-11'), dayOfDate('2025-09-10')];
  assert.equal(coverDays(first, last).length, 14);
  assert.equal(countOf(first, last), 7);
});

test('no window needs more than six spans of any shorter size', () => {
  const longest = spanSizes.at(-1)!;
  for (let first = 0; first < longest; first++) {
    for (const last of [first, ...Array.from({ length: longest }, (_, offset) => first + longest + offset)]) {
      const bySize = Map.groupBy(coverDays(first, last), ({ size }) => size);
      for (const size of spanSizes) {
        const max = size === longest ? 2 : 6;
        assert.ok(
          (bySize.get(size)?.length ?? 0) <= max,
          `${first} to ${last} has too many spans of ${size}`,
        );
      }
    }
  }
});

test('a day is a UTC day, including around leap days and the turn of centuries', () => {
  assert.equal(dayOfDate('0001-01-01'), 0);
  assert.equal(dayOfDate('1970-01-01'), 719_162);
  assert.equal(dayOfDate('2024-03-01') - dayOfDate('2024-02-28'), 2);
  assert.equal(dayOfDate('2026-03-01') - dayOfDate('2026-02-28'), 1);
  assert.equal(dayOfDate('2000-03-01') - dayOfDate('2000-02-28'), 2);
  assert.equal(dayOfDate('1900-03-01') - dayOfDate('1900-02-28'), 1);
  assert.equal(dayOf(new Date('2026-03-10T00:00:00.000Z')), dayOfDate('2026-03-10'));
  assert.equal(dayOf(new Date('2026-03-09T23:59:59.999Z')), dayOfDate('2026-03-09'));
  assert.equal(dayOf(new Date('1969-12-31T23:59:59.999Z')), dayOfDate('1969-12-31'));
});

test('no two spans of one size and no two classes share a slot', () => {
  const span = fc.record({ size: fc.constant(16 as const), index: fc.nat(1_000_000) });
  const entryClass = fc.constantFrom(...Object.values(entryClasses));
  fc.assert(
    fc.property(span, entryClass, span, entryClass, (a, aClass, b, bClass) => {
      assert.equal(slotOf(a, aClass) === slotOf(b, bClass), a.index === b.index && aClass === bClass);
    }),
  );
});
