/** Reads CSV (RFC 4180) into rows by the names of its header; throws a readable error if the text is not CSV. */
export function parseCsv(text: string): Record<string, string>[] {
  const [header, ...rows] = readRows(text.replace(/^\uFEFF/, ''));
  if (header === undefined) throw new Error('The file is empty');
  return rows
    .filter((cells) => cells.length > 1 || cells[0] !== '')
    .map((cells) => Object.fromEntries(header.map((name, index) => [name.trim(), cells[index] ?? ''])));
}

function readRows(text: string): string[][] {
  const rows: string[][] = [];
  let cells: string[] = [];
  // A cell is quoted, with quotes inside doubled, or plain; then comes a comma, the end of the line or of the text.
  const cell = /(?:"([^"]*(?:""[^"]*)*)"|([^",\r\n]*))(,|\r\n|\r|\n|$)/y;
  while (cell.lastIndex < text.length || cells.length > 0) {
    const match = cell.exec(text);
    if (match === null) throw new Error(`Row ${rows.length + 1} is not valid CSV: misplaced quote`);
    const [, quoted, plain, end] = match;
    cells.push(quoted === undefined ? plain! : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    rows.push(cells);
    cells = [];
    if (end === '') break;
  }
  return rows;
}

/** Removes the quote that keeps a spreadsheet from running a cell as a formula. */
export function plainCell(cell: string): string {
  return /^'[=+\-@\t\r＝＋－＠]/.test(cell) ? cell.slice(1) : cell;
}
