import { setImmediate as nextTurn } from 'node:timers/promises';
import { stringify } from 'csv-stringify/sync';
import { checkResponseBytes } from './json-page.ts';

/** The value of a cell; null is an empty cell. */
export type CsvCell = string | number | boolean | Date | null;

/** One column: its name in the header row, and the function that returns a row's cell. */
export interface CsvColumn<Row> {
  readonly name: string;
  cell(row: Row): CsvCell;
}

const rowsPerTurn = 500;

/**
 * The start of a formula, after characters that spreadsheets and their importers drop at the start of a cell: white space and
 * invisible characters.
 */
const formulaStart = /^(?:[\t\r\n]|[\s\p{C}\p{Default_Ignorable_Code_Point}]*[=+\-@＝＋－＠])/u;
const defuse = (text: string) => (formulaStart.test(text) ? `'${text}` : text);

const format = {
  record_delimiter: 'windows',
  // RFC 4180 requires quotes around any line break, even one that is not the record delimiter.
  quoted_match: /[\r\n]/,
  cast: { boolean: String, date: (value: Date) => value.toISOString(), string: defuse },
} as const;

/** The row that names the columns. */
export function csvHeader<Row>(columns: readonly CsvColumn<Row>[]): Buffer {
  return Buffer.from(stringify([columns.map(({ name }) => name)], format));
}

/** Rows as CSV, without the header, for writing a large response in parts. */
export function csvRows<Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): Buffer {
  const records = rows.map((row) => columns.map((column) => column.cell(row)));
  return Buffer.from(stringify(records, format));
}

/**
 * Writes rows as CSV (RFC 4180: header row, CRLF, quotes where needed) with formulas defused by a leading `'`, letting
 * other requests run in between. Throws if the result would exceed 16 MiB.
 */
export async function writeCsv<Row>(
  columns: readonly CsvColumn<Row>[],
  rows: readonly Row[],
): Promise<Buffer> {
  const parts = [csvHeader(columns)];
  let bytes = parts[0]!.length;
  for (let start = 0; start < rows.length; start += rowsPerTurn) {
    const part = csvRows(columns, rows.slice(start, start + rowsPerTurn));
    bytes += part.length;
    checkResponseBytes(bytes);
    parts.push(part);
    if (start + rowsPerTurn < rows.length) await nextTurn();
  }
  return Buffer.concat(parts);
}
