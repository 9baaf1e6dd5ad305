import type { Db } from '../../../db/database.ts';
import type { RepositoryId } from '../../../lib/ids.ts';
import type { ConnectionId } from '../connection-record.ts';
import type { ConnectedRepository } from '../reading/read-store.ts';

/** The active repositories whose open pull requests have not been read yet. */
export async function findOpenUnread(
  db: Db,
  connectionId?: ConnectionId,
): Promise<{ connection_id: ConnectionId; repository_id: RepositoryId }[]> {
  return db`
    SELECT s.connection_id, s.repository_id FROM connection_repositories s JOIN connections c ON c.id = s.connection_id
    JOIN repositories r ON r.organization_id = s.organization_id AND r.id = s.repository_id
    JOIN organizations o ON o.id = s.organization_id
    WHERE s.open_state IS NULL AND NOT c.paused AND r.active AND o.active
      ${connectionId === undefined ? db`` : db`AND c.id = ${connectionId}`}`;
}

export async function isOpenRead(db: Db, connectionId: ConnectionId, repositoryId: string): Promise<boolean> {
  const rows = await db`
    SELECT 1 FROM connection_repositories
    WHERE connection_id = ${connectionId} AND repository_id = ${repositoryId} AND open_state = 'done'`;
  return rows.length > 0;
}

export async function noteOpenRead(
  db: Db,
  connectionId: ConnectionId,
  repositoryId: string,
  state: 'done' | 'failed',
): Promise<void> {
  await db`
    UPDATE connection_repositories SET open_state = ${state}
    WHERE connection_id = ${connectionId} AND repository_id = ${repositoryId}`;
}

/** The numbers of the pull requests of a repository that were open when they were last read. */
export async function findKnownOpen(
  db: Db,
  { organizationId, repositoryId }: ConnectedRepository,
): Promise<number[]> {
  const rows = await db<{ number: number }[]>`
    SELECT number FROM host_pull_requests
    WHERE organization_id = ${organizationId} AND repository_id = ${repositoryId} AND state = 'open'`;
  return rows.map(({ number }) => number);
}
