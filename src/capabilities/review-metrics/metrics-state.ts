import { type OrgScope, organizationIdsOf } from '../../access/org-scope.ts';
import type { Db } from '../../db/database.ts';
import { AppError } from '../../lib/app-error.ts';
import type { OrganizationId, ProviderOrgId } from '../../lib/ids.ts';
import { sharedStorage } from './storage-map.ts';

const retryWhilePreparingSeconds = 5;

/** An organization whose metrics can be read, and where they are. */
export interface ReadablePlace {
  readonly organizationId: OrganizationId;
  readonly storageId: number;
}

interface StateRow {
  id: OrganizationId;
  org_id: ProviderOrgId;
  metrics: 'available' | 'unavailable';
  is_preparing: boolean;
  storage_id: number;
}

/** Where the metrics of every organization in scope are; throws when one of them has none, or they are being moved. */
export async function readablePlaces(db: Db, scope: OrgScope): Promise<ReadablePlace[]> {
  const rows = await db<StateRow[]>`
    SELECT o.id, o.provider_organization_id AS org_id, o.metrics, coalesce(s.storage_id, ${sharedStorage}) AS storage_id,
      s.moving_from IS NOT NULL OR o.metrics_isolated <> (coalesce(s.storage_id, ${sharedStorage}) <> ${sharedStorage})
        AS is_preparing
    FROM organizations o LEFT JOIN metrics_storage s ON s.organization_id = o.id
    WHERE o.id = ANY(${organizationIdsOf(scope)}::uuid[])`;
  const without = rows.find(({ metrics }) => metrics === 'unavailable');
  if (without !== undefined) {
    throw new AppError('METRICS_UNAVAILABLE', `Organization ${without.org_id} has no metrics here`);
  }
  const preparing = rows.find(({ is_preparing }) => is_preparing);
  if (preparing !== undefined) {
    throw new AppError(
      'METRICS_PREPARING',
      `The metrics of organization ${preparing.org_id} are being prepared; wait, then send the same request again`,
      retryWhilePreparingSeconds,
    );
  }
  return rows.map(({ id, storage_id }) => ({ organizationId: id, storageId: storage_id }));
}
