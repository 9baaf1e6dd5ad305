import type { CallerContext } from '../../../access/caller-context.ts';
import { organizationIdsOf } from '../../../access/org-scope.ts';
import type { Database } from '../../../db/database.ts';
import { AppError } from '../../../lib/app-error.ts';
import type { OrganizationId, Provider } from '../../../lib/ids.ts';
import { findEntries } from '../security-finding-store.ts';
import { codeUrl } from './code-url.ts';

interface FindingRow {
  readonly organization_id: OrganizationId;
  readonly provider: Provider;
  readonly pull_request_url: string | null;
  readonly revision: string;
  readonly file_path: string;
  readonly start_line: number;
  readonly end_line: number;
  readonly tool: string;
  readonly first_detected_at: Date;
  readonly last_seen_at: Date;
  readonly fixed_at: Date | null;
  readonly dismissed_at: Date | null;
  readonly dismissal_reason: string | null;
  readonly dismissed_by: string | null;
  readonly suppression_reason: string | null;
  readonly suppressed_by: string | null;
}

interface HistoryEntry {
  readonly event: 'detected' | 'seen' | 'fixed' | 'dismissed';
  readonly at: string;
  readonly by: string | null;
  readonly reason: string | null;
}

function timeline(row: FindingRow, dismissals: readonly HistoryEntry[]): HistoryEntry[] {
  const seen = (event: HistoryEntry['event'], at: Date | null) =>
    at === null ? [] : [{ event, at: at.toISOString(), by: null, reason: null }];
  const entries = [
    ...seen('detected', row.first_detected_at),
    ...(row.last_seen_at > row.first_detected_at ? seen('seen', row.last_seen_at) : []),
    ...seen('fixed', row.fixed_at),
    ...dismissals,
  ];
  return entries.sort((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0));
}

function dismissalOf(row: FindingRow) {
  if (row.dismissed_at !== null) return { reason: row.dismissal_reason!, by: row.dismissed_by };
  return row.suppression_reason === null ? null : { reason: row.suppression_reason, by: row.suppressed_by };
}

/** One finding of an organization in scope: its details, the URL of its code, and its history. */
export async function describeFinding(
  { database: { sql } }: { database: Database },
  { scope }: Pick<CallerContext, 'scope'>,
  id: string,
) {
  const [row] = await sql<FindingRow[]>`
    SELECT f.organization_id, o.provider, f.revision, f.file_path, f.start_line, f.end_line, f.tool, f.first_detected_at,
      f.last_seen_at, f.fixed_at, f.dismissed_at, f.dismissal_reason, f.dismissed_by, f.suppression_reason, f.suppressed_by,
      (SELECT p.url FROM pull_requests p WHERE p.organization_id = f.organization_id AND p.repository_id = f.repository_id
       ORDER BY p.number DESC LIMIT 1) AS pull_request_url
    FROM security_findings f JOIN organizations o ON o.id = f.organization_id
    WHERE f.organization_id = ANY(${organizationIdsOf(scope)}::uuid[]) AND f.id = ${id} AND f.state IS NOT NULL`;
  if (row === undefined) throw new AppError('NOT_FOUND', 'There is no such finding');
  const entries = await findEntries(sql, [{ organizationId: row.organization_id, id }]);
  const audited = await sql<
    { created_at: Date; actor: string; metadata: { reason?: string; by?: string } }[]
  >`
    SELECT e.created_at, e.actor_name AS actor, e.metadata FROM audit_entries e
    WHERE e.chain_id = ${row.organization_id} AND e.organization_id = ${row.organization_id} AND e.resource_type = 'security_finding' AND e.resource_id = ${id}
      AND e.action = 'security_finding.dismissed' ORDER BY e.created_at`;
  return {
    finding: JSON.parse(entries.get(`${row.organization_id}/${id}`)!),
    tool: row.tool === '' ? null : row.tool,
    code_url: codeUrl({
      provider: row.provider,
      pullRequestUrl: row.pull_request_url,
      revision: row.revision,
      filePath: row.file_path,
      startLine: row.start_line,
      endLine: row.end_line,
    }),
    dismissal: dismissalOf(row),
    history: timeline(
      row,
      audited.map(({ created_at, actor, metadata }) => ({
        event: 'dismissed',
        at: created_at.toISOString(),
        by: metadata.by ?? actor,
        reason: metadata.reason ?? null,
      })),
    ),
  };
}
