import type { Db } from '../../../db/database.ts';
import type { OrganizationId, RepositoryId } from '../../../lib/ids.ts';
import { redactCredentials } from '../../../redaction/redact-credentials.ts';
import type { ConnectionId } from '../connection-record.ts';
import type { HostPullRequest } from '../hosts/host.ts';
import type { EventTenant } from './pull-request-event.ts';

/** A repository of a connection, with all its identifiers. */
export interface ConnectedRepository {
  readonly organizationId: OrganizationId;
  readonly repositoryId: RepositoryId;
  readonly providerRepositoryId: string;
  readonly fullName: string;
  readonly tenant: EventTenant;
}

interface RepositoryRow {
  organization_id: OrganizationId;
  repository_id: RepositoryId;
  provider_repository_id: string;
  full_name: string;
  provider: string;
  provider_organization_id: string;
  instance: string | null;
}

function repositoryOf(row: RepositoryRow): ConnectedRepository {
  return {
    organizationId: row.organization_id,
    repositoryId: row.repository_id,
    providerRepositoryId: row.provider_repository_id,
    fullName: row.full_name,
    tenant: { provider: row.provider, orgId: row.provider_organization_id, instance: row.instance },
  };
}

const selectRepositories = (db: Db, connectionId: ConnectionId) => db`
  SELECT c.organization_id, c.repository_id, c.full_name, r.provider_repository_id, o.provider, o.provider_organization_id,
    i.slug AS instance
  FROM connection_repositories c
  JOIN repositories r ON r.organization_id = c.organization_id AND r.id = c.repository_id
  JOIN organizations o ON o.id = c.organization_id LEFT JOIN instances i ON i.id = o.instance_id
  WHERE c.connection_id = ${connectionId} AND r.active AND o.active`;

/** The active repositories that a connection serves. */
export async function findConnectedRepositories(
  db: Db,
  connectionId: ConnectionId,
): Promise<ConnectedRepository[]> {
  const rows = await db<
    RepositoryRow[]
  >`${selectRepositories(db, connectionId)} ORDER BY c.organization_id, c.repository_id`;
  return rows.map(repositoryOf);
}

/** One of them by the host's id, or undefined if the connection does not serve it. */
export async function findConnectedRepository(
  db: Db,
  connectionId: ConnectionId,
  providerRepositoryId: string,
): Promise<ConnectedRepository | undefined> {
  const [row] = await db<RepositoryRow[]>`
    ${selectRepositories(db, connectionId)} AND r.provider_repository_id = ${providerRepositoryId}`;
  return row && repositoryOf(row);
}

/** What was last read of a pull request. */
export interface LastRead {
  /** False if an earlier version of Postil has read it, which stored fewer fields. */
  readonly isWhole: boolean;
  readonly fingerprint: Buffer;
  readonly hostUpdatedAt: Date;
  /** The host's update time up to which the comments of bots were read too; null if never. */
  readonly commentsReadUpTo: Date | null;
}

export async function findLastRead(
  db: Db,
  { organizationId, repositoryId }: ConnectedRepository,
  number: number,
): Promise<LastRead | undefined> {
  const [row] = await db<
    { fingerprint: Buffer; host_updated_at: Date; comments_read_up_to: Date | null; opened_at: Date | null }[]
  >`
    SELECT fingerprint, host_updated_at, comments_read_up_to, opened_at FROM host_pull_requests
    WHERE organization_id = ${organizationId} AND repository_id = ${repositoryId} AND number = ${number}`;
  return (
    row && {
      isWhole: row.opened_at !== null,
      fingerprint: row.fingerprint,
      hostUpdatedAt: row.host_updated_at,
      commentsReadUpTo: row.comments_read_up_to,
    }
  );
}

export interface NotedRead {
  readonly pull: HostPullRequest;
  /** Empty if it was only listed as open: nothing of it was reported as new, so the next reading reports it. */
  readonly fingerprint: Buffer;
  readonly readAt: Date;
  readonly withComments: boolean;
}

/** Titles have no maximum length; lists show their beginning. */
const maxTitle = 500;

/** Records what was read, unless something newer was read before. */
export async function noteRead(
  db: Db,
  { organizationId, repositoryId }: ConnectedRepository,
  { pull, fingerprint, readAt, withComments }: NotedRead,
): Promise<void> {
  const { asked, size } = pull;
  const awaited = [...asked.users.map((id) => `user:${id}`), ...asked.teams.map((id) => `team:${id}`)];
  // Titles are written by people, and can contain a credential.
  const title = redactCredentials(pull.title).slice(0, maxTitle).toWellFormed();
  await db`
    INSERT INTO host_pull_requests AS known
      (organization_id, repository_id, number, state, fingerprint, host_updated_at, read_at, comments_read_up_to, opened_at, url,
       title, author_id, author_username, is_draft, head_revision, lines_added, lines_removed, files_changed, asked, reviewed_by)
    VALUES (${organizationId}, ${repositoryId}, ${pull.number}, ${pull.state}, ${fingerprint}, ${pull.updatedAt},
      ${readAt}, ${withComments ? pull.updatedAt : null}, ${pull.createdAt}, ${pull.url}, ${title},
      ${pull.author?.id ?? null}, ${pull.author?.username ?? null}, ${pull.isDraft}, ${pull.head.sha}, ${size.added},
      ${size.removed}, ${size.files}, ${awaited}::text[], ${[...pull.reviewedBy]}::text[])
    ON CONFLICT (organization_id, repository_id, number) DO UPDATE SET state = excluded.state,
      fingerprint = CASE WHEN excluded.fingerprint = '' THEN known.fingerprint ELSE excluded.fingerprint END,
      host_updated_at = excluded.host_updated_at, read_at = excluded.read_at,
      comments_read_up_to = coalesce(excluded.comments_read_up_to, known.comments_read_up_to),
      opened_at = excluded.opened_at, url = excluded.url, title = excluded.title, author_id = excluded.author_id,
      author_username = excluded.author_username, is_draft = excluded.is_draft, head_revision = excluded.head_revision,
      lines_added = excluded.lines_added, lines_removed = excluded.lines_removed, files_changed = excluded.files_changed,
      asked = excluded.asked, reviewed_by = excluded.reviewed_by
    WHERE known.read_at <= excluded.read_at`;
}

/**
 * The known open pull requests of a connection that changed since a given time, and those that an earlier version has read; not
 * those that were only listed as open, since to read them would be to review them.
 */
export async function findOpenPullRequests(
  db: Db,
  connectionId: ConnectionId,
  since: Date,
): Promise<{ provider_repository_id: string; number: number }[]> {
  return db`
    SELECT r.provider_repository_id, p.number FROM connection_repositories c
    JOIN repositories r ON r.organization_id = c.organization_id AND r.id = c.repository_id
    JOIN host_pull_requests p ON p.organization_id = c.organization_id AND p.repository_id = c.repository_id
    WHERE c.connection_id = ${connectionId} AND r.active AND p.state = 'open'
      AND p.fingerprint <> '' AND (p.host_updated_at >= ${since} OR p.opened_at IS NULL)`;
}
