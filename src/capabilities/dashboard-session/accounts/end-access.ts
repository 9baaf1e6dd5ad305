import { hasRole, mayUseDashboard } from '../../../access/session.ts';
import type { Db } from '../../../db/database.ts';
import type { PersonId } from '../../../lib/ids.ts';
import type { SignInOrigin } from '../deps.ts';
import { forgetPlaces } from '../sign-in/known-places.ts';

/**
 * Ends the sessions and links of people who have no role any more. Both are refused without a role anyway; gone, they
 * do not come back to life when the person returns.
 */
export async function endAccessWithoutRole(db: Db): Promise<void> {
  await db`
    DELETE FROM dashboard_sessions s USING dashboard_accounts a
    WHERE a.person_id = s.person_id AND NOT ${mayUseDashboard(db)}`;
  await db`
    DELETE FROM dashboard_invitations i WHERE NOT i.installation_admin AND NOT EXISTS (
      SELECT 1 FROM people p LEFT JOIN dashboard_accounts a ON a.person_id = p.id
      WHERE p.email = i.email AND (a.installation_admin OR ${hasRole(db, db`p.id`)}))`;
}

/** Ends every session and link, where it cannot be known which of them were ended already: after a backup is restored. */
export async function endAllAccess(db: Db): Promise<void> {
  await db`DELETE FROM dashboard_sessions`;
  await db`DELETE FROM dashboard_invitations`;
}

/** Ends what a new password must outlive: the person's link, and every session and known place but the ones of now. */
export async function endFormerAccess(
  db: Db,
  person: { id: PersonId; email: string },
  kept?: { session: Buffer; place: SignInOrigin },
): Promise<void> {
  await db`DELETE FROM dashboard_invitations WHERE email = ${person.email}`;
  await db`
    DELETE FROM dashboard_sessions
    WHERE person_id = ${person.id} AND id_hash IS DISTINCT FROM ${kept?.session ?? null}::bytea`;
  await forgetPlaces(db, person.id, kept?.place);
}
