import { normalizeFilePath } from '../sarif/file-path.ts';

/** What a scan looked at: directories in normal form, or null for the whole repository. */
export type Coverage = readonly string[] | null;

/** Findings that a scan says nothing about, because a result that could not be read may have been one: null is "any". */
export interface Unread {
  readonly ruleId: string | null;
  readonly filePath: string | null;
}

/** A scan as its repository remembers it. */
export interface PastScan {
  readonly scannedAt: Date;
  readonly coverage: Coverage;
  readonly unread: readonly Unread[];
}

/** Directories in normal form, each once; `.` is the root of the repository and is written as the empty text. */
export function normalizeDirectories(directories: readonly string[]): string[] {
  return [...new Set(directories.map(normalizeFilePath))];
}

/** Tells whether a file lies inside what was scanned; `src` holds `src/a.ts`, but not `src2/a.ts`. */
export function covers(coverage: Coverage, filePath: string): boolean {
  if (coverage === null) return true;
  return coverage.some(
    (directory) => directory === '' || filePath === directory || filePath.startsWith(`${directory}/`),
  );
}

/** When the first of the scans, given in their order, would have shown a finding; null if none did. */
export function firstLookAt(
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
