import { parseCsv, plainCell } from '../../lib/parse-csv.ts';

export interface ImportItem {
  readonly repository_id: string;
  readonly learning: string;
  readonly file?: string;
  readonly source_url?: string;
}

/** The Learnings of a CSV file; throws a readable error if a required column is missing. */
export function readItems(text: string): ImportItem[] {
  const rows = parseCsv(text);
  const [first] = rows;
  if (first === undefined) throw new Error('The file has a header but no rows');
  for (const column of ['repository_id', 'learning'])
    if (!(column in first)) throw new Error(`The file has no ${column} column`);
  return rows.map((row) => {
    const cell = (name: string) => plainCell(row[name] ?? '');
    return {
      repository_id: cell('repository_id'),
      learning: cell('learning'),
      ...(cell('file') !== '' && { file: cell('file') }),
      ...(cell('source_url') !== '' && { source_url: cell('source_url') }),
    };
  });
}
