import type { CallerContext } from '../../../access/caller-context.ts';
import type { Database } from '../../../db/database.ts';
import type { OrganizationId } from '../../../lib/ids.ts';
import { cutPage } from '../../../lib/wire/one-page.ts';
import { withShownPaths } from '../../../redaction/shown-path.ts';
import type { Category, Severity } from '../../../reviewer/finding-vocabulary.ts';
import type { CommentSource, InsightFilter } from '../window/insight-filter.ts';
import { newestFirst, newestPullRequests, type PullRequestPosition } from '../window/newest-first.ts';
import { commentsOf } from '../window/select-comments.ts';
import { selectWindow } from '../window/select-pull-requests.ts';
import { positionOf } from './list-pull-requests.ts';

/** A comment on a merged pull request. */
export interface ListedComment {
  readonly organization: OrganizationId;
  readonly repositoryKey: string;
  readonly repository_id: string;
  readonly repository_name: string;
  readonly number: number;
  readonly merged_at: Date;
  readonly author_id: string | null;
  readonly author_name: string | null;
  readonly position: number;
  readonly finding_id: string;
  readonly url: string;
  readonly title: string | null;
  readonly path: string | null;
  readonly start_line: number | null;
  readonly severity: Severity | null;
  readonly category: Category | null;
  readonly source: CommentSource;
  readonly accepted: boolean | null;
  readonly chance: number | null;
}

export interface CommentPosition extends PullRequestPosition {
  readonly comment: number;
}

/** A page of the comments on pull requests merged in the window: newest merge first, then as they were posted. */
export async function listComments(
  { database }: { readonly database: Database },
  { scope }: Pick<CallerContext, 'scope'>,
  filter: InsightFilter,
  { after, limit }: { after: CommentPosition | undefined; limit: number },
): Promise<{ rows: readonly ListedComment[]; next: CommentPosition | null }> {
  const { sql } = database;
  const window = await selectWindow(sql, scope, filter);
  const start = after && { ...after, isIncluded: true };
  // The pull request that a page ended in may have no comment left, hence one more.
  const found = await sql<ListedComment[]>`
    SELECT p.organization_id AS organization, p.repository_id AS "repositoryKey", r.provider_repository_id AS repository_id,
      r.name AS repository_name, p.number, p.merged_at, p.author_id, coalesce(m.username, p.author_username) AS author_name,
      c.position::int, c.finding_id, c.url, c.title, c.path, c.start_line, c.severity, c.category, c.source, c.accepted, c.chance
    FROM (${newestPullRequests(sql, window, { start, count: limit + 2, hasComments: true })}) AS p
    CROSS JOIN LATERAL (${commentsOf(sql, filter)}) AS c
    JOIN repositories r ON r.organization_id = p.organization_id AND r.id = p.repository_id
    LEFT JOIN members m ON m.organization_id = p.organization_id AND m.provider_user_id = p.author_id
    ${
      after === undefined
        ? sql``
        : sql`WHERE c.position > ${after.comment} OR (p.organization_id, p.repository_id, p.number)
            <> (${after.organizationId}::uuid, ${after.repositoryId}::uuid, ${after.number}::int)`
    }
    ORDER BY ${newestFirst(sql)}, c.position LIMIT ${limit + 1}`;
  return cutPage(withShownPaths(found), limit, (row) => ({ ...positionOf(row), comment: row.position }));
}
