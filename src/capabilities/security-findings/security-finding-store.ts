import { type OrgScope, organizationIdsOf } from '../../access/org-scope.ts';
import type { Db, Tx } from '../../db/database.ts';
import type { Severity } from '../../lib/sarif/severity.ts';
import type { ExportRow } from '../../lib/sarif/write/export-row.ts';
import type { FindingState } from './schemas.ts';

const ROWS_PER_READ = 200;

export interface FindingFilters {
  readonly state: FindingState | 'all';
  readonly severities: readonly Severity[] | null;
  /** The id at the Git provider. */
  readonly repositoryId: string | null;
}

/** The last finding of a page. */
export interface FindingPosition {
  readonly organizationId: string;
  readonly id: string;
}

export interface PageEntry extends FindingPosition {
  /** JSON of the entry, or null if the whole page is too large. */
  readonly body: string | null;
}

/** A finding for the exports, with provider ids in addition to ours. */
export type InventoryRow = ExportRow & {
  readonly providerOrganizationId: string;
  readonly providerRepositoryId: string;
  readonly evidenceStatus: string;
};

/** SQL conditions on findings `f` of the organization in `scope`; a row without a state is a dismissal waiting for its finding. */
function filterConditions(db: Db, { state, severities, repositoryId }: FindingFilters) {
  return db`
    f.organization_id = scope.organization_id
    AND ${state === 'all' ? db`f.state IS NOT NULL` : db`f.state = ${state}`}
    ${severities === null ? db`` : db`AND f.severity = ANY(${severities as Severity[]}::text[])`}
    ${
      repositoryId === null
        ? db``
        : db`AND f.repository_id = (SELECT r.id FROM repositories r
            WHERE r.organization_id = scope.organization_id AND r.provider_repository_id = ${repositoryId})`
    }`;
}

function evidenceStatus(db: Db) {
  return db`CASE WHEN f.fixed_at IS NULL THEN 'current' ELSE 'superseded' END`;
}

function wireTime(db: Db, column: string) {
  return db`to_char(${db(column)} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** The fields of an entry on the wire, in the order that the API specifies. */
function wireFields(db: Db) {
  return db`
    f.id, o.provider_organization_id AS organization_id, o.name AS organization_name,
    r.provider_repository_id AS repository_id, r.name AS repository_name, f.rule_id, f.title, f.description, f.severity,
    f.state, nullif(array_to_string(f.cwe, ','), '') AS cwe, f.file_path, f.start_line, f.end_line,
    ${wireTime(db, 'f.first_detected_at')} AS first_detected_at, ${wireTime(db, 'f.last_seen_at')} AS last_seen_at,
    ${wireTime(db, 'f.fixed_at')} AS fixed_at,
    (SELECT row_to_json(provenance) FROM (SELECT f.scan_id AS "scanId", f.coverage_scope AS "coverageScope",
      r.provider_repository_id AS "repositoryId", f.revision, ${evidenceStatus(db)} AS "evidenceStatus") AS provenance)
      AS scan_provenance,
    coalesce(f.reachability, '{"callStacks":[],"explanation":null}') AS reachability`;
}

/**
 * Reads the findings after a position, ordered by organization and id, which never change: at most `limit`, plus one that
 * shows whether there are more. `bytes` is the exact size of the entries; if it exceeds `maxBytes`, their bodies are not
 * read from the database.
 */
export async function findPage(
  db: Db,
  scope: OrgScope,
  filters: FindingFilters,
  after: FindingPosition | undefined,
  limit: number,
  maxBytes: number,
): Promise<{ entries: PageEntry[]; bytes: number }> {
  const organizationIds = organizationIdsOf(scope).filter((id) => !after || id >= after.organizationId);
  const rows = await db<(PageEntry & { bytes: number | null })[]>`
    WITH page AS (
      SELECT f.*, row_number() OVER (ORDER BY f.organization_id, f.id) AS position
      FROM unnest(${organizationIds}::uuid[]) AS scope (organization_id)
      CROSS JOIN LATERAL (
        SELECT * FROM security_findings f
        WHERE ${filterConditions(db, filters)}
          ${
            after === undefined
              ? db``
              : db`AND f.id > CASE WHEN scope.organization_id = ${after.organizationId}
                  THEN ${after.id}::uuid ELSE '00000000-0000-0000-0000-000000000000' END`
          }
        ORDER BY f.id LIMIT ${limit + 1}) AS f
      ORDER BY f.organization_id, f.id LIMIT ${limit + 1}),
    rendered AS (
      SELECT f.organization_id, f.id, f.position, row_to_json(entry)::text AS body
      FROM page f
      JOIN organizations o ON o.id = f.organization_id
      JOIN repositories r ON r.organization_id = f.organization_id AND r.id = f.repository_id
      CROSS JOIN LATERAL (SELECT ${wireFields(db)}) AS entry),
    measured AS (
      SELECT *, sum(octet_length(body)) FILTER (WHERE position <= ${limit}) OVER () AS bytes FROM rendered)
    SELECT organization_id AS "organizationId", id, bytes, CASE WHEN bytes <= ${maxBytes} THEN body END AS body
    FROM measured ORDER BY position`;
  return { entries: rows, bytes: rows[0]?.bytes ?? 0 };
}

/** The entries of findings as JSON text, by `organization/id`. */
export async function findEntries(
  db: Db,
  findings: readonly FindingPosition[],
): Promise<Map<string, string>> {
  const rows = await db<{ organization_id: string; id: string; body: string }[]>`
    SELECT f.organization_id, f.id, row_to_json(entry)::text AS body
    FROM unnest(${findings.map(({ organizationId }) => organizationId)}::uuid[], ${findings.map(({ id }) => id)}::uuid[])
      AS k (organization_id, id)
    JOIN security_findings f ON f.organization_id = k.organization_id AND f.id = k.id
    JOIN organizations o ON o.id = f.organization_id
    JOIN repositories r ON r.organization_id = f.organization_id AND r.id = f.repository_id
    CROSS JOIN LATERAL (SELECT ${wireFields(db)}) AS entry`;
  return new Map(rows.map((row) => [`${row.organization_id}/${row.id}`, row.body]));
}

/** Counts the findings that match the filters, up to a limit, and the number of bytes that their texts take up in any export. */
export async function measureInventory(
  db: Db,
  scope: OrgScope,
  filters: FindingFilters,
  limit: number,
): Promise<{ count: number; textBytes: number }> {
  const [row] = await db<[{ count: number; textBytes: number }]>`
    SELECT count(*) AS count, coalesce(sum(bytes), 0) AS "textBytes" FROM (
      SELECT octet_length(f.rule_id) + octet_length(f.file_path)
        + octet_length(coalesce(nullif(f.description, ''), f.title)) AS bytes
      FROM unnest(${organizationIdsOf(scope)}::uuid[]) AS scope (organization_id)
      JOIN security_findings f ON ${filterConditions(db, filters)}
      LIMIT ${limit}) AS counted`;
  return row;
}

/**
 * Reads the findings that match the filters from one snapshot, in batches; those of one repository, tool and revision are
 * adjacent. Once per transaction, whose cursor it declares: that of postgres.js takes a lost connection for the end.
 */
export async function* readInventory(
  tx: Tx,
  scope: OrgScope,
  filters: FindingFilters,
): AsyncGenerator<InventoryRow[]> {
  await tx`
    DECLARE inventory NO SCROLL CURSOR FOR
    SELECT f.id, f.organization_id AS "organizationId", o.name AS "organizationName",
      o.provider_organization_id AS "providerOrganizationId", f.repository_id AS "repositoryId",
      r.name AS "repositoryName", r.provider_repository_id AS "providerRepositoryId", f.tool, f.rule_id AS "ruleId",
      f.title, f.description, f.severity, f.state, f.cwe, f.file_path AS "filePath", f.start_line AS "startLine",
      f.end_line AS "endLine", f.start_column AS "startColumn", f.end_column AS "endColumn", f.origin, f.first_detected_at AS "firstDetectedAt", f.last_seen_at AS "lastSeenAt",
      f.fixed_at AS "fixedAt", f.revision, f.scan_id AS "scanId", f.coverage_scope AS "coverageScope", f.fingerprint,
      f.reachability, ${evidenceStatus(tx)} AS "evidenceStatus",
      CASE WHEN f.dismissed_at IS NOT NULL THEN json_build_object('reason', f.dismissal_reason, 'by', f.dismissed_by)
        WHEN f.suppression_reason IS NOT NULL THEN json_build_object('reason', f.suppression_reason, 'by', f.suppressed_by)
      END AS dismissal
    FROM unnest(${organizationIdsOf(scope)}::uuid[]) AS scope (organization_id)
    JOIN security_findings f ON ${filterConditions(tx, filters)}
    JOIN organizations o ON o.id = f.organization_id
    JOIN repositories r ON r.organization_id = f.organization_id AND r.id = f.repository_id
    ORDER BY f.organization_id, f.repository_id, f.tool, f.revision, f.id`;
  for (;;) {
    const rows = await tx.unsafe<InventoryRow[]>(`FETCH ${ROWS_PER_READ} FROM inventory`);
    if (rows.length > 0) yield rows;
    if (rows.length < ROWS_PER_READ) return;
  }
}
