import type { Db } from '../../../db/database.ts';
import type { PullRequestKey } from '../../pull-requests/pull-request-state.ts';

/** Remembers who owns what a pull request changes, as CODEOWNERS names them: `@bob`, `@acme/shop` or an address. */
export async function noteOwners(
  db: Db,
  { organizationId, repositoryId, number }: PullRequestKey,
  owners: readonly string[],
): Promise<void> {
  const names = [...new Set(owners.map((owner) => owner.toLowerCase()))];
  await db`
    UPDATE host_pull_requests SET owners = ${names}::text[]
    WHERE organization_id = ${organizationId} AND repository_id = ${repositoryId} AND number = ${number}
      AND owners <> ${names}::text[]`;
}
