import { type OrgScope, organizationIdsOf } from '../../../access/org-scope.ts';
import type { Db } from '../../../db/database.ts';
import { arrayLiteral } from '../../../db/driver/array-literal.ts';
import { AppError } from '../../../lib/app-error.ts';
import type { OrganizationId, ProviderOrgId } from '../../../lib/ids.ts';
import { sharedStorage } from './storage-map.ts';

const retryWhilePreparingSeconds = 5;

/** An organization whose metrics can be read, and the storage that holds them. */
export interface OrganizationStorage {
  readonly organizationId: OrganizationId;
  readonly storageId: number;
}

interface StateRow {
  readonly id: OrganizationId;
  readonly org_id: ProviderOrgId;
  readonly metrics: 'available' | 'unavailable';
  readonly is_preparing: boolean;
  readonly storage_id: number;
}

// Returns rows only for organizations that are not simply readable in the shared storage; nearly all are. The sub-select is
// hashed, so that the join looks up only those.
function storageStatesQuery(organizationIds: string): string {
  return `
    SELECT o.id, o.provider_organization_id AS org_id, o.metrics, coalesce(s.storage_id, ${sharedStorage}) AS storage_id,
      s.moving_from IS NOT NULL OR o.metrics_isolated <> (coalesce(s.storage_id, ${sharedStorage}) <> ${sharedStorage})
        AS is_preparing
    FROM organizations o LEFT JOIN metrics_storage s ON s.organization_id = o.id
    WHERE o.id = ANY(${organizationIds}::uuid[])
      AND (o.metrics <> 'available' OR o.metrics_isolated OR o.id IN (
        SELECT organization_id FROM metrics_storage WHERE organization_id = ANY(${organizationIds}::uuid[])))`;
}

/** The states as one column of another statement, to be passed to `checkReadable`. */
export function storageStatesColumn(organizationIds: string): string {
  return `(SELECT coalesce(json_agg(states), '[]') FROM (${storageStatesQuery(organizationIds)}) AS states)`;
}

/** Returns where the metrics of these organizations are; throws if one has none, or if they are being moved. */
export function checkReadable(
  organizationIds: readonly OrganizationId[],
  states: readonly StateRow[],
): OrganizationStorage[] {
  const unavailable = states.find(({ metrics }) => metrics === 'unavailable');
  if (unavailable !== undefined) {
    throw new AppError('METRICS_UNAVAILABLE', `Organization ${unavailable.org_id} has no metrics here`);
  }
  const preparing = states.find(({ is_preparing }) => is_preparing);
  if (preparing !== undefined) {
    throw new AppError(
      'METRICS_PREPARING',
      `The metrics of organization ${preparing.org_id} are being prepared; wait, then send the same request again`,
      retryWhilePreparingSeconds,
    );
  }
  const storageOf = new Map(states.map(({ id, storage_id }) => [id, storage_id]));
  return organizationIds.map((organizationId) => ({
    organizationId,
    storageId: storageOf.get(organizationId) ?? sharedStorage,
  }));
}

/** Finds where the metrics of every organization in scope are; throws as `checkReadable` does. */
export function findReadableStorages(db: Db, scope: OrgScope): Promise<OrganizationStorage[]> {
  return findStoragesOf(db, organizationIdsOf(scope));
}

/** The same for background work without a caller, such as a schedule's. */
export async function findStoragesOf(db: Db, ids: readonly OrganizationId[]): Promise<OrganizationStorage[]> {
  const states = await db.unsafe<StateRow[]>(storageStatesQuery('$1'), [arrayLiteral(ids)], {
    prepare: true,
  });
  return checkReadable(ids, states);
}
