import type { KeyOwner } from '../../../access/principal.ts';
import type { Db, Fragment } from '../../../db/database.ts';
import type { OrganizationId, RepositoryId } from '../../../lib/ids.ts';
import type { RunKey } from '../runs/run-record.ts';

/**
 * Whether the host lets somebody read a repository `r`: it is open to all members, or one of the person's accounts was among
 * its readers at the last sync. False if the host no longer shows the repository, since its readers are unknown; an archived
 * one can still be read.
 */
export function isReader(db: Db, organizationId: OrganizationId, owner: KeyOwner | null): Fragment {
  return db`((r.active OR EXISTS (
      SELECT 1 FROM connection_repositories s WHERE s.organization_id = ${organizationId} AND s.repository_id = r.id))
    AND (NOT r.readers_restricted OR EXISTS (
    SELECT 1 FROM repository_readers x JOIN members m
      ON m.organization_id = x.organization_id AND m.provider_user_id = x.provider_user_id
    WHERE x.organization_id = ${organizationId} AND x.repository_id = r.id AND m.active
      AND (m.provider_user_id = ${owner?.userId ?? null}::text OR m.person_id = ${owner?.personId ?? null}::uuid))))`;
}

/** The commits that a run compared. */
export interface ComparedCommits {
  readonly repositoryId: RepositoryId;
  /** Null for a diff that was sent, and for a run that has not ended. */
  readonly base: string | null;
  readonly head: string | null;
  readonly isReader: boolean;
}

export async function findComparedCommits(
  db: Db,
  { organizationId, runId }: RunKey,
  owner: KeyOwner | null,
): Promise<ComparedCommits | undefined> {
  const [found] = await db<ComparedCommits[]>`
    SELECT v.repository_id AS "repositoryId", v.base_revision AS base, v.head_revision AS head,
      ${isReader(db, organizationId, owner)} AS "isReader"
    FROM review_runs v JOIN repositories r ON r.organization_id = v.organization_id AND r.id = v.repository_id
    WHERE v.organization_id = ${organizationId} AND v.id = ${runId}`;
  return found;
}
