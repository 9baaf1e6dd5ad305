import type { Change, ChangedFile } from '../change/change.ts';
import { isGeneratedPath, isLockFile } from '../change/file-kinds.ts';
import { pathFilter } from '../configuration/path-filters.ts';
import type { ReviewConfiguration } from '../configuration/review-configuration.ts';
import type { CoverageReason, FileCoverage } from './coverage.ts';

/** What a review looks at, and what it leaves out for which reason. */
export interface Plan {
  readonly inScope: readonly ChangedFile[];
  readonly outOfScope: readonly FileCoverage[];
}

/** Decides by names and kinds alone which files are reviewed; no text is read yet. */
export function planReview(change: Change, { reviews }: ReviewConfiguration): Plan {
  const verdictOn = pathFilter(reviews.path_filters);
  const inScope: ChangedFile[] = [];
  const outOfScope: FileCoverage[] = [];
  for (const file of change.files) {
    const reason = reasonToSkip(file, verdictOn(file.path));
    if (reason === undefined) inScope.push(file);
    else outOfScope.push({ path: file.path, state: 'skipped', reason });
  }
  return { inScope, outOfScope };
}

function reasonToSkip(
  file: ChangedFile,
  verdict: ReturnType<ReturnType<typeof pathFilter>>,
): CoverageReason | undefined {
  if (verdict === 'excluded') return 'filtered';
  if (file.kind === 'deleted') return 'deleted';
  if (verdict !== 'included') {
    if (isLockFile(file.path)) return 'lock_file';
    if (isGeneratedPath(file.path)) return 'generated';
  }
  return file.missing ?? undefined;
}
