import type { CallerContext } from '../../../access/caller-context.ts';
import { onlyOrganization } from '../../../access/org-scope.ts';
import type { Database, Db, Fragment } from '../../../db/database.ts';
import type { OrganizationId } from '../../../lib/ids.ts';
import { cutPage } from '../../../lib/wire/one-page.ts';
import { type RunStatus, type RunSummary, runStatuses } from './run-record.ts';
import { summaryColumns } from './store.ts';

export interface RunFilter {
  /** Ids at the Git provider. */
  readonly repositoryIds?: readonly string[] | undefined;
  readonly statuses?: readonly RunStatus[] | undefined;
  /** Days in UTC, both included. */
  readonly startDate?: string | undefined;
  readonly endDate?: string | undefined;
}

export interface RunPosition {
  readonly createdAt: string;
  readonly id: string;
}

/** The newest runs of the organization that match, without findings and coverage. */
export async function listReviews(
  { database }: { database: Database },
  { scope }: Pick<CallerContext, 'scope'>,
  filter: RunFilter,
  { after, limit }: { after: RunPosition | undefined; limit: number },
): Promise<{ runs: readonly RunSummary[]; next: RunPosition | null }> {
  const { sql } = database;
  const organizationId = onlyOrganization(scope).organization.id;
  const found = await sql<RunSummary[]>`
    SELECT ${summaryColumns(sql)}
    FROM (${pageOf(sql, organizationId, filter, after, limit + 1)}) AS page
    JOIN review_runs r ON r.organization_id = ${organizationId} AND r.id = page.id
    JOIN repositories p ON p.organization_id = r.organization_id AND p.id = r.repository_id
    ORDER BY r.created_at DESC, r.id DESC`;
  const { rows, next } = cutPage(found, limit, ({ createdAt, id }) => ({
    createdAt: createdAt.toISOString(),
    id,
  }));
  return { runs: rows, next };
}

/** Reads each status of each repository by its own index range, so that the cost of a page depends on its size only. */
function pageOf(
  db: Db,
  organizationId: OrganizationId,
  { repositoryIds, statuses, startDate, endDate }: RunFilter,
  after: RunPosition | undefined,
  limit: number,
): Fragment {
  const newest = (condition: Fragment) => db`
    SELECT r.id, r.created_at FROM review_runs r
    WHERE r.organization_id = ${organizationId} ${condition}
      ${startDate === undefined ? db`` : db`AND r.created_at >= ${`${startDate}T00:00:00Z`}::timestamptz`}
      ${endDate === undefined ? db`` : db`AND r.created_at < ${`${endDate}T00:00:00Z`}::timestamptz + interval '1 day'`}
      ${after === undefined ? db`` : db`AND (r.created_at, r.id) < (${after.createdAt}::timestamptz, ${after.id}::uuid)`}
    ORDER BY r.created_at DESC, r.id DESC LIMIT ${limit}`;
  if (repositoryIds === undefined && statuses === undefined) return newest(db``);
  const wanted = db`unnest(${[...(statuses ?? runStatuses)]}::text[]) AS wanted (status)`;
  const places =
    repositoryIds === undefined
      ? db`${wanted} CROSS JOIN LATERAL (${newest(db`AND r.status = wanted.status`)}) AS newest`
      : db`${wanted}
          JOIN repositories p ON p.organization_id = ${organizationId} AND p.provider_repository_id = ANY(${[...repositoryIds]}::text[])
          CROSS JOIN LATERAL (${newest(db`AND r.repository_id = p.id AND r.status = wanted.status`)}) AS newest`;
  return db`SELECT newest.id FROM ${places} ORDER BY newest.created_at DESC, newest.id DESC LIMIT ${limit}`;
}
