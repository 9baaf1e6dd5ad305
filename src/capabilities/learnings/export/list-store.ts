import { type OrgScope, organizationIdsOf } from '../../../access/org-scope.ts';
import type { Db } from '../../../db/database.ts';
import type { OrganizationId, ProviderUserId, RepositoryId } from '../../../lib/ids.ts';
import {
  type ExportedLearning,
  exportBody,
  exportJoins,
  isApprovedSql,
  learningOf,
  readExported,
} from './export-rows.ts';

/** Where a page of one organization ends. */
export interface TimePosition {
  readonly createdAt: string;
  readonly id: string;
}

export interface LearningFilters {
  /** Absent: every repository. */
  readonly repositories?: readonly RepositoryId[] | undefined;
  readonly userIds?: readonly string[] | undefined;
  readonly search?: string | undefined;
  readonly files?: readonly string[] | undefined;
  readonly usedSince?: Date | undefined;
  readonly neverUsed?: boolean | undefined;
  readonly createdSince?: Date | undefined;
}

export interface PageRow extends TimePosition {
  /** JSON text; null for the row after the page, and for all rows of a page that is too large to be sent. */
  readonly body: string | null;
}

export interface OrganizationPage {
  /** As many as requested, plus one if there are more. */
  readonly rows: readonly PageRow[];
  /** The total size of the page's bodies, known without fetching them. */
  readonly bytes: number;
}

function conditions(db: Db, filters: LearningFilters) {
  const { userIds, search, files, usedSince, createdSince } = filters;
  return [
    userIds && db`AND l.author_id = ANY(${[...userIds]}::text[])`,
    search !== undefined && db`AND strpos(lower(l.learning), lower(${search})) > 0`,
    files && db`AND l.file = ANY(${[...files]}::text[])`,
    usedSince && db`AND l.last_used_at >= ${usedSince}`,
    filters.neverUsed && db`AND l.usage_count = 0`,
    createdSince && db`AND l.created_at >= ${createdSince}`,
  ]
    .flatMap((condition) => condition || [])
    .reduce((all, condition) => db`${all} ${condition}`, db``);
}

/** The shared and approved Learnings of one organization after a position, oldest first. */
export async function findPage(
  db: Db,
  scope: OrgScope,
  organizationId: OrganizationId,
  filters: LearningFilters,
  page: {
    readonly now: Date;
    readonly after: TimePosition | undefined;
    readonly limit: number;
    /** Bodies are not fetched if their total size is larger than this. */
    readonly maxBytes: number;
  },
): Promise<OrganizationPage> {
  const { now, after, limit, maxBytes } = page;
  const stream = (condition: ReturnType<typeof db>) => db`
    SELECT l.organization_id, l.id, l.created_at FROM learnings l
    WHERE l.organization_id = ${organizationId} AND l.organization_id = ANY(${organizationIdsOf(scope)}::uuid[])
      AND l.visibility = 'shared' AND ${isApprovedSql(db, now)} ${conditions(db, filters)} ${condition}
      ${after === undefined ? db`` : db`AND (l.created_at, l.id) > (${after.createdAt}::text::timestamptz, ${after.id}::uuid)`}
    ORDER BY l.created_at, l.id LIMIT ${limit + 1}`;
  // One ordered stream per repository, each from its index, instead of sorting the rows of several repositories.
  const streams =
    filters.repositories === undefined
      ? stream(db``)
      : db`SELECT s.* FROM unnest(${[...filters.repositories]}::uuid[]) AS wanted (id),
          LATERAL (${stream(db`AND l.repository_id = wanted.id`)}) AS s ORDER BY s.created_at, s.id LIMIT ${limit + 1}`;
  const rows = await db<(PageRow & { bytes: number })[]>`
    WITH chosen AS MATERIALIZED (
      SELECT s.*, row_number() OVER (ORDER BY s.created_at, s.id) AS position FROM (${streams}) AS s),
    page AS MATERIALIZED (
      SELECT c.id, c.created_at, c.position, CASE WHEN c.position <= ${limit} THEN ${exportBody(db)} END AS body
      FROM chosen c ${learningOf(db, db`c`)} ${exportJoins(db)}),
    size AS (SELECT coalesce(sum(octet_length(body)), 0)::bigint AS bytes FROM page)
    SELECT page.id, to_char(page.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "createdAt",
      size.bytes, CASE WHEN size.bytes <= ${maxBytes} THEN page.body END AS body
    FROM page, size ORDER BY page.position`;
  return { rows, bytes: rows[0]?.bytes ?? 0 };
}

/** One Learning of the organization as the export shows it, whatever its state. */
export async function loadExported(
  db: Db,
  organizationId: OrganizationId,
  id: string,
): Promise<ExportedLearning | undefined> {
  const [row] = await db<{ body: string }[]>`
    SELECT ${exportBody(db)} AS body FROM learnings l ${exportJoins(db)}
    WHERE l.organization_id = ${organizationId} AND l.id = ${id}`;
  return row && readExported(row.body);
}

/** The repositories in scope with these ids at their Git provider. */
export async function findRepositoriesById(
  db: Db,
  scope: OrgScope,
  providerIds: readonly string[],
): Promise<RepositoryId[]> {
  const rows = await db<{ id: RepositoryId }[]>`
    SELECT id FROM repositories
    WHERE organization_id = ANY(${organizationIdsOf(scope)}::uuid[])
      AND provider_repository_id = ANY(${[...providerIds]}::text[])`;
  return rows.map(({ id }) => id);
}

/** The active repositories in scope with that name that the account can read. */
export async function findReadableRepositories(
  db: Db,
  scope: OrgScope,
  name: string,
  userId: ProviderUserId | null,
): Promise<RepositoryId[]> {
  const rows = await db<{ id: RepositoryId }[]>`
    SELECT r.id FROM repositories r
    WHERE r.organization_id = ANY(${organizationIdsOf(scope)}::uuid[]) AND r.name = ${name} AND r.active
      AND (NOT r.readers_restricted OR EXISTS (
        SELECT 1 FROM repository_readers x
        WHERE x.organization_id = r.organization_id AND x.repository_id = r.id AND x.provider_user_id = ${userId}))`;
  return rows.map(({ id }) => id);
}
