import type { OrganizationId } from '../../lib/ids.ts';
import { type DaySpan, type SpanSize, slotOf, spanSizes } from './day-spans.ts';
import type { MetricList } from './metric-list.ts';
import { entryColumns, pageStatement } from './page-statement.ts';

/** No window has more spans of one of the shorter sizes: three before and three behind the next larger ones. */
const mostOfShorterSize = 6;
const longestSize = spanSizes.at(-1)!;
/** Windows differ in how many of the longest spans they have; few numbers of them make few statements. */
const numbersOfLongest = [4, 16];
const mostStreamsPerSpan = 3;
/** Nothing is ever stored under it. */
const emptySlot = -1;

/** The same number of streams for every window, so that all of them share one prepared statement. */
interface MergeShape {
  readonly streamsPerSpan: number;
  readonly longest: number;
}

function countOf(size: SpanSize, { streamsPerSpan, longest }: MergeShape): number {
  return streamsPerSpan * (size === longestSize ? longest : mostOfShorterSize);
}

function shapeFor(spans: readonly DaySpan[], streamsPerSpan: number): MergeShape | undefined {
  const needed = spans.filter(({ size }) => size === longestSize).length;
  const longest = numbersOfLongest.find((number) => number >= needed);
  if (longest === undefined || streamsPerSpan > mostStreamsPerSpan) return undefined;
  return { streamsPerSpan, longest };
}

export interface MergeQuestion {
  readonly storageId: number;
  readonly organizationIds: readonly OrganizationId[];
  readonly spans: readonly DaySpan[];
  readonly after: number;
  readonly limit: number;
}

/** A statement with its parameters; more of them may be added behind. */
export interface MergeQuery {
  statement(extraColumn?: string): string;
  readonly parameters: readonly (string | number)[];
}

// Each stream is ordered by its index and gives only what the merge asks of it.
function mergedStreams(list: MetricList, storageId: number, shape: MergeShape): string {
  let parameter = 2;
  const streams = spanSizes.flatMap((size) =>
    Array.from({ length: countOf(size, shape) }, () => {
      parameter += 2;
      return `(SELECT ${entryColumns(list)} FROM review_metrics
        WHERE storage_id = ${storageId} AND organization_id = $${parameter - 1}::uuid AND slot_${size} = $${parameter}::int
          AND ${list.seq} > $1::bigint ORDER BY ${list.seq} LIMIT $2::int + 1)`;
    }),
  );
  return streams.join(' UNION ALL ');
}

function mergeParameters(list: MetricList, question: MergeQuestion, shape: MergeShape): (string | number)[] {
  const { organizationIds, spans, after, limit } = question;
  const parameters: (string | number)[] = [after, limit];
  for (const size of spanSizes) {
    const streams = spans
      .filter((span) => span.size === size)
      .flatMap((span) => list.classes.map((entryClass) => slotOf(span, entryClass)))
      .flatMap((slot) => organizationIds.map((id) => [id, slot] as const));
    const unused = countOf(size, shape) - streams.length;
    for (const [id, slot] of streams) parameters.push(id, slot);
    for (let i = 0; i < unused; i++) parameters.push(organizationIds[0]!, emptySlot);
  }
  return parameters;
}

/** The one statement that merges all streams of a window, or undefined when there are too many for that. */
export function mergeQuery(list: MetricList, question: MergeQuestion): MergeQuery | undefined {
  const { organizationIds, spans, storageId } = question;
  const shape = shapeFor(spans, organizationIds.length * list.classes.length);
  if (shape === undefined || organizationIds.length === 0) return undefined;
  return {
    statement(extraColumn) {
      const streams = mergedStreams(list, storageId, shape);
      const source = (limit: string) => `(${streams}) ORDER BY seq LIMIT ${limit}`;
      return pageStatement(list, source, '$2::int', extraColumn);
    },
    parameters: mergeParameters(list, question, shape),
  };
}
