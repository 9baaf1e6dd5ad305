import type { OrganizationId } from '../../../lib/ids.ts';
import { type DaySpan, type SpanSize, slotOf, spanSizes } from '../order/day-spans.ts';
import type { MetricList } from './list-definitions.ts';
import { entryColumns, leadingRow, type PageQuery, pageStatement } from './page-statement.ts';

/** No window has more spans of one of the shorter sizes: three before and three behind the next larger ones. */
const mostOfShorterSize = 6;
const longestSize = spanSizes.at(-1)!;
/** Windows differ in how many spans of each size they have; few numbers of them make few statements. */
const numbersOfShorter = [4, mostOfShorterSize];
const numbersOfLongest = [0, 2, 4, 16];
const mostStreamsPerSpan = 3;
/** Nothing is ever stored under it. */
const emptySlot = -1;

/** The same number of streams for many windows, so that they share one prepared statement. */
type MergeShape = ReadonlyMap<SpanSize, number>;

function shapeFor(spans: readonly DaySpan[], streamsPerSpan: number): MergeShape | undefined {
  const needed = spanSizes.map((size) => spans.filter((span) => span.size === size).length);
  const ofLongest = numbersOfLongest.find((number) => number >= needed.at(-1)!);
  const ofShorter = numbersOfShorter.find((number) => number >= Math.max(...needed.slice(0, -1)));
  if (ofLongest === undefined || ofShorter === undefined || streamsPerSpan > mostStreamsPerSpan)
    return undefined;
  const largest = needed.findLastIndex((number) => number > 0);
  return new Map(
    spanSizes.map((size, index) => {
      const number = size === longestSize ? ofLongest : ofShorter;
      return [size, index <= largest ? number * streamsPerSpan : 0];
    }),
  );
}

/** A row before the entries: its text as a column that takes one parameter. All queries of a list have the same or none. */
export interface Lead {
  column(parameter: string): string;
  readonly parameter: string;
}

export interface MergeQuestion {
  readonly storageId: number;
  readonly organizationIds: readonly OrganizationId[];
  readonly spans: readonly DaySpan[];
  readonly after: number;
  readonly limit: number;
}

const firstOfOrganizations = 4;

// Each stream is ordered by its index and gives only what the merge asks of it. The organizations take turns in them.
function mergedStreams(
  list: MetricList,
  storageId: number,
  shape: MergeShape,
  organizationCount: number,
): string[] {
  let slot = firstOfOrganizations + organizationCount;
  return spanSizes.flatMap((size) =>
    Array.from({ length: shape.get(size)! }, (_, stream) => {
      const organization = firstOfOrganizations + (stream % organizationCount);
      return `(SELECT ${entryColumns(list)} FROM review_metrics
        WHERE storage_id = ${storageId} AND organization_id = $${organization}::uuid AND slot_${size} = $${slot++}::int
          AND ${list.seq} > $1::bigint ORDER BY ${list.seq} LIMIT $2::int + 1)`;
    }),
  );
}

const statements = new WeakMap<MetricList, Map<string, string>>();
const mostStatements = 200;

/** The text is long, and the same for nearly all pages of a list, so it is made once. */
function mergeStatement(
  list: MetricList,
  storageId: number,
  shape: MergeShape,
  organizationCount: number,
  lead: Lead | undefined,
): string {
  const known = statements.get(list) ?? new Map<string, string>();
  statements.set(list, known);
  const name = [storageId, ...shape.values(), organizationCount, lead !== undefined].join();
  const former = known.get(name);
  if (former !== undefined) return former;
  const streams = mergedStreams(list, storageId, shape, organizationCount);
  const behind = firstOfOrganizations + organizationCount + streams.length;
  const rows = lead === undefined ? streams : [leadingRow(lead.column(`$${behind}`)), ...streams];
  const merged = `${rows.join(' UNION ALL ')} ORDER BY seq LIMIT $2::int + ${rows.length - streams.length + 1}`;
  const statement = pageStatement(merged, '$3');
  if (known.size >= mostStatements) known.clear();
  known.set(name, statement);
  return statement;
}

/** What each stream asks for, in the order of `mergedStreams`. */
function slotsOf(list: MetricList, { organizationIds, spans }: MergeQuestion, shape: MergeShape): number[] {
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

/** The one statement that merges all streams of a window, or undefined when there are too many for that. */
export function mergeQuery(list: MetricList, question: MergeQuestion, lead?: Lead): PageQuery | undefined {
  const { organizationIds, spans, storageId, after, limit } = question;
  const shape = shapeFor(spans, organizationIds.length * list.classes.length);
  if (shape === undefined || organizationIds.length === 0) return undefined;
  const behind = [
    ...organizationIds,
    ...slotsOf(list, question, shape),
    ...(lead === undefined ? [] : [lead.parameter]),
  ];
  return {
    statement: mergeStatement(list, storageId, shape, organizationIds.length, lead),
    parameters: (textBytes) => [after, limit, textBytes, ...behind],
    limit,
    hasLead: lead !== undefined,
  };
}
