const dayMs = 86_400_000;
const daysBeforeUnixTime = 719_162;

/** The lengths, in days, of the spans under which a pull request can be found; each four times the one before. */
export const spanSizes = [1, 4, 16, 64, 256] as const;
export type SpanSize = (typeof spanSizes)[number];

/** A stretch of days that starts at a multiple of its size. */
export interface DaySpan {
  readonly size: SpanSize;
  /** The first day divided by the size. */
  readonly index: number;
}

/** The number of the UTC day of an instant, counted from the first day of year 1. */
export function dayOf(instant: Date): number {
  return Math.floor(instant.getTime() / dayMs) + daysBeforeUnixTime;
}

/** The number of a calendar date written as YYYY-MM-DD. */
export function dayOfDate(date: string): number {
  return dayOf(new Date(`${date}T00:00:00Z`));
}

/** The fewest spans that together hold every day from the first to the last, and no other, each once. */
export function coverDays(first: number, last: number): DaySpan[] {
  const spans: DaySpan[] = [];
  for (let day = first; day <= last; ) {
    const size = spanSizes.findLast((length) => day % length === 0 && day + length - 1 <= last) ?? 1;
    spans.push({ size, index: day / size });
    day += size;
  }
  return spans;
}

/** Why a pull request is in the metrics; each class has its own streams, so that a list reads only what it shows. */
export const entryClasses = { mergedWithComments: 0, mergedWithoutComments: 1, closed: 2 } as const;
export type EntryClass = (typeof entryClasses)[keyof typeof entryClasses];

/** How many slots a span has: room for the classes, in a power of two. */
export const slotsPerSpan = 4;

/** The number under which the index keeps the pull requests of one class in one span. */
export function slotOf(span: DaySpan, entryClass: EntryClass): number {
  return span.index * slotsPerSpan + entryClass;
}
