import type { Tx } from '../../db/database.ts';
import type { OrganizationId } from '../../lib/ids.ts';

/** Makes changes of one organization's members and roles wait for each other, on every node; readers do not wait. */
export async function lockOrganization(tx: Tx, organizationId: OrganizationId): Promise<void> {
  await tx`SELECT FROM organizations WHERE id = ${organizationId} FOR NO KEY UPDATE`;
}
