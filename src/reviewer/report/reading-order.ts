import type { ChangedFile } from '../change/change.ts';
import { isGeneratedPath, isLockFile, isProse, isTest } from '../change/file-kinds.ts';

/** Code comes first, then tests, then prose and configuration, and last files that nobody reads. */
function rankOf({ path, missing }: ChangedFile): number {
  if (missing !== null || isLockFile(path) || isGeneratedPath(path)) return 3;
  if (isProse(path)) return 2;
  return isTest(path) ? 1 : 0;
}

/** Orders files so that they can be understood: files that others use come before the files that use them. */
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
      // In a cycle, the file that was entered last comes first.
      if (wanted.get(used) === rank && !entered.has(used)) open.push({ path: used, next: 0 });
    }
  }
  return [...ordered].slice(0, max);
}
