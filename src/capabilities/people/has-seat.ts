import type { KeyOwner, Organization } from '../../access/principal.ts';
import type { Db } from '../../db/database.ts';
import { isInPool, seatPoolOf } from './seat-pool.ts';

/** Whether the owner of a key holds a seat of the organization's pool, through any of their accounts. */
export async function hasSeat(
  db: Db,
  organization: Organization,
  { userId, personId }: Pick<KeyOwner, 'userId' | 'personId'>,
): Promise<boolean> {
  const [row] = await db<[{ exists: boolean }]>`
    SELECT EXISTS (
      SELECT 1 FROM organizations o JOIN members m ON m.organization_id = o.id AND m.seat AND m.active
      WHERE ${isInPool(db, seatPoolOf(organization))}
        AND (m.person_id = ${personId}::uuid
          OR (m.organization_id = ${organization.id} AND m.provider_user_id = ${userId}::text)))`;
  return row.exists;
}
