import type { Session } from '../../access/session.ts';
import type { Database, Db } from '../../db/database.ts';

/** Counting stops here: nobody reads a larger number in a sentence, and counting takes time. */
const maxCounted = 1000;

interface Connected {
  readonly connections: number;
  readonly host: string | null;
  readonly account: string | null;
  readonly error: string | null;
  readonly isRead: boolean;
}

async function findConnected(db: Db): Promise<Connected> {
  const [row] = await db<(Omit<Connected, 'host'> & { url: string | null })[]>`
    SELECT (SELECT count(*)::int FROM connections) AS connections,
      EXISTS (SELECT FROM connections WHERE synced_at IS NOT NULL) AS "isRead",
      newest.url, newest.account_username AS account,
      (SELECT c.last_error FROM connections c WHERE c.failing_since IS NOT NULL AND NOT c.paused
        ORDER BY c.last_error_at DESC NULLS LAST LIMIT 1) AS error
    FROM (SELECT) AS one LEFT JOIN LATERAL (
      SELECT url, account_username FROM connections ORDER BY created_at DESC, id DESC LIMIT 1) AS newest ON true`;
  const { url, ...connected } = row!;
  return { ...connected, host: url === null ? null : new URL(url).host };
}

interface WhatWasRead {
  readonly organizations: number;
  readonly repositories: number;
  readonly members: number;
  readonly pull_requests: number;
  readonly done: number;
  readonly total: number;
  readonly is_running: boolean;
  readonly listed: number;
  readonly to_list: number;
}

/** What connections have read, of all organizations: for admins of the installation only. */
async function findRead(db: Db): Promise<WhatWasRead> {
  const [row] = await db<WhatWasRead[]>`
    WITH served AS (
      SELECT DISTINCT c.organization_id FROM connection_organizations c JOIN connections n ON n.id = c.connection_id
    ), repository AS (
      SELECT DISTINCT c.organization_id, c.repository_id FROM connection_repositories c
      JOIN connections n ON n.id = c.connection_id)
    SELECT (SELECT count(*)::int FROM served) AS organizations,
      (SELECT count(*)::int FROM repository) AS repositories,
      (SELECT count(*)::int FROM (
        SELECT FROM members m JOIN served s ON s.organization_id = m.organization_id LIMIT ${maxCounted}) AS m) AS members,
      (SELECT count(*)::int FROM (
        SELECT FROM host_pull_requests h JOIN served s ON s.organization_id = h.organization_id
        LIMIT ${maxCounted}) AS h) AS pull_requests,
      reading.*
    FROM (
      SELECT coalesce(sum(backfill_done), 0)::int AS done, coalesce(sum(backfill_total), 0)::int AS total,
        coalesce(bool_or(backfill_state IN ('waiting', 'running')), false) AS is_running,
        count(*) FILTER (WHERE r.active AND c.open_state IS NOT NULL)::int AS listed,
        count(*) FILTER (WHERE r.active)::int AS to_list
      FROM connection_repositories c JOIN connections n ON n.id = c.connection_id
      JOIN repositories r ON r.organization_id = c.organization_id AND r.id = c.repository_id) AS reading`;
  return row!;
}

interface Reviewed {
  readonly running: number;
  readonly newest: { readonly organization: string; readonly run: string } | null;
}

async function findReviewed(db: Db): Promise<Reviewed> {
  const [row] = await db<Reviewed[]>`
    SELECT (SELECT count(*)::int FROM (
        SELECT FROM review_runs WHERE status IN ('queued', 'running') LIMIT ${maxCounted}) AS r) AS running,
      (SELECT json_build_object('organization', newest.organization_id, 'run', newest.id)
        FROM organizations o CROSS JOIN unnest(ARRAY['succeeded', 'degraded']) AS well (status) CROSS JOIN LATERAL (
          SELECT r.organization_id, r.id, r.created_at FROM review_runs r
          WHERE r.organization_id = o.id AND r.status = well.status ORDER BY r.created_at DESC LIMIT 1) AS newest
        ORDER BY newest.created_at DESC LIMIT 1) AS newest`;
  return row!;
}

async function findInvited(
  db: Db,
  { personId }: Session,
  now: Date,
): Promise<{ invited: number; signed_in: number }> {
  const [row] = await db<{ invited: number; signed_in: number }[]>`
    SELECT (SELECT count(*)::int FROM (SELECT FROM dashboard_invitations
        WHERE email IS NOT NULL AND expires_at > ${now} LIMIT ${maxCounted}) AS i) AS invited,
      (SELECT count(*)::int FROM (SELECT FROM dashboard_accounts
        WHERE person_id <> ${personId} AND last_sign_in_at IS NOT NULL LIMIT ${maxCounted}) AS a) AS signed_in`;
  return row!;
}

/** The progress of setting up a new installation, for its admin. */
export async function describeFirstSteps({ database }: { database: Database }, session: Session, now: Date) {
  const { sql } = database;
  const [{ isRead, ...connected }, { done, total, is_running, listed, to_list, ...read }, reviewed, invited] =
    await Promise.all([findConnected(sql), findRead(sql), findReviewed(sql), findInvited(sql, session, now)]);
  const steps = {
    connect: { is_done: connected.connections > 0, ...connected },
    read: {
      is_done: isRead && read.repositories > 0,
      ...read,
      open: { done: listed, total: to_list },
      backfill: { done, total, is_running },
    },
    review: { is_done: reviewed.newest !== null, ...reviewed },
    invite: { is_done: invited.invited + invited.signed_in > 0, ...invited },
  };
  return { is_finished: Object.values(steps).every(({ is_done }) => is_done), ...steps };
}

/**
 * Whether to lead an installation admin to the first steps. An installation that gets its data from events instead of
 * connections already has organizations, and needs no such help.
 */
export async function isBeingSetUp(
  { database }: { database: Database },
  session: Session,
  now: Date,
): Promise<boolean> {
  if (!session.isInstallationAdmin) return false;
  const [row] = await database.sql<{ isOpen: boolean }[]>`
    SELECT a.first_steps_put_away_at IS NULL AND (EXISTS (SELECT FROM connections)
      OR NOT EXISTS (SELECT FROM organizations)) AS "isOpen"
    FROM dashboard_accounts a WHERE a.person_id = ${session.personId}`;
  if (row?.isOpen !== true) return false;
  return !(await describeFirstSteps({ database }, session, now)).is_finished;
}

/** Hides the page for one person. */
export async function putFirstStepsAway(
  { database }: { database: Database },
  { personId }: Session,
  now: Date,
): Promise<void> {
  await database.sql`UPDATE dashboard_accounts SET first_steps_put_away_at = ${now} WHERE person_id = ${personId}`;
}
