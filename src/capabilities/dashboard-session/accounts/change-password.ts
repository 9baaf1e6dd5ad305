import type { Session } from '../../../access/session.ts';
import { AppError } from '../../../lib/app-error.ts';
import { recordChanges } from '../../audit-log/record-changes.ts';
import type { DashboardDeps, SignInOrigin } from '../deps.ts';
import { countPasswordChange } from '../sign-in/attempts.ts';
import { hashPassword, isPasswordCorrect } from '../sign-in/passwords.ts';
import { personActor } from '../sign-in/start-session.ts';
import { endPriorAccess } from './end-access.ts';

const wrongPassword = () => new AppError('INVALID_REQUEST', 'current_password: is incorrect');

/** Replaces a person's own password after checking the current one, and ends all their other sessions and any link. */
export async function changePassword(
  { database, limiter }: DashboardDeps,
  session: Session,
  request: { current_password: string; new_password: string },
  origin: SignInOrigin,
): Promise<void> {
  await countPasswordChange(limiter, session.idHash);
  const [account] = await database.sql<{ password_hash: string | null }[]>`
    SELECT password_hash FROM dashboard_accounts WHERE person_id = ${session.personId}`;
  if (!(await isPasswordCorrect(account?.password_hash, request.current_password))) throw wrongPassword();
  const passwordHash = await hashPassword(request.new_password);
  await database.transaction(async (tx) => {
    // The password that was checked must still be current: another change may have come first.
    const [changed] = await tx`
      UPDATE dashboard_accounts SET password_hash = ${passwordHash}
      WHERE person_id = ${session.personId} AND password_hash = ${account!.password_hash} RETURNING 1`;
    if (changed === undefined) throw wrongPassword();
    const person = { id: session.personId, email: session.email };
    await endPriorAccess(tx, person, { session: session.idHash, place: origin });
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
