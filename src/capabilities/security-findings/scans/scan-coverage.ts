import { normalizeFilePath } from '../../../lib/sarif/file-path.ts';

/** What a scan covered: normalized directories, or null for the whole repository. */
export type Coverage = readonly string[] | null;

/** Findings about which a scan proves nothing, because an unreadable result may be one of them; null means any. */
export interface Unread {
  readonly ruleId: string | null;
  readonly filePath: string | null;
}

/** A stored scan of a repository. */
export interface PastScan {
  readonly scannedAt: Date;
  readonly coverage: Coverage;
  readonly unread: readonly Unread[];
}

/** Normalizes directories and removes duplicates; `.`, the root of the repository, becomes the empty string. */
export function normalizeDirectories(directories: readonly string[]): string[] {
  return [...new Set(directories.map(normalizeFilePath))];
}

/** Checks whether a scan covered a file; `src` contains `src/a.ts`, but not `src2/a.ts`. */
export function covers(coverage: Coverage, filePath: string): boolean {
  if (coverage === null) return true;
  return coverage.some(
    (directory) => directory === '' || filePath === directory || filePath.startsWith(`${directory}/`),
  );
}

/** Returns the time of the first of the sorted scans that would have shown a finding; null if there is none. */
export function firstScanThatWouldShow(
  scans: readonly PastScan[],
  finding: { readonly ruleId: string; readonly filePath: string },
): Date | null {
  const wouldShow = ({ coverage, unread }: PastScan) =>
    covers(coverage, finding.filePath) &&
    !unread.some(
      ({ ruleId, filePath }) =>
        (ruleId === null || ruleId === finding.ruleId) &&
        (filePath === null || filePath === finding.filePath),
    );
  return scans.find(wouldShow)?.scannedAt ?? null;
}
