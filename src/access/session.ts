import { hash, randomBytes } from 'node:crypto';
import type { Db, Fragment } from '../db/database.ts';
import { AppError } from '../lib/app-error.ts';
import type { PersonId } from '../lib/ids.ts';

const idleMs = 12 * 60 * 60 * 1000;
const seenPrecisionMs = 60 * 1000;

/** A person who is signed in to the dashboard. */
export interface Session {
  readonly idHash: Buffer;
  readonly personId: PersonId;
  readonly email: string;
  readonly isInstallationAdmin: boolean;
}

interface SessionRow {
  id_hash: Buffer;
  person_id: PersonId;
  email: string;
  installation_admin: boolean;
  last_seen_at: Date;
}

/** Generates a value that cannot be guessed, for a cookie or a link. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** The hash that is stored instead of such a value. */
export function hashSecret(value: string): Buffer {
  return hash('sha256', value, 'buffer');
}

/** Whether the person currently has a role that gives access to the dashboard. */
export function hasRole(db: Db, personId: Fragment) {
  return db`(EXISTS (SELECT 1 FROM workspace_admins wa JOIN workspaces w ON w.id = wa.workspace_id
               WHERE wa.person_id = ${personId} AND w.active)
    OR EXISTS (SELECT 1 FROM members m JOIN organizations o ON o.id = m.organization_id
               WHERE m.person_id = ${personId} AND m.active AND NOT m.bot AND o.active))`;
}

/** Whether the account may use the dashboard at all; requires `dashboard_accounts a` in the query. */
export function mayUseDashboard(db: Db) {
  return db`(a.installation_admin OR ${hasRole(db, db`a.person_id`)})`;
}

async function findSession(db: Db, value: string | undefined, now: Date): Promise<SessionRow> {
  if (value === undefined || value === '') throw new AppError('UNAUTHORIZED', 'Please sign in');
  const [row] = await db<SessionRow[]>`
    SELECT s.id_hash, s.person_id, p.email, a.installation_admin, s.last_seen_at
    FROM dashboard_sessions s JOIN dashboard_accounts a ON a.person_id = s.person_id JOIN people p ON p.id = s.person_id
    WHERE s.id_hash = ${hashSecret(value)} AND s.expires_at > ${now}
      AND s.last_seen_at > ${new Date(now.getTime() - idleMs)} AND ${mayUseDashboard(db)}`;
  if (row === undefined) throw new AppError('UNAUTHORIZED', 'The session has ended; please sign in again');
  return row;
}

function sessionOf(row: SessionRow): Session {
  return {
    idHash: row.id_hash,
    personId: row.person_id,
    email: row.email,
    isInstallationAdmin: row.installation_admin,
  };
}

/** Looks up the session of a cookie, or throws UNAUTHORIZED; nothing is cached, so signing out takes effect immediately. */
export async function authenticateSession(db: Db, value: string | undefined, now: Date): Promise<Session> {
  const row = await findSession(db, value, now);
  if (now.getTime() - row.last_seen_at.getTime() > seenPrecisionMs) {
    await db`UPDATE dashboard_sessions SET last_seen_at = ${now} WHERE id_hash = ${row.id_hash}`;
  }
  return sessionOf(row);
}

/**
 * Like `authenticateSession`, later in a request. It only reads, because a transaction that waits for it may have locked the
 * session's row.
 */
export async function authenticateSessionAgain(
  db: Db,
  value: string | undefined,
  now: Date,
): Promise<Session> {
  return sessionOf(await findSession(db, value, now));
}
