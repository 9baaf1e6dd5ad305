import type { CallerContext } from '../../../../access/caller-context.ts';
import { onlyOrganization } from '../../../../access/org-scope.ts';
import type { Database } from '../../../../db/database.ts';
import { cutPage } from '../../../../lib/wire/one-page.ts';
import type { CheckVerdict } from '../../../../reviewer/review-report.ts';

export type CheckedState = 'failure' | 'neutral' | 'success';

export interface CheckedFilter {
  /** Ids at the Git provider. */
  readonly repositoryIds?: readonly string[] | undefined;
  readonly state?: CheckedState | undefined;
  /** Only where this check failed. */
  readonly failed?: string | undefined;
}

/** A pull request with the verdicts on its newest version. */
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
  // Pull requests that fail a certain check have an index of their own, in the same order.
  const from =
    failed === undefined
      ? sql`pull_request_checks c`
      : sql`check_records f JOIN pull_request_checks c ON c.organization_id = f.organization_id AND c.repository_id = f.repository_id
          AND c.number = f.number`;
  const place =
    failed === undefined
      ? sql`c.evaluated_at, c.repository_id, c.number`
      : sql`f.failing_at, f.repository_id, f.number`;
  const order =
    failed === undefined
      ? sql`c.evaluated_at DESC, c.repository_id DESC, c.number DESC`
      : sql`f.failing_at DESC, f.repository_id DESC, f.number DESC`;
  const found = await sql<(CheckedPullRequest & { repository: string })[]>`
    SELECT (SELECT provider_repository_id FROM repositories WHERE organization_id = c.organization_id AND id = c.repository_id) AS "repositoryId",
      c.number AS "pullRequest", p.url AS "prUrl", p.facts->>'title' AS title,
      p.state = 'open' AS "isOpen", c.head_revision AS head, c.verdicts, c.evaluated_at AS "evaluatedAt", c.repository_id AS repository
    FROM ${from}
    JOIN reviewed_pull_requests p ON p.organization_id = c.organization_id AND p.repository_id = c.repository_id
      AND p.number = c.number AND p.head_revision = c.head_revision
    WHERE c.organization_id = ${organizationId} AND c.is_newest AND c.verdicts <> '[]'::jsonb
      ${
        repositoryIds === undefined
          ? sql``
          : sql`AND c.repository_id IN (SELECT id FROM repositories
              WHERE organization_id = ${organizationId} AND provider_repository_id = ANY(${[...repositoryIds]}::text[]))`
      }
      ${state === undefined ? sql`` : sql`AND c.state = ${state}`}
      ${failed === undefined ? sql`` : sql`AND f.organization_id = ${organizationId} AND f.check_name = ${failed} AND f.failing_at IS NOT NULL`}
      ${after === undefined ? sql`` : sql`AND (${place}) < (${after.evaluatedAt}::timestamptz, ${after.repository}::uuid, ${after.number}::integer)`}
    ORDER BY ${order} LIMIT ${limit + 1}`;
  return cutPage(found, limit, ({ evaluatedAt, repository, pullRequest }) => ({
    evaluatedAt: evaluatedAt.toISOString(),
    repository,
    number: pullRequest,
  }));
}
