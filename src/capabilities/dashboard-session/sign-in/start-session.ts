import { hashSecret, newSecret } from '../../../access/session.ts';
import type { Tx } from '../../../db/database.ts';
import type { PersonId } from '../../../lib/ids.ts';
import { recordChanges } from '../../audit-log/record-changes.ts';
import type { SignedIn, SignInOrigin } from '../deps.ts';
import { rememberPlace } from './known-places.ts';

export const sessionSeconds = 7 * 24 * 60 * 60;

/** Signs a person in and returns the cookie values for the browser; only their hashes are stored. */
export async function startSession(
  tx: Tx,
  person: { id: PersonId; email: string },
  method: 'password' | 'invitation' | 'single_sign_on',
  origin: SignInOrigin,
): Promise<SignedIn> {
  const session = newSecret();
  const expiresAt = new Date(origin.now.getTime() + sessionSeconds * 1000);
  await tx`
    INSERT INTO dashboard_sessions (id_hash, person_id, created_at, last_seen_at, expires_at)
    VALUES (${hashSecret(session)}, ${person.id}, ${origin.now}, ${origin.now}, ${expiresAt})`;
  await tx`UPDATE dashboard_accounts SET last_sign_in_at = ${origin.now} WHERE person_id = ${person.id}`;
  const device = await rememberPlace(tx, person, origin);
  await recordChanges(tx, { ...origin, actor: personActor(person) }, [
    {
      action: 'dashboard.signed_in',
      resourceType: 'dashboard_account',
      resourceId: person.id,
      resourceSummary: person.email,
      metadata: { method },
    },
  ]);
  return { session, device };
}

/** A signed-in person as an actor in the audit log. */
export function personActor({ id, email }: { id: PersonId; email: string }) {
  return { type: 'user', id, name: email, subtitle: 'Dashboard', isBot: false } as const;
}
