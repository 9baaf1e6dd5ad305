import type { Db, Fragment } from '../../../db/database.ts';

/** A Learning as the export shows it. */
export interface ExportedLearning {
  readonly id: string;
  readonly learning: string;
  readonly repository_name: string;
  readonly author_username: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly usage_count: number;
  readonly organization_id: string;
  readonly organization_name: string;
  readonly repository_id: string;
  readonly author_id: string;
  readonly file: string | null;
  readonly source_url: string | null;
  readonly last_used_at: string | null;
}

/** The fields of the export in their order. */
export const exportFields = [
  'id',
  'learning',
  'repository_name',
  'author_username',
  'created_at',
  'updated_at',
  'usage_count',
  'organization_id',
  'organization_name',
  'repository_id',
  'author_id',
  'file',
  'source_url',
  'last_used_at',
] as const satisfies readonly (keyof ExportedLearning)[];

function instantText(db: Db, column: ReturnType<typeof db>) {
  return db`to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** The JSON text of the export's row for `learnings l`, ready to be sent; goes with `exportJoins`. */
export function exportBody(db: Db) {
  return db`(SELECT row_to_json(e)::text FROM (SELECT l.id, l.learning, r.name AS repository_name,
      coalesce(m.username, p.email) AS author_username, ${instantText(db, db`l.created_at`)} AS created_at,
      ${instantText(db, db`l.updated_at`)} AS updated_at, l.usage_count, o.provider_organization_id AS organization_id,
      o.name AS organization_name, r.provider_repository_id AS repository_id, l.author_id, l.file, l.source_url,
      ${instantText(db, db`l.last_used_at`)} AS last_used_at) AS e)`;
}

/**
 * Joins `learnings l` to the rows of a page, each by its key. LATERAL and LIMIT force a lookup per row: PostgreSQL
 * underestimates the size of large organizations, and would scan all of their Learnings for each row.
 */
export function learningOf(db: Db, row: Fragment) {
  return db`CROSS JOIN LATERAL (
    SELECT * FROM learnings x WHERE x.organization_id = ${row}.organization_id AND x.id = ${row}.id LIMIT 1) AS l`;
}

/** The tables that `exportBody` reads besides `learnings l`. */
export function exportJoins(db: Db) {
  return db`JOIN organizations o ON o.id = l.organization_id
    JOIN repositories r ON r.organization_id = l.organization_id AND r.id = l.repository_id
    LEFT JOIN members m ON m.organization_id = l.organization_id AND m.provider_user_id = l.author_id
    LEFT JOIN people p ON p.id = l.author_person_id`;
}

/** True for `learnings l` that are approved; a passed deadline counts immediately. */
export function isApprovedSql(db: Db, now: Date) {
  return db`(l.approval = 'approved' OR (l.approval = 'pending' AND l.approval_deadline <= ${now}))`;
}

/** Parses the output of `exportBody`. */
export function readExported(body: string): ExportedLearning {
  return JSON.parse(body) as ExportedLearning;
}
