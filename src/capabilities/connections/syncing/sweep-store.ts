import type { Db } from '../../../db/database.ts';
import type { RepositoryId } from '../../../lib/ids.ts';
import type { ConnectionId } from '../connection-record.ts';

/** A repository, and the start of its last complete sweep. */
export interface RepositorySweep {
  readonly repositoryId: RepositoryId;
  readonly providerRepositoryId: string;
  readonly fullName: string;
  readonly sweptAt: Date;
}

/** Gives repositories that are new to a connection a start of their first sweep. */
export async function noteFirstSweep(db: Db, connectionId: ConnectionId, since: Date): Promise<void> {
  await db`
    UPDATE connection_repositories SET swept_at = ${since} WHERE connection_id = ${connectionId} AND swept_at IS NULL`;
}

/** The active repositories of a connection that have a start of their first sweep. */
export async function findSweeps(db: Db, connectionId: ConnectionId): Promise<RepositorySweep[]> {
  const rows = await db<
    { repository_id: RepositoryId; provider_repository_id: string; full_name: string; swept_at: Date }[]
  >`
    SELECT c.repository_id, r.provider_repository_id, c.full_name, c.swept_at FROM connection_repositories c
    JOIN repositories r ON r.organization_id = c.organization_id AND r.id = c.repository_id
    JOIN organizations o ON o.id = c.organization_id
    WHERE c.connection_id = ${connectionId} AND c.swept_at IS NOT NULL AND r.active AND o.active
    ORDER BY c.organization_id, c.repository_id`;
  return rows.map((row) => ({
    repositoryId: row.repository_id,
    providerRepositoryId: row.provider_repository_id,
    fullName: row.full_name,
    sweptAt: row.swept_at,
  }));
}

/** Records a sweep, and which repositories it covered. */
export async function noteSwept(
  db: Db,
  connectionId: ConnectionId,
  repositoryIds: readonly RepositoryId[],
  at: Date,
): Promise<void> {
  await db`
    UPDATE connection_repositories SET swept_at = ${at}
    WHERE connection_id = ${connectionId} AND repository_id = ANY(${[...repositoryIds]}::uuid[])`;
  await db`UPDATE connections SET swept_at = ${at} WHERE id = ${connectionId}`;
}
