import type { Change, ChangedFile, MissingHunks } from '../change/change.ts';
import { isGeneratedPath, isLockFile, isVendored } from '../change/file-kinds.ts';
import { pathFilter } from '../configuration/path-filters.ts';
import type { ReviewConfiguration } from '../configuration/review-configuration.ts';
import type { CoverageReason, FileCoverage } from '../coverage.ts';

/** The files that a review covers, and those that it leaves out, with the reasons. */
export interface Plan {
  readonly inScope: readonly ChangedFile[];
  /** Files that are generated according to their paths: they are only searched for credentials. */
  readonly generated: readonly ChangedFile[];
  /** Lock files, which are not handwritten: they are compared, but neither shown to a model nor examined as text. */
  readonly lockFiles: readonly ChangedFile[];
  /** Deleted files have no text to examine; the effects on other files are found by analyzing the repository. */
  readonly deleted: readonly ChangedFile[];
  readonly outOfScope: readonly FileCoverage[];
}

/** Links and submodules have no text of their own. */
const unread: Readonly<Record<MissingHunks, CoverageReason>> = {
  binary: 'binary',
  too_large: 'too_large',
  submodule: 'no_rule_for_language',
  symbolic_link: 'no_rule_for_language',
  content_missing: 'content_missing',
};

/** Decides by paths and kinds alone which files are reviewed, without reading texts. */
export function planReview(change: Change, { reviews }: ReviewConfiguration): Plan {
  const verdictOn = pathFilter(reviews.path_filters);
  const inScope: ChangedFile[] = [];
  const generated: ChangedFile[] = [];
  const lockFiles: ChangedFile[] = [];
  const deleted: ChangedFile[] = [];
  const outOfScope: FileCoverage[] = [];
  for (const file of change.files) {
    const verdict = verdictOn(file.path);
    const reason = reasonToSkip(file, verdict);
    if (reason === undefined && file.kind === 'deleted') deleted.push(file);
    else if (reason === undefined && verdict !== 'included' && isLockFile(file.path)) lockFiles.push(file);
    else if (reason === undefined && verdict !== 'included' && isGeneratedPath(file.path))
      generated.push(file);
    else if (reason === undefined) inScope.push(file);
    else outOfScope.push({ path: file.path, state: 'skipped', reason });
  }
  return { inScope, generated, lockFiles, deleted, outOfScope };
}

function reasonToSkip(
  file: ChangedFile,
  verdict: ReturnType<ReturnType<typeof pathFilter>>,
): CoverageReason | undefined {
  if (verdict === 'excluded') return 'filtered';
  if (file.kind === 'deleted') return undefined;
  const isMade = verdict !== 'included' && isGeneratedPath(file.path);
  if (isMade && (isVendored(file.path) || file.missing !== null)) return 'generated';
  // Lock files are often larger than the limit for texts.
  if (isLockFile(file.path) && file.missing === 'too_large') return undefined;
  return file.missing === null ? undefined : unread[file.missing];
}
