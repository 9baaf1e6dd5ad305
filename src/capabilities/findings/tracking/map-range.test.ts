import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '../../../../test/properties.ts';
import { compareTexts } from './compare-texts.ts';
import { distanceTo, mapRange } from './map-range.ts';

const textOf = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('');

/** Every line is unique, so that its new position is unambiguous. */
const edits = fc
  .array(fc.constantFrom('keep', 'keep', 'keep', 'delete', 'replace', 'insert'), {
    minLength: 1,
    maxLength: 40,
  })
  .map((acts) => {
    const before = acts.map((_, index) => `line ${index}`);
    const after = acts.flatMap((act, index) => {
      if (act === 'delete') return [];
      if (act === 'replace') return [`new ${index}`];
      return act === 'insert' ? [`above ${index}`, `line ${index}`] : [`line ${index}`];
    });
    return { before, after };
  });

test('a range that did not change is found at its new place, whatever happened above and below', () => {
  fc.assert(
    fc.property(edits, fc.nat(), fc.nat(5), ({ before, after }, at, length) => {
      const start = (at % before.length) + 1;
      const end = Math.min(start + length, before.length);
      const wanted = before.slice(start - 1, end);
      const hunks = compareTexts(before, after);
      const { range, distance } = mapRange({ start, end }, hunks);
      const found = after.slice(range.start - 1, range.end);
      const isWhole = textOf(after).includes(textOf(wanted));
      if (isWhole) assert.deepEqual(found, wanted);
      else assert.equal(distance, 0);
      // Nothing that is still there is left out.
      for (const line of wanted) assert.equal(found.includes(line), after.includes(line));
    }),
    { numRuns: 500 },
  );
});

test('the distance is the number of lines to the nearest change', () => {
  const before = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`);
  const distanceAfter = (change: (lines: string[]) => void) => {
    const after = [...before];
    change(after);
    const hunks = compareTexts(before, after);
    return Math.min(...hunks.map((hunk) => distanceTo({ start: 10, end: 12 }, hunk)));
  };
  const insertBefore = (line: number) => (lines: string[]) => lines.splice(line - 1, 0, 'new');
  const replace = (line: number) => (lines: string[]) => lines.splice(line - 1, 1, 'new');
  assert.equal(distanceAfter(replace(11)), 0);
  assert.equal(distanceAfter(insertBefore(11)), 0, 'inside');
  assert.equal(distanceAfter(insertBefore(10)), 0, 'right above');
  assert.equal(distanceAfter(insertBefore(13)), 0, 'right below');
  assert.equal(distanceAfter(replace(9)), 1);
  assert.equal(distanceAfter(replace(13)), 1);
  assert.equal(distanceAfter(insertBefore(9)), 2);
  assert.equal(distanceAfter(replace(16)), 4);
  assert.equal(distanceAfter(replace(6)), 4);
});

test('lines that were deleted leave a gap at their place', () => {
  const { range, distance } = mapRange({ start: 2, end: 3 }, compareTexts(['a', 'b', 'c', 'd'], ['a', 'd']));
  assert.deepEqual(range, { start: 2, end: 1 });
  assert.equal(distance, 0);
});

test('a gap, such as removed lines leave, is followed and touched by what is put there', () => {
  const gap = { start: 3, end: 2 };
  const before = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
  assert.equal(mapRange(gap, compareTexts(before, ['x', ...before])).range.start, 4);
  assert.equal(mapRange(gap, compareTexts(before, ['a', 'b', 'x', ...before.slice(2)])).distance, 0);
  assert.equal(mapRange(gap, compareTexts(before, [...before.slice(0, 7), 'x'])).distance, 6);
});
