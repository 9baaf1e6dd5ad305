import { mayUseDashboard } from '../../../access/session.ts';
import { AppError } from '../../../lib/app-error.ts';
import type { PersonId } from '../../../lib/ids.ts';
import type { DashboardDeps, SignedIn, SignInOrigin } from '../deps.ts';
import { countSignIn, resetSignInCount } from './attempts.ts';
import { isPasswordCorrect } from './passwords.ts';
import { startSession } from './start-session.ts';

const wrongCredentials = () => new AppError('UNAUTHORIZED', 'The email address or password is incorrect');

/** Signs in with email and password. Every failure has the same message and timing, whether or not the person exists. */
export async function signIn(
  { database, limiter }: DashboardDeps,
  { email, password }: { email: string; password: string },
  origin: SignInOrigin,
): Promise<SignedIn> {
  const place = await countSignIn({ database, limiter }, email, origin);
  const [account] = await database.sql<{ id: PersonId; email: string; password_hash: string | null }[]>`
    SELECT p.id, p.email, a.password_hash FROM people p JOIN dashboard_accounts a ON a.person_id = p.id
    WHERE p.email = ${email} AND ${mayUseDashboard(database.sql)}`;
  if (!(await isPasswordCorrect(account?.password_hash, password)) || account === undefined)
    throw wrongCredentials();
  const signedIn = await database.transaction(async (tx) => {
    // Checking the password takes a while; in the meantime a new password, which ends all sessions, may have been set.
    const [unchanged] = await tx`
      SELECT 1 FROM dashboard_accounts
      WHERE person_id = ${account.id} AND password_hash = ${account.password_hash} FOR UPDATE`;
    if (unchanged === undefined) throw wrongCredentials();
    return startSession(tx, account, 'password', origin);
  });
  await resetSignInCount(limiter, email, place);
  return signedIn;
}
