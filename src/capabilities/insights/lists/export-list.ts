import { type CsvColumn, csvHeader, csvRows } from '../../../lib/wire/csv.ts';
import type { BreakdownGroup } from '../measures/break-down.ts';
import type { ListedComment } from './list-comments.ts';
import type { ListedPullRequest } from './list-pull-requests.ts';

const defaultRowsPerRead = 200;

/** Streams a whole list as CSV, in bounded memory. */
export async function* exportList<Row, Position>(
  columns: readonly CsvColumn<Row>[],
  readPage: (page: {
    after: Position | undefined;
    limit: number;
  }) => Promise<{ rows: readonly Row[]; next: Position | null }>,
  rowsPerRead = defaultRowsPerRead,
): AsyncGenerator<Buffer> {
  let page = await readPage({ after: undefined, limit: rowsPerRead });
  yield csvHeader(columns);
  for (;;) {
    yield csvRows(columns, page.rows);
    if (page.next === null) return;
    page = await readPage({ after: page.next, limit: rowsPerRead });
  }
}

function columnsOf<Row>(names: readonly (keyof Row & string)[]): CsvColumn<Row>[] {
  return names.map((name) => ({ name, cell: (row) => row[name] as never }));
}

export const pullRequestColumns = columnsOf<Omit<ListedPullRequest, 'repositoryKey'>>([
  'repository_id',
  'repository_name',
  'number',
  'url',
  'author_id',
  'author_name',
  'created_at',
  'ready_for_review_at',
  'first_human_review_at',
  'merged_at',
  'review_iterations',
  'posted',
  'accepted',
  'not_accepted',
]);

export const commentColumns = columnsOf<Omit<ListedComment, 'repositoryKey' | 'position'>>([
  'repository_id',
  'repository_name',
  'number',
  'merged_at',
  'author_id',
  'author_name',
  'url',
  'title',
  'path',
  'start_line',
  'severity',
  'category',
  'source',
  'accepted',
  'chance',
]);

const spreadColumns = (name: 'first_review' | 'merge' | 'iterations'): CsvColumn<BreakdownGroup>[] => [
  { name: `${name}_median`, cell: (row) => row[name].median },
  { name: `${name}_25_percent`, cell: (row) => row[name].low },
  { name: `${name}_75_percent`, cell: (row) => row[name].high },
];

/** Times are in seconds. */
export const breakdownColumns: readonly CsvColumn<BreakdownGroup>[] = [
  ...columnsOf<BreakdownGroup>(['id', 'name', 'severity', 'pull_requests']),
  ...spreadColumns('first_review'),
  ...spreadColumns('merge'),
  ...spreadColumns('iterations'),
  ...columnsOf<BreakdownGroup>(['posted', 'accepted', 'not_accepted', 'cost_usd']),
  { name: 'compared_decided', cell: ({ compared }) => compared.decided },
  { name: 'compared_accepted', cell: ({ compared }) => compared.accepted },
  { name: 'compared_expected', cell: ({ compared }) => compared.expected },
];
