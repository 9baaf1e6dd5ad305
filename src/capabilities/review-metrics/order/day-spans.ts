const dayMs = 86_400_000;
const daysBeforeUnixTime = 719_162;

/** The lengths, in days, of the spans by which pull requests are indexed; each four times the previous one. */
export const spanSizes = [1, 4, 16, 64, 256] as const;
export type SpanSize = (typeof spanSizes)[number];

/** A stretch of days that starts at a multiple of its size. */
export interface DaySpan {
  readonly size: SpanSize;
  /** The first day divided by the size. */
  readonly index: number;
}

/** The UTC day of an instant, as a number of days since the first day of year 1. */
export function dayOf(instant: Date): number {
  return Math.floor(instant.getTime() / dayMs) + daysBeforeUnixTime;
}

/** The number of a calendar date written as YYYY-MM-DD. */
export function dayOfDate(date: string): number {
  return dayOf(new Date(`${date}T00:00:00Z`));
}

/** The calendar date of a day's number, written as YYYY-MM-DD. */
export function dateOfDay(day: number): string {
  return new Date((day - daysBeforeUnixTime) * dayMs).toISOString().slice(0, 10);
}

/** The smallest set of spans that covers exactly the days from the first to the last. */
export function coverDays(first: number, last: number): DaySpan[] {
  const spans: DaySpan[] = [];
  for (let day = first; day <= last; ) {
    const size = spanSizes.findLast((length) => day % length === 0 && day + length - 1 <= last) ?? 1;
    spans.push({ size, index: day / size });
    day += size;
  }
  return spans;
}

/** Why a pull request is in the metrics. Each class has its own streams, so that a list reads only the rows it shows. */
export const entryClasses = { mergedWithComments: 0, mergedWithoutComments: 1, closed: 2 } as const;
export type EntryClass = (typeof entryClasses)[keyof typeof entryClasses];

/** How many slots a span has: one per class, rounded up to a power of two. */
export const slotsPerSpan = 4;

/** The number by which the index finds the pull requests of one class in one span. */
export function slotOf(span: DaySpan, entryClass: EntryClass): number {
  return span.index * slotsPerSpan + entryClass;
}

/** Above every number of a day, and so of a span. */
export const spanKeysPerSize = 2 ** 22;

/** A span as one number: the spans of one size are consecutive; a span of one day is the number of the day. */
export function spanKey({ size, index }: DaySpan): number {
  return spanSizes.indexOf(size) * spanKeysPerSize + index;
}

/** The same in SQL, of the span that includes a day, given which of the sizes it has. */
export function spanKeyOfDay(sizeIndex: string, day: string): string {
  return `(${sizeIndex} * ${spanKeysPerSize} + (${day} >> (2 * ${sizeIndex})))`;
}

/** Consecutive spans of one size, from the key of the first to that of the last. */
export interface SpanKeyRange {
  readonly first: number;
  readonly last: number;
}

interface Step extends SpanKeyRange {
  readonly isAdded: boolean;
}

function countSpans(steps: readonly Step[]): number {
  return steps.reduce((count, { first, last }) => count + last - first + 1, 0);
}

/**
 * The steps from one day to another, with spans of this size and larger ones: a step forward adds its spans, a step back
 * subtracts them. Chooses among the routes along the nearest boundaries of larger spans the one with the fewest spans.
 */
function stepsBetween(start: number, end: number, level = 0): Step[] {
  const size = spanSizes[level]!;
  const larger = spanSizes[level + 1];
  const step = (from: number, to: number): Step => ({
    first: spanKey({ size, index: Math.min(from, to) / size }),
    last: spanKey({ size, index: Math.max(from, to) / size - 1 }),
    isAdded: from < to,
  });
  const direct = [step(start, end)];
  if (larger === undefined) return direct;
  const bordersAt = (day: number) =>
    new Set([Math.floor(day / larger) * larger, Math.ceil(day / larger) * larger]);
  const ways = [...bordersAt(start)].flatMap((from) =>
    [...bordersAt(end)]
      .filter((to) => from < to)
      .map((to) => [step(start, from), ...stepsBetween(from, to, level + 1), step(to, end)]),
  );
  return ways.reduce((best, way) => (countSpans(way) < countSpans(best) ? way : best), direct);
}

/**
 * Spans to add and to subtract, so that together they cover exactly the days from the first to the last. There are fewer
 * than with `coverDays`: three quarters of a span are the whole span minus its last quarter.
 */
export function sumDays(
  first: number,
  last: number,
): { readonly added: SpanKeyRange[]; readonly subtracted: SpanKeyRange[] } {
  const steps = stepsBetween(first, last + 1).filter((step) => step.first <= step.last);
  return {
    added: steps.filter(({ isAdded }) => isAdded),
    subtracted: steps.filter(({ isAdded }) => !isAdded),
  };
}
