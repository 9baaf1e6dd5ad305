import type { Db, Fragment } from '../../db/database.ts';
import { redactCredentials } from '../../redaction/redact-credentials.ts';

/** The title of the pull request `p` at its host, or else at its last review; null if unknown. */
export const titleColumn = (db: Db): Fragment => db`coalesce(
  (SELECT h.title FROM host_pull_requests h
   WHERE h.organization_id = p.organization_id AND h.repository_id = p.repository_id AND h.number = p.number),
  (SELECT v.facts->>'title' FROM reviewed_pull_requests v
   WHERE v.organization_id = p.organization_id AND v.repository_id = p.repository_id AND v.number = p.number))`;

/** Titles have no maximum length; lists show their beginning. */
const maxTitle = 500;

/** A title as lists show it. It is redacted, because people can put a credential into a title. */
export function shownTitle(title: string | null): string | null {
  const shown = title === null ? '' : redactCredentials(title).slice(0, maxTitle).toWellFormed().trim();
  return shown === '' ? null : shown;
}
