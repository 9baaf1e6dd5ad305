import type { FileCoverage } from '../coverage.ts';
import type { Finding } from '../finding.ts';
import type { ModelUsage } from '../model/model-reviewer.ts';
import type { QuietFinding, Report } from '../review-report.ts';

/** What a review of a change came to; a run adds who started it, when, and where it is published. */
export interface ReviewResult {
  readonly status: 'succeeded' | 'degraded';
  /** What was not looked at, for people; null when everything in scope was. */
  readonly reason: string | null;
  readonly baseRevision: string | null;
  readonly headRevision: string | null;
  /** Every changed file, in the order of the change. */
  readonly coverage: readonly FileCoverage[];
  /** What is worth a comment, worst first. */
  readonly findings: readonly Finding[];
  /** Findings that were left out because of `max_comments`, or are quiet, worst first. */
  readonly overflow: readonly Finding[];
  /** Which of the findings are not to be posted; absent in what an earlier version kept. */
  readonly quiet?: readonly QuietFinding[];
  /** What there is to know beside the findings; null if the change could not be read. */
  readonly report: Report | null;
  readonly usage: ModelUsage | null;
  /** The guidelines of the repository that a model followed, by their paths. */
  readonly guidelines?: readonly string[];
  /** From 1 to 5 (ADR 0081). */
  readonly estimatedComplexity: number;
  readonly estimatedReviewMinutes: number;
  /** What the reader of the result should know, in sentences, each once: a tool that is not installed, configuration that was not understood. */
  readonly notes: readonly string[];
}
