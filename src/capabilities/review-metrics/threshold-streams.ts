import type { Tx } from '../../db/database.ts';
import type { OrganizationId } from '../../lib/ids.ts';
import { spanSizes } from './day-spans.ts';
import type { MetricList } from './metric-list.ts';
import { entryColumns, entryStatement, type PageRows, runEntryStatement } from './page-rows.ts';

const streamColumns = [
  ...spanSizes.map((size) => `slot_${size}` as const),
  'repository_id',
  'author_id',
] as const;
export type StreamColumn = (typeof streamColumns)[number];

const columnTypes: Record<StreamColumn, string> = {
  slot_1: 'int',
  slot_4: 'int',
  slot_16: 'int',
  slot_64: 'int',
  slot_256: 'int',
  repository_id: 'uuid',
  author_id: 'text',
};

/** The rows of one organization with one value in one column: an index has them in write order. */
export interface Stream {
  readonly organizationId: OrganizationId;
  readonly storageId: number;
  readonly column: StreamColumn;
  readonly value: string | number;
}

/** What rows of a stream must fulfil besides; the index holds all that is needed to tell. */
export interface StreamFilter {
  readonly firstDay: number;
  readonly lastDay: number;
  readonly authorIds: readonly string[] | null;
  readonly repositoryIds: readonly string[] | null;
}

interface Position {
  readonly seq: number;
  readonly stream: Stream;
}

const farthest = Number.MAX_SAFE_INTEGER;

function columnsOf(streams: readonly Stream[]): StreamColumn[] {
  return streamColumns.filter((column) => streams.some((stream) => stream.column === column));
}

function branches(columns: readonly StreamColumn[], branch: (column: StreamColumn) => string): string {
  return columns.map((column) => `${branch(column)} WHERE s.stream_column = '${column}'`).join(' UNION ALL ');
}

function matches(list: MetricList, storageId: number, column: StreamColumn): string {
  return `m.storage_id = ${storageId} AND m.organization_id = s.organization_id
    AND m.${column} = s.value::${columnTypes[column]} AND m.${list.seq}`;
}

function streamArrays(streams: readonly Stream[]): unknown[] {
  return [
    streams.map(({ column }) => column),
    streams.map(({ organizationId }) => organizationId),
    streams.map(({ value }) => String(value)),
  ];
}

const streamSource = `unnest($1::text[], $2::uuid[], $3::text[], $4::bigint[])
  WITH ORDINALITY AS s (stream_column, organization_id, value, seq, position)`;

function takeStatement(
  list: MetricList,
  storageId: number,
  columns: readonly StreamColumn[],
  isFiltered: boolean,
): string {
  const filter = isFiltered
    ? `AND m.slot_1 BETWEEN $7::int AND $8::int AND m.slot_1 % 4 IN (${list.classes.join(', ')})
       AND ($9::text[] IS NULL OR m.author_id = ANY($9::text[]))
       AND ($10::uuid[] IS NULL OR m.repository_id = ANY($10::uuid[]))`
    : '';
  return `WITH s AS (SELECT * FROM ${streamSource}) ${branches(
    columns,
    (column) => `
      SELECT s.position, found.seq FROM s CROSS JOIN LATERAL (
        SELECT m.${list.seq} AS seq FROM review_metrics m
        WHERE ${matches(list, storageId, column)} > s.seq AND m.${list.seq} <= $5::bigint ${filter}
        ORDER BY m.${list.seq} LIMIT $6::int) AS found`,
  )}`;
}

interface LiveStream {
  readonly stream: Stream;
  after: number;
}

/** The next positions of each stream, at most `count` of each and none beyond `upTo`; the streams are moved on. */
async function takeEach(
  tx: Tx,
  list: MetricList,
  live: readonly LiveStream[],
  filter: StreamFilter | null,
  upTo: number,
  count: number,
): Promise<{ found: Position[]; cut: LiveStream[] }> {
  const found: Position[] = [];
  const cut: LiveStream[] = [];
  for (const [storageId, group] of Map.groupBy(live, ({ stream }) => stream.storageId)) {
    const streams = group.map(({ stream }) => stream);
    const statement = takeStatement(list, storageId, columnsOf(streams), filter !== null);
    const rows = (await tx
      .unsafe(
        statement,
        [
          ...streamArrays(streams),
          group.map(({ after }) => after),
          upTo,
          count,
          ...(filter === null
            ? []
            : [filter.firstDay * 4, filter.lastDay * 4 + 3, filter.authorIds, filter.repositoryIds]),
        ] as never[],
        { prepare: true },
      )
      .raw()) as unknown as [Buffer, Buffer][];
    const taken = new Array<number>(group.length).fill(0);
    for (const [position, text] of rows) {
      const index = Number(position.toString('latin1')) - 1;
      const seq = Number(text.toString('latin1'));
      const from = group[index]!;
      found.push({ seq, stream: from.stream });
      from.after = Math.max(from.after, seq);
      taken[index]! += 1;
    }
    cut.push(...group.filter((_, index) => taken[index] === count));
  }
  return { found, cut };
}

/**
 * The first positions of all streams together. A few are taken of each; the last one wanted so far is a threshold, and
 * only streams that were cut off below it are asked for more.
 */
export async function findPositions(
  tx: Tx,
  list: MetricList,
  streams: readonly Stream[],
  filter: StreamFilter | null,
  page: { readonly after: number; readonly limit: number },
): Promise<Position[]> {
  let positions: Position[] = [];
  let threshold = farthest;
  let live = streams.map((stream): LiveStream => ({ stream, after: page.after }));
  let count = Math.min(page.limit, Math.ceil((2 * page.limit) / Math.max(1, streams.length)) + 1);
  while (live.length > 0) {
    const { found, cut } = await takeEach(tx, list, live, filter, threshold, count);
    positions = [...positions, ...found].sort((a, b) => a.seq - b.seq).slice(0, page.limit);
    if (positions.length === page.limit) threshold = positions.at(-1)!.seq;
    live = cut.filter(({ after }) => after < threshold);
    count = Math.min(page.limit, count * 4);
  }
  return positions;
}

function fetchStatement(list: MetricList, storageId: number, columns: readonly StreamColumn[]): string {
  const rows = branches(
    columns,
    (column) => `
      SELECT found.* FROM s CROSS JOIN LATERAL (
        SELECT ${entryColumns(list)} FROM review_metrics m
        WHERE ${matches(list, storageId, column)} = s.seq LIMIT 1) AS found`,
  );
  return entryStatement(list, `WITH s AS (SELECT * FROM ${streamSource}) ${rows}`, '$5::int');
}

/** The entries at these positions, in write order. */
export async function fetchPositions(
  tx: Tx,
  list: MetricList,
  positions: readonly Position[],
): Promise<PageRows> {
  const parts: PageRows[] = [];
  for (const [storageId, group] of Map.groupBy(positions, ({ stream }) => stream.storageId)) {
    const streams = group.map(({ stream }) => stream);
    const parameters = [...streamArrays(streams), group.map(({ seq }) => seq), group.length];
    parts.push(await runEntryStatement(tx, fetchStatement(list, storageId, columnsOf(streams)), parameters));
  }
  return {
    rows: parts.flatMap(({ rows }) => rows).sort((a, b) => a.seq - b.seq),
    textBytes: parts.reduce((sum, { textBytes }) => sum + textBytes, 0),
  };
}
