import type { Sample, TableFigures } from './samples.ts';

/** What is said about one figure. */
export interface Verdict {
  readonly what: string;
  /** Its level in each quarter of the time. */
  readonly levels: readonly number[];
  readonly isFlat: boolean;
  /** What it may be at most in the last quarter. */
  readonly most: number;
}

/** A value that lies above this share of the others. */
function at(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** The samples in four equal parts of the time. */
export function quartersOf<Timed extends { readonly at: number }>(samples: readonly Timed[]): Timed[][] {
  const begin = samples[0]!.at;
  const length = samples.at(-1)!.at - begin;
  const quarters: Timed[][] = [[], [], [], []];
  for (const sample of samples)
    quarters[Math.min(3, Math.floor((4 * (sample.at - begin)) / Math.max(1, length)))]!.push(sample);
  return quarters;
}

/** What a memory has left after it was collected. */
const lowest = 0.1;

/**
 * Whether a figure stays where it is: its level in the last quarter is at most that of the third, and the most of what is allowed
 * without a reason and of how far the values of the third quarter lie apart. What grows steadily does so by twice that distance
 * from one quarter to the next, so that it is noticed even though it widens its own margin.
 *
 * The level is the median; of memory it is the lowest tenth, since what lies above waits to be collected.
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
 * What is kept makes the disk fill up, as it should: of that, each change may take up no more in the last quarter than in the
 * third, and half as much again for files that grow in steps.
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

/** From how many dead rows on PostgreSQL cleans up a table by itself, as it is set unless somebody changes it. */
const isCleanedUp = ({ rows, dead }: TableFigures) => dead <= 50 + 0.2 * rows;
/** Tables of fewer rows are told apart by their size alone. */
const fewRows = 1_000;

/**
 * Tables that swell: of whose dead rows PostgreSQL has not got rid at any moment of the last quarter, or that have grown by more
 * than a quarter and a megabyte beyond what their rows have grown by in the second half.
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
