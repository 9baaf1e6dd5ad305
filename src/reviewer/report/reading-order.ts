import type { ChangedFile } from '../change/change.ts';
import { isGeneratedPath, isLockFile, isProse, isTest } from '../change/file-kinds.ts';

/** Code, then its tests, then what is written about it, and last what nobody reads. */
function rankOf({ path, missing }: ChangedFile): number {
  if (missing !== null || isLockFile(path) || isGeneratedPath(path)) return 3;
  if (isProse(path)) return 2;
  return isTest(path) ? 1 : 0;
}

/** The files in an order in which they can be understood: what others use comes before those who use it. */
export function readingOrder(
  files: readonly ChangedFile[],
  /** The changed files that each changed file uses. */
  uses: ReadonlyMap<string, readonly string[]>,
  max: number,
): string[] {
  const ranked = [0, 1, 2, 3].flatMap((rank) => files.filter((file) => rankOf(file) === rank));
  const wanted = new Map(ranked.map((file) => [file.path, rankOf(file)]));
  const ordered = new Set<string>();
  const entered = new Set<string>();
  for (const { path: start } of ranked) {
    if (ordered.size >= max) break;
    // Depth first, without recursion: chains can be as long as a change.
    const open = [{ path: start, next: 0 }];
    while (open.length > 0) {
      const current = open.at(-1)!;
      entered.add(current.path);
      const rank = wanted.get(current.path)!;
      const used = uses.get(current.path)?.[current.next];
      if (used === undefined) {
        ordered.add(current.path);
        open.pop();
        continue;
      }
      current.next += 1;
      // In a circle, the first by name comes first.
      if (wanted.get(used) === rank && !entered.has(used)) open.push({ path: used, next: 0 });
    }
  }
  return [...ordered].slice(0, max);
}
