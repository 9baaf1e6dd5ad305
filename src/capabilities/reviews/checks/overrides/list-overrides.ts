import type { CallerContext } from '../../../../access/caller-context.ts';
import { onlyOrganization } from '../../../../access/org-scope.ts';
import type { Database } from '../../../../db/database.ts';
import { cutPage } from '../../../../lib/wire/one-page.ts';
import type { Override } from '../../check-records/override-store.ts';

export interface OverrideFilter {
  readonly check?: string | undefined;
  /** Ids at the Git provider. */
  readonly repositoryIds?: readonly string[] | undefined;
  /** Days in UTC, both included. */
  readonly startDate?: string | undefined;
  readonly endDate?: string | undefined;
}

export interface ListedOverride extends Override {
  readonly id: string;
  readonly repositoryId: string;
  readonly pullRequest: number;
  readonly prUrl: string;
  readonly head: string;
  readonly endedAt: Date | null;
}

export interface OverridePosition {
  readonly createdAt: string;
  readonly id: string;
}

/** Who overrode which checks, the newest first. */
export async function listOverrides(
  { database: { sql } }: { readonly database: Database },
  { scope }: Pick<CallerContext, 'scope'>,
  { check, repositoryIds, startDate, endDate }: OverrideFilter,
  { after, limit }: { readonly after: OverridePosition | undefined; readonly limit: number },
): Promise<{ readonly overrides: readonly ListedOverride[]; readonly next: OverridePosition | null }> {
  const organizationId = onlyOrganization(scope).organization.id;
  const found = await sql<ListedOverride[]>`
    SELECT o.id, p.provider_repository_id AS "repositoryId", o.number AS "pullRequest", r.url AS "prUrl", o.head_revision AS head,
      o.check_name AS check, jsonb_build_object('id', o.actor_id, 'name', o.actor_name) AS actor, o.reason,
      o.comment_url AS "commentUrl", o.created_at AS "createdAt", o.ended_at AS "endedAt"
    FROM (
      SELECT * FROM check_overrides
      WHERE organization_id = ${organizationId}
        ${check === undefined ? sql`` : sql`AND check_name = ${check}`}
        ${
          repositoryIds === undefined
            ? sql``
            : sql`AND repository_id IN (SELECT id FROM repositories
                WHERE organization_id = ${organizationId} AND provider_repository_id = ANY(${[...repositoryIds]}::text[]))`
        }
        ${startDate === undefined ? sql`` : sql`AND created_at >= ${`${startDate}T00:00:00Z`}::timestamptz`}
        ${endDate === undefined ? sql`` : sql`AND created_at < ${`${endDate}T00:00:00Z`}::timestamptz + interval '1 day'`}
        ${after === undefined ? sql`` : sql`AND (created_at, id) < (${after.createdAt}::timestamptz, ${after.id}::uuid)`}
      ORDER BY created_at DESC, id DESC LIMIT ${limit + 1}) o
    JOIN repositories p ON p.organization_id = o.organization_id AND p.id = o.repository_id
    JOIN reviewed_pull_requests r ON r.organization_id = o.organization_id AND r.repository_id = o.repository_id AND r.number = o.number
    ORDER BY o.created_at DESC, o.id DESC`;
  const { rows, next } = cutPage(found, limit, ({ createdAt, id }) => ({
    createdAt: createdAt.toISOString(),
    id,
  }));
  return { overrides: rows, next };
}
