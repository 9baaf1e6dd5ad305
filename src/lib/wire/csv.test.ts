import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import fc from '../../../test/properties.ts';
import { AppError } from '../app-error.ts';
import { writeCsv } from './csv.ts';

const columns = [
  { name: 'text', cell: (row: { text: string; more: string }) => row.text },
  { name: 'more', cell: (row: { text: string; more: string }) => row.more },
];

test('a CSV parser reads back what was written, apart from defused formulas', async () => {
  const rows = fc.array(fc.record({ text: fc.string({ unit: 'grapheme' }), more: fc.string() }), {
    minLength: 1,
  });
  await fc.assert(
    fc.asyncProperty(rows, async (given) => {
      const defused = (text: string) =>
        /^[\t\r\n]|^[\s\p{C}\p{DI}]*[=+\-@＝＋－＠]/u.test(text) ? `'${text}` : text;
      const bytes = await writeCsv(columns, given);
      const read = parse(bytes, { record_delimiter: '\r\n', columns: true });
      assert.deepEqual(
        read.map((row) => ({ ...(row as object) })),
        given.map(({ text, more }) => ({ text: defused(text), more: defused(more) })),
      );
    }),
  );
});

test('a cell that starts like a formula, or with characters that spreadsheets skip before one, is defused', async () => {
  const formulas = ['=', '+', '-', '@', '\t', '\r', '\n', '\n\n', '\r\n', '＝', '＋', '－', '＠'];
  // White space, control and format characters, and invisible ones: one of them, or several.
  const unseen = [
    ' ',
    '\u00a0',
    '\ufeff',
    '\u2003',
    '\u3000',
    '\v',
    '\u0000',
    '\u001b',
    '\u0085',
    '\u00ad',
    '\u200b',
  ];
  unseen.push('\u200e', '\u2028', '\u202e', '\u2060', '\u3164', '\ufe0f', '\u{e0020}', ' \ufeff\u00a0\u200b');
  for (const start of [...formulas, ...unseen, ...unseen.map((text) => `${text}-`)]) {
    const bytes = await writeCsv(columns, [{ text: `${start}=1+1`, more: '' }]);
    const [[text]] = parse(bytes, { record_delimiter: '\r\n', from: 2 }) as [string[]];
    assert.equal(text, `'${start}=1+1`);
  }
});

test('every line ends with CRLF and the first names the columns, even without rows', async () => {
  assert.equal((await writeCsv(columns, [])).toString(), 'text,more\r\n');
  const bytes = await writeCsv(columns, [{ text: 'a\nb', more: 'say "so", please' }]);
  assert.equal(bytes.toString(), 'text,more\r\n"a\nb","say ""so"", please"\r\n');
});

test('numbers, booleans, dates and null have one representation each', async () => {
  const one = [1.5, -2, true, false, new Date('2026-01-31T09:00:00Z'), null] as const;
  const bytes = await writeCsv(
    one.map((value, index) => ({ name: `c${index}`, cell: () => value })),
    [0],
  );
  assert.equal(bytes.toString(), 'c0,c1,c2,c3,c4,c5\r\n1.5,-2,true,false,2026-01-31T09:00:00.000Z,\r\n');
});

test('more than 16 MiB is refused', async () => {
  const row = { text: 'x'.repeat(1024 * 1024), more: '' };
  await assert.rejects(
    writeCsv(
      columns,
      Array.from({ length: 16 }, () => row),
    ),
    (error) => error instanceof AppError && error.code === 'RESPONSE_TOO_LARGE',
  );
});
