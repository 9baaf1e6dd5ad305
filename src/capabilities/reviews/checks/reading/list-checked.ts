import type { CallerContext } from '../../../../access/caller-context.ts';
import { onlyOrganization } from '../../../../access/org-scope.ts';
import type { Database, Db, Fragment } from '../../../../db/database.ts';
import { cutPage } from '../../../../lib/wire/one-page.ts';
import type { CheckVerdict } from '../../../../reviewer/report/report.ts';

export type CheckedState = 'failure' | 'neutral' | 'success';

export interface CheckedFilter {
  /** Ids at the Git provider. */
  readonly repositoryIds?: readonly string[] | undefined;
  readonly state?: CheckedState | undefined;
  /** Only where this check failed. */
  readonly failed?: string | undefined;
}

/** A pull request, and what checks said about its newest version. */
export interface CheckedPullRequest {
  readonly repositoryId: string;
  readonly pullRequest: number;
  readonly prUrl: string;
  readonly title: string | null;
  readonly isOpen: boolean;
  readonly head: string;
  readonly verdicts: readonly CheckVerdict[];
  readonly evaluatedAt: Date;
}

export interface CheckedPosition {
  readonly evaluatedAt: string;
  readonly repository: string;
  readonly number: number;
}

/** Pull requests whose checks were evaluated, the newest evaluation first. */
export async function listChecked(
  { database: { sql } }: { readonly database: Database },
  { scope }: Pick<CallerContext, 'scope'>,
  { repositoryIds, state, failed }: CheckedFilter,
  { after, limit }: { readonly after: CheckedPosition | undefined; readonly limit: number },
): Promise<{ readonly rows: readonly CheckedPullRequest[]; readonly next: CheckedPosition | null }> {
  const organizationId = onlyOrganization(scope).organization.id;
  const found = await sql<(CheckedPullRequest & { repository: string })[]>`
    SELECT r.provider_repository_id AS "repositoryId", c.number AS "pullRequest", p.url AS "prUrl", p.facts->>'title' AS title,
      p.state = 'open' AS "isOpen", c.head_revision AS head, c.verdicts, c.evaluated_at AS "evaluatedAt", c.repository_id AS repository
    FROM pull_request_checks c
    JOIN reviewed_pull_requests p ON p.organization_id = c.organization_id AND p.repository_id = c.repository_id
      AND p.number = c.number AND p.head_revision = c.head_revision
    JOIN repositories r ON r.organization_id = c.organization_id AND r.id = c.repository_id
    WHERE c.organization_id = ${organizationId} AND c.verdicts <> '[]'::jsonb
      ${repositoryIds === undefined ? sql`` : sql`AND r.provider_repository_id = ANY(${[...repositoryIds]}::text[])`}
      ${state === undefined ? sql`` : isIn(sql, state)}
      ${failed === undefined ? sql`` : hasFailed(sql, failed)}
      ${after === undefined ? sql`` : isAfter(sql, after)}
    ORDER BY c.evaluated_at DESC, c.repository_id DESC, c.number DESC LIMIT ${limit + 1}`;
  return cutPage(found, limit, ({ evaluatedAt, repository, pullRequest }) => ({
    evaluatedAt: evaluatedAt.toISOString(),
    repository,
    number: pullRequest,
  }));
}

/** By the same rules as the status on the host. */
function isIn(db: Db, state: CheckedState): Fragment {
  const fails = db`c.verdicts @? '$[*] ? (@.mode == "error" && @.verdict == "failed")'`;
  const isOpen = db`c.verdicts @? '$[*] ? ((@.mode == "error" && @.verdict == "inconclusive") || (@.mode == "warning" && @.verdict == "failed"))'`;
  switch (state) {
    case 'failure':
      return db`AND ${fails}`;
    case 'neutral':
      return db`AND NOT ${fails} AND ${isOpen}`;
    case 'success':
      return db`AND NOT ${fails} AND NOT ${isOpen}`;
  }
}

function hasFailed(db: Db, name: string): Fragment {
  return db`AND c.verdicts @> ${JSON.stringify([{ name, verdict: 'failed' }])}::text::jsonb`;
}

function isAfter(db: Db, { evaluatedAt, repository, number }: CheckedPosition): Fragment {
  return db`AND (c.evaluated_at, c.repository_id, c.number) < (${evaluatedAt}::timestamptz, ${repository}::uuid, ${number}::integer)`;
}
