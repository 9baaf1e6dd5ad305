import type { Db } from '../../../db/database.ts';
import type { OrganizationId, RepositoryId } from '../../../lib/ids.ts';
import type { Connection, ConnectionId } from '../connection-record.ts';
import { findConnection } from '../store.ts';
import { type ConnectedRepository, findConnectedRepository } from './read-store.ts';

/** A connection with one of the repositories that it serves. */
export interface ServedRepository {
  readonly connection: Connection;
  readonly repository: ConnectedRepository;
}

/** The connection that serves a repository; of several, one that reviews, and then the oldest. */
export async function findServingConnection(
  db: Db,
  organizationId: OrganizationId,
  repositoryId: RepositoryId,
): Promise<ServedRepository | undefined> {
  const [row] = await db<{ id: ConnectionId; provider_repository_id: string }[]>`
    SELECT c.id, r.provider_repository_id
    FROM connection_repositories s JOIN connections c ON c.id = s.connection_id
    JOIN repositories r ON r.organization_id = s.organization_id AND r.id = s.repository_id
    WHERE s.organization_id = ${organizationId} AND s.repository_id = ${repositoryId}
    ORDER BY c.review = 'on' DESC, c.paused, c.created_at, c.id LIMIT 1`;
  if (row === undefined) return undefined;
  const connection = await findConnection(db, row.id);
  const repository = await findConnectedRepository(db, row.id, row.provider_repository_id);
  return connection && repository && { connection, repository };
}
