import type { Sample, TableFigures } from './samples.ts';

/** The verdict on one figure. */
export interface Verdict {
  readonly what: string;
  /** Its level in each quarter of the duration. */
  readonly levels: readonly number[];
  readonly isFlat: boolean;
  /** Its upper limit for the last quarter. */
  readonly most: number;
}

/** The quantile of the values at this share. */
function at(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Splits the samples into four equal parts of the duration. */
export function quartersOf<Timed extends { readonly at: number }>(samples: readonly Timed[]): Timed[][] {
  const begin = samples[0]!.at;
  const length = samples.at(-1)!.at - begin;
  const quarters: Timed[][] = [[], [], [], []];
  for (const sample of samples)
    quarters[Math.min(3, Math.floor((4 * (sample.at - begin)) / Math.max(1, length)))]!.push(sample);
  return quarters;
}

/** The quantile for memory, which approximates its level after garbage collection. */
const lowest = 0.1;

/**
 * Whether a figure is constant: its level in the last quarter is at most that of the third one plus a margin. The margin is a
 * fixed allowance or the interquartile range of the third quarter, whichever is larger. A steadily growing figure grows by
 * twice that range from one quarter to the next, so it is noticed although it also widens the margin.
 *
 * The level is the median; for memory it is the lowest tenth, since the rest waits for garbage collection.
 */
export function judgeLevel(what: string, values: readonly (readonly number[])[], isMemory: boolean): Verdict {
  const levels = values.map((quarter) => at(quarter, isMemory ? lowest : 0.5));
  const third = values[2]!;
  const spread = isMemory ? 0 : at(third, 0.75) - at(third, 0.25);
  const allowed = isMemory ? Math.max(16, 0.05 * levels[2]!) : Math.max(3, 0.1 * levels[2]!);
  const most = levels[2]! + Math.max(spread, allowed);
  return { what, levels, most, isFlat: levels[3]! <= most };
}

/**
 * Stored data may grow with each change, but not faster than before: its growth per change in the last quarter must be at most
 * that of the third one, plus a half for files that grow in steps.
 */
export function judgeGrowth(
  what: string,
  quarters: readonly (readonly Sample[])[],
  read: (sample: Sample) => number,
): Verdict {
  const levels = quarters.map((samples) => {
    const [first, last] = [samples[0]!, samples.at(-1)!];
    return ((read(last) - read(first)) * 1024) / Math.max(1, last.changes - first.changes);
  });
  const most = Math.max(1.5 * levels[2]!, levels[2]! + 2);
  return { what: `${what}, KB for each change`, levels, most, isFlat: levels[3]! <= most };
}

/** Whether a table has fewer dead rows than PostgreSQL's default threshold for autovacuum. */
const isCleanedUp = ({ rows, dead }: TableFigures) => dead <= 50 + 0.2 * rows;
/** Tables with fewer rows are judged only by their size. */
const fewRows = 1_000;

/**
 * Tables with bloat: PostgreSQL did not vacuum their dead rows at any moment of the last quarter, or in the second half they
 * grew by more than a quarter and a megabyte beyond the growth of their rows.
 */
export function swollenTables(quarters: readonly (readonly Sample[])[]): string[] {
  const last = quarters[3]!;
  const [half, end] = [quarters[2]![0]!, last.at(-1)!];
  return Object.entries(end.tables).flatMap(([name, table]) => {
    const faults: string[] = [];
    const dead = last.map(({ tables }) => tables[name]!);
    if (!dead.some(isCleanedUp)) faults.push(`${name}: ${table.dead} dead rows beside ${table.rows}`);
    const before = half.tables[name];
    if (before !== undefined) {
      const rows = Math.max(fewRows, table.rows) / Math.max(fewRows, before.rows);
      if (table.megabytes > 1.25 * before.megabytes * rows + 1)
        faults.push(
          `${name}: ${before.megabytes.toFixed(1)} MB for ${before.rows} rows, then ${table.megabytes.toFixed(1)} MB for ${table.rows}`,
        );
    }
    return faults;
  });
}
