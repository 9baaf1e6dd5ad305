import type { ChangeSource } from '../change/change-source.ts';
import { pathFilter } from '../configuration/path-filters.ts';
import type { ReviewConfiguration } from '../configuration/review-configuration.ts';
import type { FileCoverage } from '../coverage.ts';
import { findGenerated } from '../exceptions/exceptions.ts';
import type { Workplace } from '../process/part.ts';
import { type Estimate, estimateReview } from './estimate.ts';
import { planReview } from './plan.ts';

export interface PlanRequest {
  readonly change: ChangeSource;
  readonly configuration: ReviewConfiguration;
  /** Paths that need not be looked at again. */
  readonly leaveOut: readonly string[];
}

/** What a review looks at, by paths. */
export interface PlannedReview {
  readonly baseRevision: string | null;
  readonly headRevision: string | null;
  /** Every file of the change that is not left out, in its order. */
  readonly files: readonly string[];
  readonly inScope: readonly string[];
  /** Those in scope that the repository calls generated or the work of others: only credentials are looked for in them. */
  readonly generated: readonly string[];
  /** Those in scope that have changed lines, which a model can be shown. */
  readonly withHunks: readonly string[];
  /** Those that are only compared with what they were. */
  readonly lockFiles: readonly string[];
  /** Those that need not be read. */
  readonly outOfScope: readonly FileCoverage[];
  /** All files of the change that something can be said about, those included that are left out or were deleted. */
  readonly sayable: readonly string[];
  readonly estimate: Estimate;
}

/** Reads the change and decides what is reviewed. */
export async function work(
  { change: source, configuration, leaveOut }: PlanRequest,
  { openChange }: Pick<Workplace, 'openChange'>,
): Promise<PlannedReview> {
  const change = await openChange(source);
  const skipped = new Set(leaveOut);
  const files = change.files.filter(({ path }) => !skipped.has(path));
  const plan = planReview({ ...change, files }, configuration);
  const { inScope, lockFiles, deleted, outOfScope } = plan;
  const whole = planReview(change, configuration);
  const isIncluded = pathFilter(configuration.reviews.path_filters);
  const marked = await findGenerated(
    source,
    inScope.map(({ path }) => path).filter((path) => isIncluded(path) !== 'included'),
  );
  const made = plan.generated.map(({ path }) => path);
  const unwritten = new Set(marked);
  const written = inScope.filter(({ path }) => !unwritten.has(path));
  return {
    baseRevision: change.baseRevision,
    headRevision: change.headRevision,
    files: files.map(({ path }) => path),
    inScope: [...inScope.map(({ path }) => path), ...made],
    generated: [...marked, ...made],
    withHunks: written.filter(({ hunks }) => hunks.length > 0).map(({ path }) => path),
    lockFiles: lockFiles.map(({ path }) => path),
    outOfScope: [
      ...outOfScope,
      ...deleted.map(({ path }) => ({ path, state: 'full', reason: null }) as const),
    ],
    sayable: [...whole.inScope, ...whole.generated, ...whole.lockFiles, ...whole.deleted].map(
      ({ path }) => path,
    ),
    estimate: estimateReview(written),
  };
}
