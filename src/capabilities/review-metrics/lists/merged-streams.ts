import { rowsFrom, type Tx } from '../../../db/database.ts';
import { arrayLiteral } from '../../../db/driver/array-literal.ts';
import type { OrganizationId, RepositoryId } from '../../../lib/ids.ts';
import type { PageMemory } from '../../../lib/wire/page-memory.ts';
import { slotsPerSpan, spanSizes } from '../order/day-spans.ts';
import type { MetricList } from './list-definitions.ts';
import {
  entryColumns,
  type Page,
  type PageQuery,
  pageStatement,
  readCompletePage,
} from './page-statement.ts';

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

/** The rows of one organization with one value in one column, which an index holds in write order. */
export interface Stream {
  readonly organizationId: OrganizationId;
  readonly storageId: number;
  readonly column: StreamColumn;
  readonly value: string | number;
}

/** A further condition on the rows of a stream; the index covers every column it needs. */
export interface StreamFilter {
  readonly firstDay: number;
  readonly lastDay: number;
  /** Null: all. */
  readonly repositoryIds: readonly RepositoryId[] | null;
}

function filterParameters({ firstDay, lastDay, repositoryIds }: StreamFilter) {
  const slots = [firstDay * slotsPerSpan, lastDay * slotsPerSpan + slotsPerSpan - 1];
  return [...slots, repositoryIds === null ? null : arrayLiteral(repositoryIds)];
}

interface Position {
  readonly seq: number;
  readonly stream: Stream;
}

const noThreshold = Number.MAX_SAFE_INTEGER;

/** Streams that one branch of a statement can read: of one column, in one storage. */
interface StreamKind {
  readonly column: StreamColumn;
  readonly storageId: number;
}

function kindsOf(streams: readonly Stream[]): StreamKind[] {
  const kinds = streams.map(({ column, storageId }): [string, StreamKind] => [
    `${storageId}/${column}`,
    { column, storageId },
  ]);
  return [...new Map(kinds).values()].sort(
    (a, b) => a.storageId - b.storageId || streamColumns.indexOf(a.column) - streamColumns.indexOf(b.column),
  );
}

const streamSource = `unnest($1::text[], $2::int[], $3::uuid[], $4::text[], $5::bigint[])
  WITH ORDINALITY AS s (stream_column, storage_id, organization_id, value, seq, position)`;

function streamArrays(streams: readonly Stream[], seqs: readonly number[]): string[] {
  return [
    arrayLiteral(streams.map(({ column }) => column)),
    arrayLiteral(streams.map(({ storageId }) => storageId)),
    arrayLiteral(streams.map(({ organizationId }) => organizationId)),
    arrayLiteral(streams.map(({ value }) => String(value))),
    arrayLiteral(seqs),
  ];
}

/** A statement that reads each stream by its own index. */
function perStreamQuery(
  list: MetricList,
  kinds: readonly StreamKind[],
  select: string,
  inner: { columns: string; condition: string },
): string {
  const parts = kinds.map(
    ({ column, storageId }) => `
      SELECT ${select} FROM s CROSS JOIN LATERAL (
        SELECT ${inner.columns} FROM review_metrics m
        WHERE m.storage_id = ${storageId} AND m.organization_id = s.organization_id
          AND m.${column} = s.value::${columnTypes[column]} AND m.${list.seq} ${inner.condition}) AS found
      WHERE s.stream_column = '${column}' AND s.storage_id = ${storageId}`,
  );
  return `WITH s AS (SELECT * FROM ${streamSource}) ${parts.join(' UNION ALL ')}`;
}

function nextPositionsStatement(list: MetricList, kinds: readonly StreamKind[], isFiltered: boolean): string {
  const filter = isFiltered
    ? `AND m.slot_1 BETWEEN $8::int AND $9::int AND m.slot_1 % 4 IN (${list.classes.join(', ')})
       AND ($10::uuid[] IS NULL OR m.repository_id = ANY($10::uuid[]))`
    : '';
  return perStreamQuery(list, kinds, 's.position, found.seq', {
    columns: `m.${list.seq} AS seq`,
    condition: `> s.seq AND m.${list.seq} <= $6::bigint ${filter} ORDER BY m.${list.seq} LIMIT $7::int`,
  });
}

interface OpenStream {
  readonly stream: Stream;
  after: number;
}

/** The next positions of each stream, at most `count` of each and none beyond `upTo`; advances the streams. */
async function readNextPositions(
  tx: Tx,
  list: MetricList,
  open: readonly OpenStream[],
  filter: StreamFilter | null,
  upTo: number,
  count: number,
): Promise<{ found: Position[]; truncated: OpenStream[] }> {
  const streams = open.map(({ stream }) => stream);
  const taken = new Array<number>(open.length).fill(0);
  const found: Position[] = [];
  const statement = nextPositionsStatement(list, kindsOf(streams), filter !== null);
  const parameters = [
    ...streamArrays(
      streams,
      open.map(({ after }) => after),
    ),
    upTo,
    count,
    ...(filter === null ? [] : filterParameters(filter)),
  ];
  await rowsFrom(tx)(statement, parameters, (row) => {
    const index = row.integer(0) - 1;
    const seq = row.integer(1);
    const from = open[index]!;
    from.after = Math.max(from.after, seq);
    taken[index]! += 1;
    found.push({ seq, stream: from.stream });
  });
  return { found, truncated: open.filter((_, index) => taken[index] === count) };
}

/**
 * The first positions of all streams together. A few are read from each; the last one needed so far is a threshold, and
 * only streams that were truncated below it are read further.
 */
export async function findPositions(
  tx: Tx,
  list: MetricList,
  streams: readonly Stream[],
  filter: StreamFilter | null,
  page: { readonly after: number; readonly limit: number },
): Promise<Position[]> {
  let positions: Position[] = [];
  let threshold = noThreshold;
  let open = streams.map((stream): OpenStream => ({ stream, after: page.after }));
  let count = Math.min(page.limit, Math.ceil((2 * page.limit) / Math.max(1, streams.length)) + 1);
  while (open.length > 0) {
    const { found, truncated } = await readNextPositions(tx, list, open, filter, threshold, count);
    positions = [...positions, ...found].sort((a, b) => a.seq - b.seq).slice(0, page.limit);
    if (positions.length === page.limit) threshold = positions.at(-1)!.seq;
    open = truncated.filter(({ after }) => after < threshold);
    count = Math.min(page.limit, count * 4);
  }
  return positions;
}

/** The entries at these positions, in write order. */
export async function fetchPositions(
  tx: Tx,
  list: MetricList,
  positions: readonly Position[],
  memory: PageMemory,
): Promise<Page> {
  const streams = positions.map(({ stream }) => stream);
  const rows = perStreamQuery(list, kindsOf(streams), 'found.*', {
    columns: entryColumns(list),
    condition: '= s.seq LIMIT 1',
  });
  const arrays = streamArrays(
    streams,
    positions.map(({ seq }) => seq),
  );
  const query: PageQuery = {
    statement: pageStatement(`${rows} ORDER BY seq`, '$6'),
    parameters: (textBytes) => [...arrays, textBytes],
    limit: positions.length,
  };
  return readCompletePage(rowsFrom(tx), query, memory);
}
