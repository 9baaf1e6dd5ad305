import { withShownPaths } from '../../../redaction/shown-path.ts';
import { presentFinding } from '../../../reviewer/review/present-result.ts';
import type { Fix } from './fix-record.ts';
import type { Run, RunSummary } from './run-record.ts';

/** A run as lists show it. */
export function presentSummary(run: RunSummary) {
  return {
    id: run.id,
    repository_id: run.repositoryId,
    pull_request: run.pullRequest,
    pr_url: run.prUrl,
    trigger: run.trigger,
    mode: run.mode,
    status: run.status,
    reason: run.reason,
    base_revision: run.baseRevision,
    head_revision: run.headRevision,
    created_at: run.createdAt.toISOString(),
    started_at: run.startedAt?.toISOString() ?? null,
    finished_at: run.finishedAt?.toISOString() ?? null,
    usage: {
      model: run.model,
      input_tokens: run.inputTokens,
      output_tokens: run.outputTokens,
      cost_usd: run.costUsd,
      calls: run.calls,
      tool_calls: run.toolCalls,
    },
    estimated_complexity: run.estimatedComplexity,
    estimated_review_minutes: run.estimatedReviewMinutes,
    release: run.release,
    notes: run.notes,
  };
}

/** A request to commit suggestions. */
export function presentFix({ state, commit, findingIds, leftOver, reason, requestedAt }: Fix) {
  const isDone = state === 'done';
  return {
    status: state,
    commit: isDone ? commit : null,
    finding_ids: isDone ? [...findingIds] : [],
    left_over: isDone ? leftOver : 0,
    reason,
    requested_at: requestedAt.toISOString(),
  };
}

/** A run with all details. */
export function presentRun(run: Run) {
  return {
    ...presentSummary(run),
    coverage: withShownPaths(run.coverage),
    findings: run.findings.map((finding) => presentFinding(finding, finding)),
    report: run.report,
    fix: run.fix && presentFix(run.fix),
  };
}
