import type { Tx } from '../../../db/database.ts';
import type { OrganizationId, RepositoryId } from '../../../lib/ids.ts';
import { EVERY_TOOL, UNKNOWN_TOOL } from '../../../lib/sarif/scan-tool.ts';
import type { IdentifiedFinding, KnownFinding } from './identify-findings.ts';
import type { Coverage, PastScan, Unread } from './scan-coverage.ts';

const ROWS_PER_STATEMENT = 1_000;
const LENGTH_PER_STATEMENT = 4 * 1024 * 1024;

/** The repository that was scanned. */
export interface ScannedRepository {
  readonly organizationId: OrganizationId;
  readonly repositoryId: RepositoryId;
}

/** One tool's part of a scan, ordered among its scans of the repository by time, then by scan id. */
export interface PlacedScan extends ScannedRepository {
  readonly tool: string;
  readonly scannedAt: Date;
  readonly scanId: string;
  readonly revision: string;
  readonly coverage: Coverage;
  readonly unread: readonly Unread[];
}

export type StoredFinding = IdentifiedFinding & { readonly id: string; readonly fixedAt: Date | null };

/** Serializes scans of these repositories until the transaction ends; locks in one order to avoid deadlocks. */
export async function lockRepositories(tx: Tx, repositories: readonly ScannedRepository[]): Promise<void> {
  await tx`
    SELECT 1 FROM repositories
    WHERE (organization_id, id) IN (
      SELECT * FROM unnest(${repositories.map(({ organizationId }) => organizationId)}::uuid[],
        ${repositories.map(({ repositoryId }) => repositoryId)}::uuid[]))
    ORDER BY organization_id, id FOR NO KEY UPDATE`;
}

/** Records what the scan covered; parts of one scan (same time and id) add up. */
export async function recordScan(tx: Tx, scan: PlacedScan): Promise<void> {
  await tx`
    INSERT INTO security_scans AS known (organization_id, repository_id, scanned_at, scan_id, tool, directories, unread)
    VALUES (${scan.organizationId}, ${scan.repositoryId}, ${scan.scannedAt}, ${scan.scanId}, ${scan.tool},
      ${scan.coverage as string[] | null}::text[], ${unreadJson(scan)}::text::json)
    ON CONFLICT (organization_id, repository_id, scanned_at, scan_id, tool) DO UPDATE SET
      directories = CASE WHEN known.directories IS NOT NULL AND excluded.directories IS NOT NULL
        THEN ARRAY(SELECT unnest(known.directories) UNION SELECT unnest(excluded.directories)) END,
      unread = CASE WHEN known.unread IS NULL OR excluded.unread IS NULL OR known.unread::text = excluded.unread::text
        THEN coalesce(known.unread, excluded.unread)
        ELSE (known.unread::jsonb || excluded.unread::jsonb)::json END`;
}

function unreadJson({ unread }: PlacedScan): string | null {
  return unread.length === 0 ? null : JSON.stringify(unread);
}

/** Finds the tool's known findings in the repository, and those whose tool is unknown. */
export async function findKnownFindings(tx: Tx, scan: PlacedScan): Promise<KnownFinding[]> {
  return tx<KnownFinding[]>`
    SELECT fingerprint, alike, start_line AS "startLine", end_line AS "endLine", start_column AS "startColumn",
      end_column AS "endColumn", md5(title || E'\\n' || coalesce(description, '')) AS text,
      first_detected_at AS "firstDetectedAt", last_seen_at AS "lastSeenAt", scan_id AS "scanId", fixed_at AS "fixedAt"
    FROM security_findings
    WHERE organization_id = ${scan.organizationId} AND repository_id = ${scan.repositoryId}
      AND tool IN (${scan.tool}, ${UNKNOWN_TOOL})`;
}

/** Finds the tool's scans after this one, up to the first complete one: later ones do not matter. */
export async function findLaterScans(tx: Tx, scan: PlacedScan): Promise<PastScan[]> {
  const rows = await tx<{ scanned_at: Date; directories: string[] | null; unread: Unread[] | null }[]>`
    WITH later AS (
      SELECT scanned_at, scan_id, directories, unread FROM security_scans
      WHERE organization_id = ${scan.organizationId} AND repository_id = ${scan.repositoryId}
        AND tool IN (${scan.tool}, ${EVERY_TOOL})
        AND (scanned_at, scan_id) > (${scan.scannedAt}, ${scan.scanId})),
    whole AS (
      SELECT scanned_at, scan_id FROM later WHERE directories IS NULL AND unread IS NULL
      ORDER BY scanned_at, scan_id LIMIT 1)
    SELECT scanned_at, directories, unread FROM later
    WHERE NOT EXISTS (SELECT 1 FROM whole WHERE (later.scanned_at, later.scan_id) > (whole.scanned_at, whole.scan_id))
    ORDER BY scanned_at, scan_id`;
  return rows.map((row) => ({
    scannedAt: row.scanned_at,
    coverage: row.directories,
    unread: row.unread ?? [],
  }));
}

/** Stores what the scan found, without overwriting what a newer scan reported. */
export async function storeDetections(
  tx: Tx,
  scan: PlacedScan,
  findings: readonly StoredFinding[],
): Promise<void> {
  let rows: string[] = [];
  let length = 0;
  for (const { suppressed, ...finding } of findings) {
    const suppression = {
      suppressionReason: suppressed?.reason ?? null,
      suppressedBy: suppressed?.by ?? null,
    };
    const row = JSON.stringify({ ...finding, ...suppression });
    if (rows.length >= ROWS_PER_STATEMENT || length + row.length > LENGTH_PER_STATEMENT) {
      await upsertDetections(tx, scan, rows);
      rows = [];
      length = 0;
    }
    rows.push(row);
    length += row.length;
  }
  if (rows.length > 0) await upsertDetections(tx, scan, rows);
}

async function upsertDetections(tx: Tx, scan: PlacedScan, rows: readonly string[]): Promise<void> {
  await tx`
    INSERT INTO security_findings AS known (organization_id, id, repository_id, tool, alike, fingerprint, rule_id, title,
      description, severity, cwe, file_path, start_line, end_line, start_column, end_column, origin, reachability, suppression_reason, suppressed_by, revision, scan_id,
      coverage_scope, first_detected_at, last_seen_at, fixed_at)
    SELECT ${scan.organizationId}, f.id, ${scan.repositoryId}, ${scan.tool}, f.alike, f.fingerprint, f."ruleId", f.title,
      f.description, f.severity, f.cwe, f."filePath", f."startLine", f."endLine", f."startColumn", f."endColumn", f.origin,
      f.reachability, f."suppressionReason", f."suppressedBy",
      ${scan.revision}, ${scan.scanId}, ${scan.coverage === null ? 'repository' : 'directories'}, ${scan.scannedAt},
      ${scan.scannedAt}, f."fixedAt"
    FROM json_to_recordset(${`[${rows.join(',')}]`}::text::json) AS f (id uuid, alike text, fingerprint text, "ruleId" text,
      title text, description text, severity text, cwe text[], "filePath" text, "startLine" integer, "endLine" integer,
      "startColumn" integer, "endColumn" integer, origin json, reachability json, "suppressionReason" text, "suppressedBy" text, "fixedAt" timestamptz)
    ON CONFLICT (organization_id, id) DO UPDATE SET
      repository_id = excluded.repository_id, tool = excluded.tool, alike = excluded.alike, fingerprint = excluded.fingerprint, rule_id = excluded.rule_id,
      title = excluded.title, description = excluded.description, severity = excluded.severity, cwe = excluded.cwe,
      file_path = excluded.file_path, start_line = excluded.start_line, end_line = excluded.end_line,
      start_column = excluded.start_column, end_column = excluded.end_column, origin = excluded.origin,
      reachability = excluded.reachability, suppression_reason = excluded.suppression_reason,
      suppressed_by = excluded.suppressed_by, revision = excluded.revision, scan_id = excluded.scan_id,
      coverage_scope = excluded.coverage_scope, last_seen_at = excluded.last_seen_at, fixed_at = excluded.fixed_at,
      first_detected_at = least(known.first_detected_at, excluded.first_detected_at)
    WHERE known.last_seen_at IS NULL
      OR (known.last_seen_at, known.scan_id) < (excluded.last_seen_at, excluded.scan_id)`;
}

/** Moves the first detection of findings back to this scan if it found them earlier than known. */
export async function backdateDetections(tx: Tx, scan: PlacedScan, ids: readonly string[]): Promise<void> {
  await tx`
    UPDATE security_findings SET first_detected_at = ${scan.scannedAt}
    WHERE organization_id = ${scan.organizationId} AND id = ANY(${ids as string[]}::uuid[])
      AND first_detected_at > ${scan.scannedAt}`;
}

/**
 * Closes findings that the scan covered but no longer found. Findings that a newer scan found stay unchanged, as do those that
 * an unreadable result may be about. Findings whose tool is unknown are closed by every scan, as in older versions.
 */
export async function closeMissingFindings(tx: Tx, scan: PlacedScan, isNewest: boolean): Promise<void> {
  const { coverage, unread } = scan;
  // Findings closed before this scan keep their date; only a scan that arrives late can move it back.
  const states = isNewest ? ['open', 'dismissed'] : ['open', 'dismissed', 'fixed'];
  await tx`
    UPDATE security_findings SET fixed_at = ${scan.scannedAt}
    WHERE organization_id = ${scan.organizationId} AND repository_id = ${scan.repositoryId}
      AND tool IN (${scan.tool}, ${UNKNOWN_TOOL}) AND state = ANY(${states}::text[])
      AND (last_seen_at, scan_id) < (${scan.scannedAt}, ${scan.scanId})
      AND (fixed_at IS NULL OR fixed_at > ${scan.scannedAt})
      ${
        coverage === null
          ? tx``
          : tx`AND EXISTS (SELECT 1 FROM unnest(${coverage as string[]}::text[]) AS directory
              WHERE directory = '' OR file_path = directory OR starts_with(file_path, directory || '/'))`
      }
      ${
        unread.length === 0
          ? tx``
          : tx`AND NOT EXISTS (
              SELECT 1 FROM json_to_recordset(${unreadJson(scan)}::text::json) AS u ("ruleId" text, "filePath" text)
              WHERE coalesce(u."ruleId", rule_id) = rule_id AND coalesce(u."filePath", file_path) = file_path)`
      }`;
}
