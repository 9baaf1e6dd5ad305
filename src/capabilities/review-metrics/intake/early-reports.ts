import type { Tx } from '../../../db/database.ts';
import { arrayLiteral } from '../../../db/driver/array-literal.ts';
import type { OrganizationId } from '../../../lib/ids.ts';
import { type PullRequestUrl, urlRows } from '../../pull-requests/pull-request-urls.ts';
import {
  type ReportedOutcome,
  type ReviewRecord,
  withMcpUsage,
  withOutcome,
} from '../record/pull-request-record.ts';

/** A report that identifies its pull request by URL: the outcome of a finding, or MCP usage. */
export interface UrlReport extends PullRequestUrl {
  /** Position of its event in the request; -1 if it arrived in an earlier request. */
  readonly index: number;
  readonly time: Date;
  readonly content: ReportedOutcome | { readonly mcpServers: string };
}

/** The record after one more report, which takes effect with the event at this index of the request. */
export function withReport(
  record: ReviewRecord,
  { content, time }: UrlReport,
  eventIndex: number,
): ReviewRecord {
  const timeMs = time.getTime();
  return 'findingId' in content
    ? withOutcome(record, content, timeMs)
    : withMcpUsage(record, { servers: content.mcpServers, timeMs }, eventIndex);
}

const mcpSubject = 'mcp';
const findingPrefix = 'finding:';

function subjectOf({ content }: UrlReport): string {
  return 'findingId' in content ? `${findingPrefix}${content.findingId}` : mcpSubject;
}

function newestBySubject(reports: readonly UrlReport[]): UrlReport[] {
  const newest = new Map<string, UrlReport>();
  for (const report of reports) {
    const key = JSON.stringify([report.organizationId, report.url, subjectOf(report)]);
    const known = newest.get(key);
    if (known === undefined || report.time >= known.time) newest.set(key, report);
  }
  return [...newest.values()];
}

/** Saves reports whose pull request is not known yet; of several about the same subject, the newest. */
export async function saveEarlyReports(tx: Tx, reports: readonly UrlReport[]): Promise<void> {
  if (reports.length === 0) return;
  const kept = newestBySubject(reports);
  const values = kept.map(({ content }) =>
    'findingId' in content ? String(content.accepted) : content.mcpServers,
  );
  const signals = kept.map(({ content }) => ('findingId' in content ? content.signal : null));
  const announced = kept.map(({ content }) => String('findingId' in content && content.isAnnounced));
  await tx`
    INSERT INTO early_reports AS e (organization_id, url_hash, url, subject, value, event_time, signal, is_announced)
    SELECT r.organization_id, md5(r.url)::uuid, r.url, r.subject, r.value, r.event_time, r.signal, r.is_announced
    FROM unnest(${arrayLiteral(kept.map(({ organizationId }) => organizationId))}::uuid[], ${arrayLiteral(kept.map(({ url }) => url))}::text[],
      ${arrayLiteral(kept.map(subjectOf))}::text[], ${arrayLiteral(values)}::text[], ${arrayLiteral(kept.map(({ time }) => time))}::timestamptz[],
      ${arrayLiteral(signals)}::text[], ${arrayLiteral(announced)}::boolean[])
      AS r (organization_id, url, subject, value, event_time, signal, is_announced)
    ON CONFLICT (organization_id, url_hash, subject) DO UPDATE SET value = EXCLUDED.value, event_time = EXCLUDED.event_time,
      signal = EXCLUDED.signal, is_announced = EXCLUDED.is_announced
    WHERE EXCLUDED.event_time >= e.event_time`;
}

interface EarlyRow {
  organization_id: OrganizationId;
  url: string;
  subject: string;
  value: string;
  event_time: Date;
  signal: string | null;
  is_announced: boolean;
}

// Usually there are none, which this check finds out cheaply.
async function hasEarlyReports(tx: Tx, urls: readonly PullRequestUrl[]): Promise<boolean> {
  const organizationIds = [...new Set(urls.map(({ organizationId }) => organizationId))];
  const [row] = await tx<[{ exist: boolean }]>`
    SELECT EXISTS (SELECT 1 FROM unnest(${arrayLiteral(organizationIds)}::uuid[]) AS o (id)
      CROSS JOIN LATERAL (SELECT 1 FROM early_reports e WHERE e.organization_id = o.id LIMIT 1) AS e) AS exist`;
  return row.exist;
}

/** Deletes and returns the reports that were saved for these URLs. */
export async function takeEarlyReports(tx: Tx, urls: readonly PullRequestUrl[]): Promise<UrlReport[]> {
  if (urls.length === 0 || !(await hasEarlyReports(tx, urls))) return [];
  const rows = await tx<EarlyRow[]>`
    DELETE FROM early_reports e
    USING ${urlRows(tx, urls)}
    WHERE e.organization_id = k.organization_id AND e.url_hash = md5(k.url)::uuid AND e.url = k.url
    RETURNING e.organization_id, e.url, e.subject, e.value, e.event_time, e.signal, e.is_announced`;
  return rows.map(({ organization_id, url, subject, value, event_time, signal, is_announced }) => ({
    index: -1,
    organizationId: organization_id,
    url,
    time: event_time,
    content:
      subject === mcpSubject
        ? { mcpServers: value }
        : {
            findingId: subject.slice(findingPrefix.length),
            accepted: JSON.parse(value) as boolean | null,
            signal,
            isAnnounced: is_announced,
          },
  }));
}
