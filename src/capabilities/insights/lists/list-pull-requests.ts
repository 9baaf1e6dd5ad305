import type { CallerContext } from '../../../access/caller-context.ts';
import type { Database } from '../../../db/database.ts';
import type { OrganizationId } from '../../../lib/ids.ts';
import { cutPage } from '../../../lib/wire/one-page.ts';
import { shownTitle, titleColumn } from '../../pull-requests/pull-request-titles.ts';
import type { InsightFilter } from '../window/insight-filter.ts';
import { newestFirst, newestPullRequests, type PullRequestPosition } from '../window/newest-first.ts';
import { commentsOf } from '../window/select-comments.ts';
import { selectWindow } from '../window/select-pull-requests.ts';

/** A merged pull request, with the counts of its comments that are wanted. */
export interface ListedPullRequest {
  readonly organization: OrganizationId;
  readonly repositoryKey: string;
  readonly repository_id: string;
  readonly repository_name: string;
  readonly number: number;
  readonly title: string | null;
  readonly url: string;
  readonly author_id: string | null;
  readonly author_name: string | null;
  readonly created_at: Date;
  readonly ready_for_review_at: Date | null;
  readonly first_human_review_at: Date | null;
  readonly merged_at: Date;
  readonly review_iterations: number | null;
  readonly posted: number;
  readonly accepted: number;
  readonly not_accepted: number;
}

/** A page of the pull requests merged in the window, newest first. */
export async function listPullRequests(
  { database }: { readonly database: Database },
  { scope }: Pick<CallerContext, 'scope'>,
  filter: InsightFilter,
  { after, limit }: { after: PullRequestPosition | undefined; limit: number },
): Promise<{ rows: readonly ListedPullRequest[]; next: PullRequestPosition | null }> {
  const { sql } = database;
  const window = await selectWindow(sql, scope, filter);
  const start = after && { ...after, isIncluded: false };
  const found = await sql<ListedPullRequest[]>`
    SELECT p.organization_id AS organization, p.repository_id AS "repositoryKey", r.provider_repository_id AS repository_id,
      r.name AS repository_name, p.number, ${titleColumn(sql)} AS title, pr.url, p.author_id, coalesce(m.username, p.author_username) AS author_name,
      p.created_at, p.ready_for_review_at, p.first_human_review_at, p.merged_at, p.review_iterations,
      c.posted, c.accepted, c.not_accepted
    FROM (
      SELECT * FROM (${newestPullRequests(sql, window, { start, count: limit + 1 })}) AS p
      ORDER BY ${newestFirst(sql)} LIMIT ${limit + 1}) AS p
    JOIN repositories r ON r.organization_id = p.organization_id AND r.id = p.repository_id
    JOIN pull_requests pr ON pr.organization_id = p.organization_id AND pr.repository_id = p.repository_id AND pr.number = p.number
    LEFT JOIN members m ON m.organization_id = p.organization_id AND m.provider_user_id = p.author_id
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS posted, count(*) FILTER (WHERE accepted)::int AS accepted,
        count(*) FILTER (WHERE NOT accepted)::int AS not_accepted
      FROM (${commentsOf(sql, filter)}) AS c) AS c
    ORDER BY ${newestFirst(sql)}`;
  const shown = found.map((row) => ({ ...row, title: shownTitle(row.title) }));
  return cutPage(shown, limit, positionOf);
}

export function positionOf(row: {
  readonly merged_at: Date;
  readonly organization: OrganizationId;
  readonly repositoryKey: string;
  readonly number: number;
}): PullRequestPosition {
  return {
    mergedAt: row.merged_at.toISOString(),
    organizationId: row.organization,
    repositoryId: row.repositoryKey,
    number: row.number,
  };
}
