import { type OrgScope, organizationIdsOf } from '../../../access/org-scope.ts';
import type { Db } from '../../../db/database.ts';
import { arrayLiteral } from '../../../db/driver/array-literal.ts';
import { AppError } from '../../../lib/app-error.ts';
import type { OrganizationId, ProviderOrgId } from '../../../lib/ids.ts';
import { sharedStorage } from './storage-map.ts';

const retryWhilePreparingSeconds = 5;

/** An organization whose metrics can be read, and where they are. */
export interface ReadablePlace {
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

function statesOf(organizationIds: string): string {
  return `
    SELECT o.id, o.provider_organization_id AS org_id, o.metrics, coalesce(s.storage_id, ${sharedStorage}) AS storage_id,
      s.moving_from IS NOT NULL OR o.metrics_isolated <> (coalesce(s.storage_id, ${sharedStorage}) <> ${sharedStorage})
        AS is_preparing
    FROM organizations o LEFT JOIN metrics_storage s ON s.organization_id = o.id
    WHERE o.id = ANY(${organizationIds}::uuid[])`;
}

/** The states as one column of another statement, for `judgeStates`; the parameter is a list of organizations. */
export function statesColumn(organizationIds: string): string {
  return `(SELECT json_agg(states) FROM (${statesOf(organizationIds)}) AS states)`;
}

/** Where the metrics are; throws when an organization has none, or when they are being moved. */
export function judgeStates(states: readonly StateRow[]): ReadablePlace[] {
  const without = states.find(({ metrics }) => metrics === 'unavailable');
  if (without !== undefined) {
    throw new AppError('METRICS_UNAVAILABLE', `Organization ${without.org_id} has no metrics here`);
  }
  const preparing = states.find(({ is_preparing }) => is_preparing);
  if (preparing !== undefined) {
    throw new AppError(
      'METRICS_PREPARING',
      `The metrics of organization ${preparing.org_id} are being prepared; wait, then send the same request again`,
      retryWhilePreparingSeconds,
    );
  }
  return states.map(({ id, storage_id }) => ({ organizationId: id, storageId: storage_id }));
}

/** Where the metrics of every organization in scope are; throws as `judgeStates` does. */
export async function readablePlaces(db: Db, scope: OrgScope): Promise<ReadablePlace[]> {
  const ids = arrayLiteral(organizationIdsOf(scope));
  return judgeStates(await db.unsafe<StateRow[]>(statesOf('$1'), [ids], { prepare: true }));
}
