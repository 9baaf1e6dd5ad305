import type { OrganizationId, RepositoryId } from '../../../lib/ids.ts';
import { uuidFromName } from '../../../lib/uuid.ts';

/** The id of a finding: the same for the same organization, repository and fingerprint, always. */
export function findingId(
  organizationId: OrganizationId,
  repositoryId: RepositoryId,
  fingerprint: string,
): string {
  return uuidFromName(organizationId, `security-finding/${repositoryId}/${fingerprint}`);
}
