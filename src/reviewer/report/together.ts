import type { PastCommit } from '../repository/history.ts';
import { limits, type Together } from '../review-report.ts';

const newestCommits = 200;
const fewestTimes = 5;
const smallestShare = 0.7;

/**
 * Files that usually change together with files of the change, but did not. Each is listed once, with the file that it changes
 * with most often.
 */
export function usuallyTogether(
  paths: readonly string[],
  commits: readonly PastCommit[],
  isThere: (path: string) => boolean,
): { readonly together: readonly Together[]; readonly total: number } {
  const counts = new Map(paths.map((path) => [path, { of: 0, times: new Map<string, number>() }]));
  for (const { touched, others } of commits) {
    if (others === null) continue;
    for (const path of touched) {
      const count = counts.get(path);
      if (count === undefined || count.of === newestCommits) continue;
      count.of += 1;
      for (const other of others) count.times.set(other, (count.times.get(other) ?? 0) + 1);
    }
  }
  const strongest = new Map<string, Together>();
  for (const [path, { of, times: all }] of counts)
    for (const [other, times] of all) {
      if (times < fewestTimes || times / of < smallestShare || !isThere(other)) continue;
      const entry = { path, usually_with: other, times, of };
      const known = strongest.get(other);
      if (known === undefined || strongestFirst(entry, known) < 0) strongest.set(other, entry);
    }
  const together = [...strongest.values()].sort(strongestFirst);
  return { together: together.slice(0, limits.together), total: together.length };
}

function strongestFirst(a: Together, b: Together): number {
  return b.times / b.of - a.times / a.of || b.times - a.times || (a.path < b.path ? -1 : 1);
}
