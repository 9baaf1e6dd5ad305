import { hasRole, mayUseDashboard } from '../../../access/session.ts';
import type { Db, Fragment } from '../../../db/database.ts';
import type { PersonId } from '../../../lib/ids.ts';
import type { SignInOrigin } from '../deps.ts';
import { forgetPlaces } from '../sign-in/known-places.ts';

/**
 * Ends the sessions and links of those among these people who no longer have a role. Both are refused without a role anyway;
 * deleting them keeps them from becoming valid again when the person returns.
 */
export async function endAccessWithoutRole(db: Db, people: readonly PersonId[] | 'everybody'): Promise<void> {
  const isAmongThem = (personId: Fragment) =>
    people === 'everybody' ? db`true` : db`${personId} = ANY(${[...people]}::uuid[])`;
  await db`
    DELETE FROM dashboard_sessions s USING dashboard_accounts a
    WHERE ${isAmongThem(db`s.person_id`)} AND a.person_id = s.person_id AND NOT ${mayUseDashboard(db)}`;
  await db`
    DELETE FROM dashboard_invitations i
    WHERE NOT i.installation_admin ${people === 'everybody' ? db`` : db`AND i.email IN (SELECT email FROM people g WHERE ${isAmongThem(db`g.id`)})`}
      AND NOT EXISTS (
        SELECT 1 FROM people p LEFT JOIN dashboard_accounts a ON a.person_id = p.id
        WHERE p.email = i.email AND (a.installation_admin OR ${hasRole(db, db`p.id`)}))`;
}

/** Ends every session and link. Used after restoring a backup, which can contain some that had been ended since. */
export async function endAllAccess(db: Db): Promise<void> {
  await db`DELETE FROM dashboard_sessions`;
  await db`DELETE FROM dashboard_invitations`;
}

/** Ends everything that must not survive a new password: the person's link, and all but the current session and place. */
export async function endPriorAccess(
  db: Db,
  person: { id: PersonId; email: string },
  current?: { session: Buffer; place: SignInOrigin },
): Promise<void> {
  await db`DELETE FROM dashboard_invitations WHERE email = ${person.email}`;
  await db`
    DELETE FROM dashboard_sessions
    WHERE person_id = ${person.id} AND id_hash IS DISTINCT FROM ${current?.session ?? null}::bytea`;
  await forgetPlaces(db, person.id, current?.place);
}
