import type { CallerContext } from '../../../access/caller-context.ts';
import { type OrgScope, organizationIdsOf } from '../../../access/org-scope.ts';
import type { Database, Db } from '../../../db/database.ts';
import { cutPage } from '../../../lib/wire/one-page.ts';
import {
  type ExportedLearning,
  exportBody,
  exportJoins,
  isApprovedSql,
  learningOf,
  readExported,
} from './export-rows.ts';

const dayMs = 24 * 60 * 60 * 1000;
const idleDays = 90;

/**
 * used: in a review in the last 90 days; unused: not in that time, and older than that; followed, contradicted: a comment
 * that cites it was accepted, or was not.
 */
export type Health = 'used' | 'unused' | 'followed' | 'contradicted';
export type UsageSort = '-created' | 'created' | '-used' | '-uses' | '-contradicted';

export interface UsageSearch {
  readonly search: string | undefined;
  readonly repositoryId: string | undefined;
  readonly health: Health | undefined;
  readonly sort: UsageSort;
}

/** The last Learning of a page: what the list is sorted by, and the id that makes the order unique. */
export interface UsagePosition {
  readonly key: string;
  readonly id: string;
}

interface UsageRow extends UsagePosition {
  readonly body: string;
  readonly followed: number;
  readonly contradicted: number;
}

export type LearningUsage = ExportedLearning & { readonly followed: number; readonly contradicted: number };

/** How often comments that cite a Learning were accepted or not, by Learning. */
function verdicts(db: Db, scope: OrgScope) {
  return db`
    SELECT cited.id::uuid AS learning_id, count(*) FILTER (WHERE f.accepted)::int AS followed,
      count(*) FILTER (WHERE NOT f.accepted)::int AS contradicted
    FROM review_findings f CROSS JOIN LATERAL unnest(f.learning_ids) AS cited (id)
    WHERE f.organization_id = ANY(${organizationIdsOf(scope)}::uuid[]) AND cardinality(f.learning_ids) > 0
      AND f.accepted IS NOT NULL AND cited.id ~ '^[0-9a-f-]{36}$'
    GROUP BY cited.id`;
}

function healthCondition(db: Db, health: Health, now: Date) {
  const idleSince = new Date(now.getTime() - idleDays * dayMs);
  switch (health) {
    case 'used':
      return db`l.last_used_at >= ${idleSince}`;
    case 'unused':
      return db`coalesce(l.last_used_at, l.created_at) < ${idleSince}`;
    case 'followed':
      return db`coalesce(v.followed, 0) > 0`;
    case 'contradicted':
      return db`coalesce(v.contradicted, 0) > 0`;
  }
}

const isListed = (db: Db, now: Date) => db`l.visibility = 'shared' AND ${isApprovedSql(db, now)}`;

function sortKey(db: Db, sort: UsageSort) {
  switch (sort) {
    case '-used':
      return { key: db`coalesce(l.last_used_at, '-infinity')`, type: db`timestamptz` };
    case '-uses':
      return { key: db`l.usage_count`, type: db`bigint` };
    case '-contradicted':
      return { key: db`coalesce(v.contradicted, 0)`, type: db`integer` };
    default:
      return { key: db`l.created_at`, type: db`timestamptz` };
  }
}

/** Searches the shared and approved Learnings in scope, with how they are used and what became of comments that cite them. */
export async function searchUsage(
  { database: { sql } }: { database: Database },
  { scope, now }: CallerContext,
  { search, repositoryId, health, sort }: UsageSearch,
  { after, limit }: { after: UsagePosition | undefined; limit: number },
): Promise<{ data: LearningUsage[]; next: UsagePosition | null }> {
  const { key, type } = sortKey(sql, sort);
  const isReversed = sort.startsWith('-');
  const found = await sql<UsageRow[]>`
    WITH verdicts AS MATERIALIZED (${verdicts(sql, scope)}),
    page AS MATERIALIZED (
      SELECT l.organization_id, l.id, ${key} AS key, coalesce(v.followed, 0) AS followed,
        coalesce(v.contradicted, 0) AS contradicted
      FROM learnings l LEFT JOIN verdicts v ON v.learning_id = l.id
      WHERE l.organization_id = ANY(${organizationIdsOf(scope)}::uuid[]) AND ${isListed(sql, now)}
        ${search === undefined ? sql`` : sql`AND strpos(lower(l.learning), lower(${search})) > 0`}
        ${
          repositoryId === undefined
            ? sql``
            : sql`AND l.repository_id IN (SELECT id FROM repositories r
                WHERE r.organization_id = l.organization_id AND r.provider_repository_id = ${repositoryId})`
        }
        ${health === undefined ? sql`` : sql`AND ${healthCondition(sql, health, now)}`}
        ${
          after === undefined
            ? sql``
            : sql`AND (${key}, l.id) ${isReversed ? sql`<` : sql`>`} (${after.key}::text::${type}, ${after.id}::uuid)`
        }
      ORDER BY ${key} ${isReversed ? sql`DESC` : sql``}, l.id ${isReversed ? sql`DESC` : sql``} LIMIT ${limit + 1})
    SELECT page.id, page.key::text AS key, page.followed, page.contradicted, ${exportBody(sql)} AS body
    FROM page ${learningOf(sql, sql`page`)} ${exportJoins(sql)}
    ORDER BY page.key ${isReversed ? sql`DESC` : sql``}, page.id ${isReversed ? sql`DESC` : sql``}`;
  const { rows, next } = cutPage(found, limit, (row) => ({ key: row.key, id: row.id }));
  return {
    data: rows.map(({ body, followed, contradicted }) => ({
      ...readExported(body),
      followed,
      contradicted,
    })),
    next,
  };
}

/** Counts the shared and approved Learnings in scope by their health; one can be in several groups. */
export async function summariseUsage(
  { database: { sql } }: { database: Database },
  { scope, now }: CallerContext,
): Promise<Record<Health | 'total', number>> {
  const [row] = await sql<[Record<Health | 'total', number>]>`
    WITH verdicts AS MATERIALIZED (${verdicts(sql, scope)})
    SELECT count(*)::int AS total, count(*) FILTER (WHERE ${healthCondition(sql, 'used', now)})::int AS used,
      count(*) FILTER (WHERE ${healthCondition(sql, 'unused', now)})::int AS unused,
      count(*) FILTER (WHERE ${healthCondition(sql, 'followed', now)})::int AS followed,
      count(*) FILTER (WHERE ${healthCondition(sql, 'contradicted', now)})::int AS contradicted
    FROM learnings l LEFT JOIN verdicts v ON v.learning_id = l.id
    WHERE l.organization_id = ANY(${organizationIdsOf(scope)}::uuid[]) AND ${isListed(sql, now)}`;
  return row;
}
