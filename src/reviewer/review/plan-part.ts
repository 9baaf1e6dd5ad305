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
  /** Paths that need not be reviewed again. */
  readonly leaveOut: readonly string[];
}

/** The plan of a review, by paths. */
export interface PlannedReview {
  readonly baseRevision: string | null;
  readonly headRevision: string | null;
  /** All files of the change that are not left out, in its order. */
  readonly files: readonly string[];
  readonly inScope: readonly string[];
  /** Files in scope that are generated or vendored: they are only searched for credentials. */
  readonly generated: readonly string[];
  /** Files in scope with changed lines, which can be shown to a model. */
  readonly withHunks: readonly string[];
  /** Lock files, which are only compared with their old versions. */
  readonly lockFiles: readonly string[];
  /** The coverage of files that need not be read. */
  readonly outOfScope: readonly FileCoverage[];
  /** All files of the change that can have findings, including deleted ones and those that are left out. */
  readonly sayable: readonly string[];
  readonly estimate: Estimate;
}

/** Reads the change, and decides what is reviewed. */
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
