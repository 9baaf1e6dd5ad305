import type { KeyOwner, Organization } from '../../../access/principal.ts';
import type { Db } from '../../../db/database.ts';
import type { OrganizationId } from '../../../lib/ids.ts';
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

export interface Membership {
  readonly isBot: boolean;
  /** Holds a seat of the organization's pool, through any account of the person. */
  readonly hasSeat: boolean;
}

/** What an account at the Git provider is in an organization; undefined if it is no active member. */
export async function findMembership(
  db: Db,
  organizationId: OrganizationId,
  userId: string,
): Promise<Membership | undefined> {
  const [row] = await db<Membership[]>`
    SELECT m.bot AS "isBot", m.seat OR EXISTS (
      SELECT 1 FROM organizations o JOIN members x ON x.organization_id = o.id
      WHERE o.workspace_id = own.workspace_id AND o.active AND x.person_id = m.person_id AND x.seat AND x.active) AS "hasSeat"
    FROM members m JOIN organizations own ON own.id = m.organization_id
    WHERE m.organization_id = ${organizationId} AND m.provider_user_id = ${userId} AND m.active`;
  return row;
}
