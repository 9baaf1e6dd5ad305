import type { CallerContext } from '../../../access/caller-context.ts';
import { organizationIdsOf } from '../../../access/org-scope.ts';
import type { Database, Db } from '../../../db/database.ts';
import { cutPage } from '../../../lib/wire/one-page.ts';
import {
  type ExportedLearning,
  exportBody,
  exportJoins,
  learningOf,
  readExported,
} from '../export/export-rows.ts';
import { type AlikeLearning, findAlike } from './find-alike.ts';
import { type Health, hasHealth, idleSince, isInUse, isRetired, likeLearnings } from './health.ts';
import { type Verdicts, verdictsOfAll, verdictsOfOne } from './verdicts.ts';

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

/** Why a Learning may be out of date; null if it is not. */
export type StaleReason = 'never_used' | 'unused' | 'file_gone';

interface UsageRow extends UsagePosition, Verdicts {
  readonly organization_id: string;
  readonly body: string;
  readonly stale: StaleReason | null;
  readonly retired_at: Date | null;
  readonly merged_into: string | null;
}

export type LearningUsage = ExportedLearning &
  Verdicts & {
    readonly stale: StaleReason | null;
    readonly retired_at: string | null;
    readonly merged_into: string | null;
    /** Possible duplicates and conflicts, the most similar first. */
    readonly alike: readonly AlikeLearning[];
  };

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

/** Whether the verdicts on all comments are needed, which is only the case if the list is filtered or sorted by them. */
function needsAllVerdicts({ health, sort }: UsageSearch): boolean {
  return sort === '-contradicted' || health === 'followed' || health === 'contradicted';
}

const whyStale = (db: Db, now: Date) => db`
  CASE WHEN l.retired_at IS NOT NULL THEN NULL
    WHEN l.file_missing_since IS NOT NULL THEN 'file_gone'
    WHEN coalesce(l.last_used_at, l.created_at) >= ${idleSince(now)} THEN NULL
    WHEN l.last_used_at IS NULL THEN 'never_used' ELSE 'unused' END`;

function selectPage(
  db: Db,
  { scope, now }: Pick<CallerContext, 'scope' | 'now'>,
  wanted: UsageSearch,
  { after, limit }: { after: UsagePosition | undefined; limit: number },
): PromiseLike<readonly UsageRow[]> {
  const { search, repositoryId, health, sort } = wanted;
  const { key, type } = sortKey(db, sort);
  const isReversed = sort.startsWith('-');
  const way = isReversed ? db`DESC` : db``;
  const isWanted =
    health === 'retired'
      ? isRetired(db)
      : db`${isInUse(db, now)} ${health === undefined ? db`` : db`AND ${hasHealth(db, health, now)}`}`;
  return db<UsageRow[]>`
    WITH ${needsAllVerdicts(wanted) ? db`verdicts AS MATERIALIZED (${verdictsOfAll(db, scope)}),` : db``}
    ${health === 'duplicate' || health === 'conflict' ? db`alike AS MATERIALIZED (${likeLearnings(db, scope, now)}),` : db``}
    page AS MATERIALIZED (
      SELECT own.* FROM unnest(${organizationIdsOf(scope)}::uuid[]) AS o (id) CROSS JOIN LATERAL (
        SELECT l.organization_id, l.id, ${key} AS key
        FROM learnings l
        ${needsAllVerdicts(wanted) ? db`LEFT JOIN verdicts v ON v.organization_id = l.organization_id AND v.learning_id = l.id` : db``}
        WHERE l.organization_id = o.id AND ${isWanted}
          ${search === undefined ? db`` : db`AND strpos(lower(l.learning), lower(${search})) > 0`}
          ${
            repositoryId === undefined
              ? db``
              : db`AND l.repository_id IN (SELECT id FROM repositories r
                  WHERE r.organization_id = l.organization_id AND r.provider_repository_id = ${repositoryId})`
          }
          ${
            after === undefined
              ? db``
              : db`AND (${key}, l.id) ${isReversed ? db`<` : db`>`} (${after.key}::text::${type}, ${after.id}::uuid)`
          }
        ORDER BY ${key} ${way}, l.id ${way} LIMIT ${limit + 1}) AS own
      ORDER BY own.key ${way}, own.id ${way} LIMIT ${limit + 1})
    SELECT page.organization_id, page.id, page.key::text AS key, cited.*, ${whyStale(db, now)} AS stale,
      l.retired_at, l.merged_into, ${exportBody(db)} AS body
    FROM page ${learningOf(db, db`page`)} ${exportJoins(db)} CROSS JOIN LATERAL (${verdictsOfOne(db)}) AS cited
    ORDER BY page.key ${way}, page.id ${way}`;
}

/**
 * Searches the Learnings in scope that are in use or retired, with their usage, the outcomes of comments that cite them, and
 * similar Learnings.
 */
export async function searchUsage(
  { database: { sql } }: { database: Database },
  context: Pick<CallerContext, 'scope' | 'now'>,
  wanted: UsageSearch,
  page: { after: UsagePosition | undefined; limit: number },
): Promise<{ data: LearningUsage[]; next: UsagePosition | null }> {
  const found = await selectPage(sql, context, wanted, page);
  const { rows, next } = cutPage(found, page.limit, (row) => ({ key: row.key, id: row.id }));
  const alike = wanted.health === 'retired' ? new Map() : await findAlike(sql, context, rows);
  return {
    data: rows.map((row) => ({
      ...readExported(row.body),
      followed: row.followed,
      contradicted: row.contradicted,
      undecided: row.undecided,
      stale: row.stale,
      retired_at: row.retired_at?.toISOString() ?? null,
      merged_into: row.merged_into,
      alike: alike.get(row.id) ?? [],
    })),
    next,
  };
}
