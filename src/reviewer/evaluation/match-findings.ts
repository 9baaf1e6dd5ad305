import type { GoldenFinding } from './dataset.ts';

/** The fields of a finding that decide whether it is an expected one. */
export interface RaisedFinding {
  readonly path: string;
  readonly startLine: number | null;
  readonly endLine: number | null;
  /** Its related places, which count as well. */
  readonly related?: readonly Omit<RaisedFinding, 'related'>[];
}

/** The maximum distance, in lines, between places that mean the same. */
const tolerance = 3;

function isMatch(raised: RaisedFinding, golden: GoldenFinding): boolean {
  return isNear(raised, golden) || (raised.related?.some((place) => isNear(place, golden)) ?? false);
}

function isNear(raised: Omit<RaisedFinding, 'related'>, golden: GoldenFinding): boolean {
  if (raised.path !== golden.path) return false;
  if (golden.start_line === null || golden.end_line === null) return true;
  if (raised.startLine === null || raised.endLine === null) return false;
  const gap = Math.max(golden.start_line - raised.endLine, raised.startLine - golden.end_line);
  return gap <= tolerance;
}

/** The number of findings at expected places: the size of a maximum matching, in which each finding counts once. */
export function countMatches(raised: readonly RaisedFinding[], golden: readonly GoldenFinding[]): number {
  /** The index of the raised finding that each golden one is paired with. */
  const pairedWith = new Map<number, number>();
  /** Pairs a finding, moving others to another partner if necessary; false if that is impossible. */
  function pair(from: number, tried: Set<number>): boolean {
    for (const [to, wanted] of golden.entries()) {
      if (tried.has(to) || !isMatch(raised[from]!, wanted)) continue;
      tried.add(to);
      const holder = pairedWith.get(to);
      if (holder !== undefined && !pair(holder, tried)) continue;
      pairedWith.set(to, from);
      return true;
    }
    return false;
  }
  for (const from of raised.keys()) pair(from, new Set());
  return pairedWith.size;
}
