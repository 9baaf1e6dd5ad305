import type { Session } from '../../access/session.ts';
import { AppError } from '../../lib/app-error.ts';
import { type AuditOrigin, recordChanges } from '../audit-log/record-changes.ts';
import { countAttempt } from './attempts.ts';
import type { DashboardDeps } from './deps.ts';
import { hashPassword, isPassword } from './passwords.ts';
import { personActor } from './start-session.ts';

/** Replaces the own password, for those who know the present one, and ends every other session. */
export async function changePassword(
  { database, limiter }: DashboardDeps,
  session: Session,
  asked: { current_password: string; new_password: string },
  origin: Omit<AuditOrigin, 'actor'>,
): Promise<void> {
  await countAttempt(limiter, origin.ipAddress ?? null, session.email);
  const [account] = await database.sql<{ password_hash: string | null }[]>`
    SELECT password_hash FROM dashboard_accounts WHERE person_id = ${session.personId}`;
  if (!(await isPassword(account?.password_hash, asked.current_password)))
    throw new AppError('INVALID_REQUEST', 'current_password: is not right');
  const passwordHash = await hashPassword(asked.new_password);
  await database.transaction(async (tx) => {
    await tx`UPDATE dashboard_accounts SET password_hash = ${passwordHash} WHERE person_id = ${session.personId}`;
    await tx`
      DELETE FROM dashboard_sessions WHERE person_id = ${session.personId} AND id_hash <> ${session.idHash}`;
    await recordChanges(
      tx,
      { ...origin, actor: personActor({ id: session.personId, email: session.email }) },
      [
        {
          action: 'dashboard.password_set',
          resourceType: 'dashboard_account',
          resourceId: session.personId,
          resourceSummary: session.email,
        },
      ],
    );
  });
}
