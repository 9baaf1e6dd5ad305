import type { KeyOwner } from '../../access/principal.ts';
import type { Db } from '../../db/database.ts';
import type { OrganizationId } from '../../lib/ids.ts';

/** The account at the Git provider that the owner of a key has in an organization; undefined if there is none that is active. */
export async function findAccount(
  db: Db,
  organizationId: OrganizationId,
  { userId, personId }: Pick<KeyOwner, 'userId' | 'personId'>,
): Promise<{ readonly id: string; readonly username: string } | undefined> {
  const [account] = await db<{ id: string; username: string }[]>`
    SELECT provider_user_id AS id, username FROM members
    WHERE organization_id = ${organizationId} AND active AND NOT bot
      AND (provider_user_id = ${userId}::text OR (${userId}::text IS NULL AND person_id = ${personId}::uuid))
    ORDER BY provider_user_id LIMIT 1`;
  return account;
}
