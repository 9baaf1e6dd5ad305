import type { Tx } from '../../db/database.ts';
import type { OrganizationId } from '../../lib/ids.ts';

/** Serializes changes to one organization's members and roles across all nodes; readers do not wait. */
export async function lockOrganization(tx: Tx, organizationId: OrganizationId): Promise<void> {
  await tx`SELECT FROM organizations WHERE id = ${organizationId} FOR NO KEY UPDATE`;
}
