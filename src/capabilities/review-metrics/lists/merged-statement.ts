import type { OrganizationId } from '../../../lib/ids.ts';
import { type DaySpan, type SpanSize, slotOf, spanSizes } from '../order/day-spans.ts';
import { storageStatesColumn } from '../storage/readable-storages.ts';
import type { MetricList } from './list-definitions.ts';
import { entryColumns, type PageQuery, pageStatement } from './page-statement.ts';
import { cachedStatement } from './statement-cache.ts';

/** No window has more spans of any shorter size: three before and three after the next larger ones. */
const maxShorterSpans = 6;
const longestSize = spanSizes.at(-1)!;
/** The number of spans is rounded up to one of these, so that few distinct statements serve all windows. */
const shorterSpanCounts = [4, maxShorterSpans];
const longestSpanCounts = [0, 2, 4, 16];
const maxStreamsPerSpan = 3;
/** No row ever has this slot. */
const emptySlot = -1;

/** The number of streams per span size; many windows have the same, so that they share one prepared statement. */
type MergeShape = ReadonlyMap<SpanSize, number>;

function shapeFor(spans: readonly DaySpan[], streamsPerSpan: number): MergeShape | undefined {
  const needed = spanSizes.map((size) => spans.filter((span) => span.size === size).length);
  const ofLongest = longestSpanCounts.find((number) => number >= needed.at(-1)!);
  const ofShorter = shorterSpanCounts.find((number) => number >= Math.max(...needed.slice(0, -1)));
  if (ofLongest === undefined || ofShorter === undefined || streamsPerSpan > maxStreamsPerSpan)
    return undefined;
  const largest = needed.findLastIndex((number) => number > 0);
  return new Map(
    spanSizes.map((size, index) => {
      const number = size === longestSize ? ofLongest : ofShorter;
      return [size, index <= largest ? number * streamsPerSpan : 0];
    }),
  );
}

export interface MergeRequest {
  readonly storageId: number;
  readonly organizationIds: readonly OrganizationId[];
  readonly spans: readonly DaySpan[];
  readonly after: number;
  readonly limit: number;
}

const firstOrganizationParameter = 4;

// Each stream is ordered by its index and yields only as many rows as the merge takes. Organizations alternate.
function mergedStreams(
  list: MetricList,
  storageId: number,
  shape: MergeShape,
  organizationCount: number,
): string[] {
  let slot = firstOrganizationParameter + organizationCount;
  return spanSizes.flatMap((size) =>
    Array.from({ length: shape.get(size)! }, (_, stream) => {
      const organization = firstOrganizationParameter + (stream % organizationCount);
      return `(SELECT ${entryColumns(list)} FROM review_metrics
        WHERE storage_id = ${storageId} AND organization_id = $${organization}::uuid AND slot_${size} = $${slot++}::int
          AND ${list.seq} > $1::bigint ORDER BY ${list.seq} LIMIT $2::int + 1)`;
    }),
  );
}

function mergeStatement(
  list: MetricList,
  storageId: number,
  shape: MergeShape,
  organizationCount: number,
): string {
  const streams = mergedStreams(list, storageId, shape, organizationCount);
  const organizations = Array.from(
    { length: organizationCount },
    (_, index) => `$${firstOrganizationParameter + index}`,
  );
  const states = `(SELECT 0::bigint AS seq, ${storageStatesColumn(`ARRAY[${organizations.join()}]`)}::text AS entry)`;
  return pageStatement(`${[states, ...streams].join(' UNION ALL ')} ORDER BY seq LIMIT $2::int + 2`, '$3');
}

/** The slot that each stream reads, in the order of `mergedStreams`. */
function slotsOf(list: MetricList, { organizationIds, spans }: MergeRequest, shape: MergeShape): number[] {
  const slots: number[] = [];
  for (const size of spanSizes) {
    const used = spans
      .filter((span) => span.size === size)
      .flatMap((span) => list.classes.map((entryClass) => slotOf(span, entryClass)))
      .flatMap((slot) => organizationIds.map(() => slot));
    const unused = new Array<number>(shape.get(size)! - used.length).fill(emptySlot);
    slots.push(...used, ...unused);
  }
  return slots;
}

/** The single statement that merges all streams of a window, or undefined when there are too many for one. */
export function mergeQuery(list: MetricList, request: MergeRequest): PageQuery | undefined {
  const { organizationIds, spans, storageId, after, limit } = request;
  const shape = shapeFor(spans, organizationIds.length * list.classes.length);
  if (shape === undefined || organizationIds.length === 0) return undefined;
  const rest = [...organizationIds, ...slotsOf(list, request, shape)];
  const name = ['merge', storageId, ...shape.values(), organizationIds.length].join();
  return {
    statement: cachedStatement(list, name, () =>
      mergeStatement(list, storageId, shape, organizationIds.length),
    ),
    parameters: (textBytes) => [after, limit, textBytes, ...rest],
    limit,
  };
}
