import type { FileCoverage } from '../coverage.ts';
import type { Finding } from '../finding.ts';
import type { ModelUsage } from '../model/model-reviewer.ts';
import type { QuietFinding, Report } from '../review-report.ts';

/** The result of a review; a run adds who started it, when, and where it is published. */
export interface ReviewResult {
  readonly status: 'succeeded' | 'degraded';
  /** What was not reviewed, as text; null if everything in scope was. */
  readonly reason: string | null;
  readonly baseRevision: string | null;
  readonly headRevision: string | null;
  /** The coverage of every changed file, in the order of the change. */
  readonly coverage: readonly FileCoverage[];
  /** The findings that are worth a comment, worst first. */
  readonly findings: readonly Finding[];
  /** Findings that were left out because of `max_comments`, or are quiet, worst first. */
  readonly overflow: readonly Finding[];
  /** The findings that must not be posted; absent in results that an earlier version stored. */
  readonly quiet?: readonly QuietFinding[];
  /** The output besides the findings; null if the change could not be read. */
  readonly report: Report | null;
  readonly usage: ModelUsage | null;
  /** The paths of the guidelines in the repository that the model was shown. */
  readonly guidelines?: readonly string[];
  /** From 1 to 5 (ADR 0081). */
  readonly estimatedComplexity: number;
  readonly estimatedReviewMinutes: number;
  /** Notes for the reader, as sentences without duplicates: a tool that is not installed, a faulty configuration. */
  readonly notes: readonly string[];
}
