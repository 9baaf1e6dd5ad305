import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { parseCsv, plainCell } from './parse-csv.ts';

test('what a CSV writer wrote is read back as it was', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' ', 'é', "'") });
  fc.assert(
    fc.property(
      fc.array(fc.record({ one: cell, two: cell }, { noNullPrototype: true }), { minLength: 1 }),
      (rows) => {
        const text = stringify(rows, { header: true, quoted: true });
        assert.deepEqual(parseCsv(text), rows);
      },
    ),
  );
});

test('unquoted cells, other line ends, a byte order mark and missing cells are read', () => {
  assert.deepEqual(parseCsv('\uFEFFa,b\r\n1,\r\n"x ""y""",2'), [
    { a: '1', b: '' },
    { a: 'x "y"', b: '2' },
  ]);
  assert.deepEqual(parseCsv('a,b\n1\n\n'), [{ a: '1', b: '' }]);
});

test('a text that is not CSV is refused with the row', () => {
  assert.throws(() => parseCsv('a,b\n"open'), /Row 2/);
  assert.throws(() => parseCsv(''), /empty/);
});

test('a defused formula is taken back, other quotes stay', () => {
  assert.equal(plainCell("'=1+1"), '=1+1');
  assert.equal(plainCell("'tis"), "'tis");
});
