import type { CallerContext } from '../../../access/caller-context.ts';
import { type OrgScope, organizationIdsOf } from '../../../access/org-scope.ts';
import type { Database, Db } from '../../../db/database.ts';
import type { Severity } from '../../../lib/sarif/severity.ts';
import { cutPage } from '../../../lib/wire/one-page.ts';
import type { FindingState } from '../schemas.ts';

export type FindingSort = 'severity' | '-severity' | 'detected' | '-detected';

export interface FindingSearch {
  readonly state: FindingState | 'all';
  readonly severities: readonly Severity[] | null;
  /** The id at the Git provider. */
  readonly repositoryId: string | null;
  /** Part of the title, rule or file. */
  readonly search: string | null;
  readonly sort: FindingSort;
}

/** The last finding of a page: what the list is sorted by, and the id that makes the order unique. */
export interface SortedPosition {
  readonly key: string;
  readonly id: string;
}

interface FindingRow {
  readonly id: string;
  readonly key: string;
  readonly organization_id: string;
  readonly organization_name: string;
  readonly repository_id: string;
  readonly repository_name: string;
  readonly rule_id: string;
  readonly title: string;
  readonly severity: Severity;
  readonly state: FindingState;
  readonly file_path: string;
  readonly start_line: number;
  readonly end_line: number;
  readonly first_detected_at: Date;
  readonly last_seen_at: Date;
}

/** As in the index: the most severe first. */
const severityRank = (db: Db) =>
  db`array_position(ARRAY['critical', 'high', 'medium', 'low', 'info'], f.severity)`;

function sorted(db: Db, sort: FindingSort) {
  const key = sort.endsWith('severity') ? severityRank(db) : db`f.first_detected_at`;
  const type = sort.endsWith('severity') ? db`integer` : db`timestamptz`;
  const isReversed = sort.startsWith('-');
  return { key, type, order: isReversed ? db`DESC` : db``, beyond: isReversed ? db`<` : db`>` };
}

/** A single organization is compared with "=", because the index provides the order of the list only then. */
function isInScope(db: Db, scope: OrgScope) {
  const ids = organizationIdsOf(scope);
  return ids.length === 1 ? db`f.organization_id = ${ids[0]!}` : db`f.organization_id = ANY(${ids}::uuid[])`;
}

function matching(db: Db, scope: OrgScope, { state, severities, repositoryId, search }: FindingSearch) {
  return db`
    FROM security_findings f
    JOIN organizations o ON o.id = f.organization_id
    JOIN repositories r ON r.organization_id = f.organization_id AND r.id = f.repository_id
    WHERE ${isInScope(db, scope)} AND ${state === 'all' ? db`f.state IS NOT NULL` : db`f.state = ${state}`}
      ${severities === null ? db`` : db`AND f.severity = ANY(${[...severities]}::text[])`}
      ${repositoryId === null ? db`` : db`AND r.provider_repository_id = ${repositoryId}`}
      ${
        search === null
          ? db``
          : db`AND (strpos(lower(f.title), lower(${search})) > 0 OR strpos(lower(f.rule_id), lower(${search})) > 0
              OR strpos(lower(f.file_path), lower(${search})) > 0)`
      }`;
}

/** Searches the findings in scope. The total is counted for the first page only. */
export async function searchFindings(
  { database: { sql } }: { database: Database },
  { scope }: CallerContext,
  search: FindingSearch,
  { after, limit }: { after: SortedPosition | undefined; limit: number },
) {
  const { key, type, order, beyond } = sorted(sql, search.sort);
  const found = await sql<FindingRow[]>`
    SELECT f.id, ${key}::text AS key, o.provider_organization_id AS organization_id, o.name AS organization_name,
      r.provider_repository_id AS repository_id, r.name AS repository_name, f.rule_id, f.title, f.severity, f.state,
      f.file_path, f.start_line, f.end_line, f.first_detected_at, f.last_seen_at
    ${matching(sql, scope, search)}
      ${after === undefined ? sql`` : sql`AND (${key}, f.id) ${beyond} (${after.key}::text::${type}, ${after.id}::uuid)`}
    ORDER BY ${key} ${order}, f.id ${order} LIMIT ${limit + 1}`;
  const { rows, next } = cutPage(found, limit, (row) => ({ key: row.key, id: row.id }));
  const [counted] =
    after === undefined
      ? await sql<{ count: number }[]>`SELECT count(*)::int AS count ${matching(sql, scope, search)}`
      : [];
  return {
    data: rows.map(({ key: _, ...row }) => ({
      ...row,
      first_detected_at: row.first_detected_at.toISOString(),
      last_seen_at: row.last_seen_at.toISOString(),
    })),
    total: counted?.count ?? null,
    next,
  };
}
