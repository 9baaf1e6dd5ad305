import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stringify } from 'csv-stringify/sync';
import fc from '../../../test/properties.ts';
import { parseCsv, plainCell } from './parse-csv.ts';

test('what a CSV writer writes is read back unchanged', () => {
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

test('unquoted cells, other line endings, a byte order mark and missing cells are accepted', () => {
  assert.deepEqual(parseCsv('\uFEFFa,b\r\n1,\r\n"x ""y""",2'), [
    { a: '1', b: '' },
    { a: 'x "y"', b: '2' },
  ]);
  assert.deepEqual(parseCsv('a,b\n1\n\n'), [{ a: '1', b: '' }]);
});

test('invalid CSV is rejected with its row', () => {
  assert.throws(() => parseCsv('a,b\n"open'), /Row 2/);
  assert.throws(() => parseCsv(''), /empty/);
});

test('the quote in front of a formula is removed, other quotes stay', () => {
  assert.equal(plainCell("'=1+1"), '=1+1');
  assert.equal(plainCell("'tis"), "'tis");
});
