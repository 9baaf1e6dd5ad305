import type { OrganizationId } from '../../../lib/ids.ts';
import type { FileCoverage } from '../../../reviewer/coverage.ts';
import type { Finding } from '../../../reviewer/finding.ts';
import type { FindingLife } from '../../../reviewer/review/present-result.ts';
import type { Report } from '../../../reviewer/review-report.ts';
import type { Fix } from './fix-record.ts';

export const runStatuses = [
  'queued',
  'running',
  'succeeded',
  'degraded',
  'failed',
  'skipped',
  'superseded',
  'cancelled',
] as const;
export type RunStatus = (typeof runStatuses)[number];

export const runTriggers = ['opened', 'ready', 'reopened', 'push', 'comment', 'api'] as const;
export type RunTrigger = (typeof runTriggers)[number];

export const runModes = ['incremental', 'full'] as const;
export type RunMode = (typeof runModes)[number];

/** What caused a run. */
export interface RunCause {
  readonly trigger: RunTrigger;
  /** Queued because results of analyzers arrived; the trigger is `api` then. */
  readonly isForResults: boolean;
}

/** Whether somebody with a seat asked for a run. All other runs need an author with a seat, and can be paused. */
export const isAsked = ({ trigger, isForResults }: RunCause) =>
  !isForResults && (trigger === 'api' || trigger === 'comment');

/** Which run, of which tenant. */
export interface RunKey {
  readonly organizationId: OrganizationId;
  readonly runId: string;
}

/** A run as lists show it. */
export interface RunSummary {
  readonly id: string;
  /** The id at the Git provider. */
  readonly repositoryId: string;
  readonly pullRequest: number | null;
  readonly prUrl: string | null;
  readonly trigger: RunTrigger;
  readonly mode: RunMode;
  readonly status: RunStatus;
  readonly reason: string | null;
  readonly baseRevision: string | null;
  readonly headRevision: string | null;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  readonly model: string | null;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costUsd: number;
  readonly calls: number;
  readonly toolCalls: number;
  readonly estimatedComplexity: number | null;
  readonly estimatedReviewMinutes: number | null;
  /** Whether its findings are posted only when a member releases them; null if they are posted automatically. */
  readonly release: 'waiting' | 'released' | null;
  /** Notes for its readers, in sentences. */
  readonly notes: readonly string[];
}

/** A finding of a run, with its outcome. */
export type RunFinding = Omit<Finding, 'quote' | 'symbol' | 'isInDiff'> & FindingLife;

export interface Run extends RunSummary {
  readonly coverage: readonly FileCoverage[];
  readonly findings: readonly RunFinding[];
  readonly report: Report | null;
  /** The last request to commit its safe suggestions. */
  readonly fix: Fix | null;
}
