import { normalizeFilePath } from './sarif/file-path.ts';

/** What a scan looked at: directories in normal form, or null for the whole repository. */
export type Coverage = readonly string[] | null;

/** A scan as its repository remembers it. */
export interface PastScan {
  readonly scannedAt: Date;
  readonly coverage: Coverage;
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

/** When the first of the scans, given in their order, looked at a file; null if none did. */
export function firstLookAt(scans: readonly PastScan[], filePath: string): Date | null {
  return scans.find(({ coverage }) => covers(coverage, filePath))?.scannedAt ?? null;
}
