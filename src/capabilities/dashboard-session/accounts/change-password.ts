import type { Session } from '../../../access/session.ts';
import { AppError } from '../../../lib/app-error.ts';
import { recordChanges } from '../../audit-log/record-changes.ts';
import type { DashboardDeps, SignInOrigin } from '../deps.ts';
import { countPasswordChange } from '../sign-in/attempts.ts';
import { personActor } from '../sign-in/start-session.ts';
import { endFormerAccess } from './end-access.ts';
import { hashPassword, isPassword } from './passwords.ts';

const wrongPassword = () => new AppError('INVALID_REQUEST', 'current_password: is incorrect');

/** Replaces the own password, for those who know the present one, and ends every other session and any link. */
export async function changePassword(
  { database, limiter }: DashboardDeps,
  session: Session,
  asked: { current_password: string; new_password: string },
  origin: SignInOrigin,
): Promise<void> {
  await countPasswordChange(limiter, session.idHash);
  const [account] = await database.sql<{ password_hash: string | null }[]>`
    SELECT password_hash FROM dashboard_accounts WHERE person_id = ${session.personId}`;
  if (!(await isPassword(account?.password_hash, asked.current_password))) throw wrongPassword();
  const passwordHash = await hashPassword(asked.new_password);
  await database.transaction(async (tx) => {
    // The password that was checked must still be the present one: another change may have come first.
    const [changed] = await tx`
      UPDATE dashboard_accounts SET password_hash = ${passwordHash}
      WHERE person_id = ${session.personId} AND password_hash = ${account!.password_hash} RETURNING 1`;
    if (changed === undefined) throw wrongPassword();
    const person = { id: session.personId, email: session.email };
    await endFormerAccess(tx, person, { session: session.idHash, place: origin });
    await recordChanges(tx, { ...origin, actor: personActor(person) }, [
      {
        action: 'dashboard.password_set',
        resourceType: 'dashboard_account',
        resourceId: person.id,
        resourceSummary: person.email,
      },
    ]);
  });
}
