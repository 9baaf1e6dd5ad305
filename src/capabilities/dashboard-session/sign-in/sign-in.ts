import { mayUseDashboard } from '../../../access/session.ts';
import { AppError } from '../../../lib/app-error.ts';
import type { PersonId } from '../../../lib/ids.ts';
import { isPassword } from '../accounts/passwords.ts';
import type { DashboardDeps, SignedIn, SignInOrigin } from '../deps.ts';
import { countGuess, forgetGuesses } from './attempts.ts';
import { startSession } from './start-session.ts';

const refused = () => new AppError('UNAUTHORIZED', 'The email address or the password is wrong');

/** Signs in with email and password; every failure reads the same and takes as long, whoever is asked for. */
export async function signIn(
  { database, limiter }: DashboardDeps,
  { email, password }: { email: string; password: string },
  origin: SignInOrigin,
): Promise<SignedIn> {
  const place = await countGuess({ database, limiter }, email, origin);
  const [account] = await database.sql<{ id: PersonId; email: string; password_hash: string | null }[]>`
    SELECT p.id, p.email, a.password_hash FROM people p JOIN dashboard_accounts a ON a.person_id = p.id
    WHERE p.email = ${email} AND ${mayUseDashboard(database.sql)}`;
  if (!(await isPassword(account?.password_hash, password)) || account === undefined) throw refused();
  const signedIn = await database.transaction(async (tx) => {
    // Checking takes long enough for a new password, which ends all sessions, to come first.
    const [unchanged] = await tx`
      SELECT 1 FROM dashboard_accounts
      WHERE person_id = ${account.id} AND password_hash = ${account.password_hash} FOR UPDATE`;
    if (unchanged === undefined) throw refused();
    return startSession(tx, account, 'password', origin);
  });
  await forgetGuesses(limiter, email, place);
  return signedIn;
}
