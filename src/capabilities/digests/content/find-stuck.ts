import type { Db } from '../../../db/database.ts';
import { redactCredentials } from '../../../redaction/redact-credentials.ts';
import type { DigestContent } from './digest-content.ts';
import { isOfTeam, type Subject } from './of-team.ts';

const maxListed = 10;
const maxTitle = 120;
const stuckAfterMs = 7 * 86_400_000;

interface StuckRow {
  readonly repository: string;
  readonly number: number;
  readonly title: string | null;
  readonly url: string;
  readonly days: number;
  readonly count: number;
}

/** Titles are written by people, and can contain anything, including a credential. */
function shownTitle(title: string | null): string | null {
  if (title === null) return null;
  const line = redactCredentials(title).replaceAll(/\s+/g, ' ').trim();
  if (line === '') return null;
  return line.length > maxTitle ? `${line.slice(0, maxTitle - 1).toWellFormed()}…` : line;
}

/** The open pull requests that have not moved for a week, the oldest first. `storageIds` are the storages of the metrics. */
export async function findStuck(
  db: Db,
  subject: Subject,
  storageIds: string,
  at: Date,
): Promise<DigestContent['stuck']> {
  const movedAt = db`coalesce(h.host_updated_at, p.event_time)`;
  const rows = await db<StuckRow[]>`
    SELECT r.name AS repository, p.number, coalesce(h.title, v.facts->>'title') AS title, p.url,
      floor(extract(epoch FROM ${at}::timestamptz - ${movedAt}) / 86400)::int AS days, (count(*) OVER ())::int AS count
    FROM pull_requests p
    JOIN repositories r ON r.organization_id = p.organization_id AND r.id = p.repository_id AND r.active
    LEFT JOIN host_pull_requests h ON h.organization_id = p.organization_id AND h.repository_id = p.repository_id
      AND h.number = p.number
    LEFT JOIN reviewed_pull_requests v ON v.organization_id = p.organization_id AND v.repository_id = p.repository_id
      AND v.number = p.number
    LEFT JOIN review_metrics m ON m.organization_id = p.organization_id AND m.repository_id = p.repository_id
      AND m.number = p.number AND m.storage_id IN (${db.unsafe(storageIds)})
    WHERE p.organization_id = ${subject.organizationId} AND p.state = 'open' AND h.is_draft IS NOT TRUE AND v.is_draft IS NOT TRUE
      AND ${movedAt} <= ${new Date(at.getTime() - stuckAfterMs)}
      AND ${isOfTeam(db, subject, db`coalesce(h.author_id, v.facts->'author'->>'id', m.author_id)`)}
    ORDER BY ${movedAt}, p.repository_id, p.number LIMIT ${maxListed}`;
  return {
    count: rows[0]?.count ?? 0,
    pull_requests: rows.map(({ count: _, title, ...row }) => ({ ...row, title: shownTitle(title) })),
  };
}
