import type { GoldenFinding } from './dataset.ts';

/** What of a finding decides whether it is one that was looked for. */
export interface RaisedFinding {
  readonly path: string;
  readonly startLine: number | null;
  readonly endLine: number | null;
  /** Other places that it names, which count as well. */
  readonly related?: readonly Omit<RaisedFinding, 'related'>[];
}

/** How far apart, in lines, two people may point who mean the same. */
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

/** How many findings stand where one was looked for: the most that can be paired, each counting once. */
export function countMatches(raised: readonly RaisedFinding[], golden: readonly GoldenFinding[]): number {
  /** Which finding each golden one is paired with. */
  const pairedWith = new Map<number, number>();
  /** Pairs a finding, moving others to another partner where that helps. */
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
