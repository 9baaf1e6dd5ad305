import type { Principal } from '../../access/principal.ts';
import type { Db } from '../../db/database.ts';
import type { OrganizationId, PersonId } from '../../lib/ids.ts';

/** The author to whom a Learning is attributed. */
export interface Author {
  /** The account at the Git provider, or the person's own id if they have no account in the organization. */
  readonly id: string;
  readonly personId: PersonId | null;
}

/** Finds the author of what a key writes: its owner; for a workspace token, the owner's account in that organization. */
export async function findAuthor(
  db: Db,
  principal: Principal,
  organizationId: OrganizationId,
): Promise<Author> {
  const { owner } = principal;
  if (owner === null) throw new Error('A key without an owner cannot write');
  if (owner.userId !== null) return { id: owner.userId, personId: null };
  const [account] = await db<{ provider_user_id: string }[]>`
    SELECT provider_user_id FROM members
    WHERE organization_id = ${organizationId} AND person_id = ${owner.personId} AND active
    ORDER BY provider_user_id COLLATE "C" LIMIT 1`;
  if (account !== undefined) return { id: account.provider_user_id, personId: null };
  return { id: owner.personId!, personId: owner.personId };
}
