import type { OrganizationId, RepositoryId } from '../../../lib/ids.ts';
import { uuidFromName } from '../../../lib/uuid.ts';

/** Derives the id of a finding: always the same for an organization, repository and fingerprint. */
export function findingId(
  organizationId: OrganizationId,
  repositoryId: RepositoryId,
  fingerprint: string,
): string {
  return uuidFromName(organizationId, `security-finding/${repositoryId}/${fingerprint}`);
}
