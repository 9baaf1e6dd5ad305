import type { CallerContext } from '../../../access/caller-context.ts';
import { onlyOrganization } from '../../../access/org-scope.ts';
import type { Database } from '../../../db/database.ts';
import { AppError } from '../../../lib/app-error.ts';
import type { RepositoryId } from '../../../lib/ids.ts';
import { withShownPaths } from '../../../redaction/shown-path.ts';
import type { PullRequestState } from '../../pull-requests/pull-request-state.ts';
import { findReadableStorages } from '../../review-metrics/storage/readable-storages.ts';
import type { ListedComment } from '../lists/list-comments.ts';
import { commentsOf } from '../window/select-comments.ts';

export interface PullRequestReference {
  /** The repository's id at the Git provider. */
  readonly repositoryId: string;
  readonly number: number;
}

export interface PullRequestRow {
  readonly repositoryKey: RepositoryId;
  readonly repository_name: string;
  readonly url: string;
  readonly state: PullRequestState;
  readonly author_id: string | null;
  readonly author_name: string | null;
  readonly created_at: Date | null;
  readonly ready_for_review_at: Date | null;
  readonly first_human_review_at: Date | null;
  readonly last_commit_at: Date | null;
  readonly merged_at: Date | null;
  readonly closed_at: Date | null;
  readonly review_iterations: number | null;
  readonly estimated_complexity: number | null;
  readonly estimated_review_minutes: number | null;
}

export interface PullRequestComment
  extends Pick<
    ListedComment,
    | 'finding_id'
    | 'url'
    | 'title'
    | 'path'
    | 'start_line'
    | 'severity'
    | 'category'
    | 'source'
    | 'accepted'
    | 'chance'
  > {
  /** The signal that decided `accepted`. */
  readonly signal: string | null;
}

export interface PullRequestRun {
  readonly id: string;
  readonly status: string;
  readonly trigger: string;
  readonly created_at: Date;
  readonly started_at: Date | null;
  readonly finished_at: Date | null;
  readonly cost_usd: number;
  readonly calls: number;
}

const maxRuns = 100;

/** What is known about a pull request in any state: its times, its comments with their outcomes, and its newest reviews, counted. */
export async function readPullRequest(
  { database }: { readonly database: Database },
  { scope }: Pick<CallerContext, 'scope'>,
  { repositoryId, number }: PullRequestReference,
) {
  const { sql } = database;
  await findReadableStorages(sql, scope);
  const organizationId = onlyOrganization(scope).organization.id;
  const [pullRequest] = await sql<PullRequestRow[]>`
    SELECT pr.repository_id AS "repositoryKey", r.name AS repository_name, pr.url, pr.state, p.author_id,
      coalesce(m.username, p.author_username) AS author_name, p.created_at, p.ready_for_review_at, p.first_human_review_at,
      p.last_commit_at, p.merged_at, p.closed_at, p.review_iterations, p.estimated_complexity, p.estimated_review_minutes
    FROM repositories r
    JOIN pull_requests pr ON pr.organization_id = r.organization_id AND pr.repository_id = r.id AND pr.number = ${number}
    JOIN review_metrics p ON p.organization_id = r.organization_id AND p.repository_id = r.id AND p.number = pr.number
    LEFT JOIN members m ON m.organization_id = p.organization_id AND m.provider_user_id = p.author_id
    WHERE r.organization_id = ${organizationId} AND r.provider_repository_id = ${repositoryId}`;
  if (pullRequest === undefined) throw new AppError('NOT_FOUND', 'There is no such pull request');
  const { repositoryKey } = pullRequest;
  const comments = await sql<PullRequestComment[]>`
    SELECT c.finding_id, c.url, c.title, c.path, c.start_line, c.severity, c.category, c.source, c.accepted, c.chance, c.signal
    FROM review_metrics p CROSS JOIN LATERAL (${commentsOf(sql, {})}) AS c
    WHERE p.organization_id = ${organizationId} AND p.repository_id = ${repositoryKey} AND p.number = ${number}
    ORDER BY c.position`;
  const runs = await sql<(PullRequestRun & { total: number })[]>`
    SELECT count(*) OVER ()::int AS total, id, status, trigger, created_at, started_at, finished_at, cost_usd, calls FROM review_runs
    WHERE organization_id = ${organizationId} AND repository_id = ${repositoryKey} AND pull_request = ${number}
    ORDER BY created_at DESC LIMIT ${maxRuns}`;
  return {
    pullRequest,
    comments: withShownPaths(comments),
    runs: runs.map(({ total: _, ...run }) => run),
    runCount: runs[0]?.total ?? 0,
  };
}
