import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '../../../../test/properties.ts';
import { matchEqualPlaces, matchPlaces, type Place } from './match-moved-findings.ts';

const at = (startLine: number, text = 't', startColumn: number | null = null): Place => ({
  startLine,
  endLine: startLine,
  startColumn,
  endColumn: null,
  text,
});
const lines = (...numbers: number[]) => numbers.map((line) => at(line));

test('findings are matched by equal places, then by text, then by how far they moved together', () => {
  const cases: [string, Place[], Place[], (number | null)[]][] = [
    ['the first is fixed', lines(5, 17, 27, 40), lines(17, 27, 40), [1, 2, 3]],
    ['all moved', lines(5, 17, 27), lines(7, 19, 29), [0, 1, 2]],
    ['the first is fixed and the others moved', lines(5, 17, 27, 40), lines(19, 29, 42), [1, 2, 3]],
    ['lines were inserted in the middle', lines(5, 17, 27, 40), lines(5, 17, 37, 50), [0, 1, 2, 3]],
    ['one was added at the top', lines(17, 27), lines(5, 17, 27), [null, 0, 1]],
    ['one was added and the others moved', lines(17, 27, 40), lines(9, 19, 29, 42), [null, 0, 1, 2]],
    ['the only one moved', lines(5), lines(60), [0]],
    ['a new one behind those that stayed', lines(5, 17), lines(17, 60), [1, null]],
    ['the nearer one stayed', lines(5, 17), lines(18), [1]],
    ['text tells them apart', [at(5, 'a'), at(17, 'b')], [at(17, 'a'), at(29, 'b')], [0, 1]],
    ['place goes before nothing', [at(5, 'a')], [at(5, 'b')], [0]],
    ['columns', [at(3, 't', 1), at(3, 't', 9)], [at(3, 't', 9)], [1]],
    ['no columns were known', [at(3)], [at(3, 't', 9), at(3, 't', 20)], [0, null]],
  ];
  for (const [name, known, found, expected] of cases)
    assert.deepEqual(matchPlaces(known, found), expected, name);
});

test('matching equal places ignores moved findings', () => {
  assert.deepEqual(matchEqualPlaces(lines(5, 17), lines(5, 18)), [0, null]);
  assert.deepEqual(matchEqualPlaces([at(5, 'a')], [at(5, 'b')]), [null]);
});

test('no two findings continue the same one, and a finding that did not move keeps its identity', () => {
  const places = fc
    .uniqueArray(fc.integer({ min: 1, max: 60 }), { maxLength: 20 })
    .map((numbers) => lines(...numbers.sort((a, b) => a - b)));
  fc.assert(
    fc.property(places, places, (known, found) => {
      const matches = matchPlaces(known, found);
      const used = matches.filter((match) => match !== null);
      assert.equal(new Set(used).size, used.length);
      for (const [index, place] of found.entries()) {
        const same = known.findIndex(({ startLine }) => startLine === place.startLine);
        if (same >= 0) assert.equal(matches[index], same);
      }
    }),
  );
});

test('thousands of alike findings are followed when they move, even if one of them is fixed', () => {
  const many = Array.from({ length: 3_000 }, (_, index) => 7 + index * 3);
  const moved = matchPlaces(lines(...many), lines(...many.slice(1).map((line) => line + 1)));
  assert.deepEqual(moved, [...many.keys()].slice(1));
});
