import type { Change, ChangedFile } from '../change/change.ts';
import { isGeneratedPath, isLockFile } from '../change/file-kinds.ts';
import { pathFilter } from '../configuration/path-filters.ts';
import type { ReviewConfiguration } from '../configuration/review-configuration.ts';
import type { CoverageReason, FileCoverage } from './coverage.ts';

/** What a review looks at, and what it leaves out for which reason. */
export interface Plan {
  readonly inScope: readonly ChangedFile[];
  /** Lock files, which nobody writes: they are compared, and neither shown to a model nor searched for faults in their text. */
  readonly lockFiles: readonly ChangedFile[];
  readonly outOfScope: readonly FileCoverage[];
}

/** Decides by names and kinds alone which files are reviewed; no text is read yet. */
export function planReview(change: Change, { reviews }: ReviewConfiguration): Plan {
  const verdictOn = pathFilter(reviews.path_filters);
  const inScope: ChangedFile[] = [];
  const lockFiles: ChangedFile[] = [];
  const outOfScope: FileCoverage[] = [];
  for (const file of change.files) {
    const verdict = verdictOn(file.path);
    const reason = reasonToSkip(file, verdict);
    if (reason === undefined && verdict !== 'included' && isLockFile(file.path)) lockFiles.push(file);
    else if (reason === undefined) inScope.push(file);
    else outOfScope.push({ path: file.path, state: 'skipped', reason });
  }
  return { inScope, lockFiles, outOfScope };
}

function reasonToSkip(
  file: ChangedFile,
  verdict: ReturnType<ReturnType<typeof pathFilter>>,
): CoverageReason | undefined {
  if (verdict === 'excluded') return 'filtered';
  if (file.kind === 'deleted') return 'deleted';
  if (verdict !== 'included' && isGeneratedPath(file.path)) return 'generated';
  // Those are often larger than what people read.
  if (isLockFile(file.path) && file.missing === 'too_large') return undefined;
  return file.missing ?? undefined;
}
