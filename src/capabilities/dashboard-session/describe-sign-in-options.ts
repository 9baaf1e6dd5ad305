import { authenticateSession } from '../../access/session.ts';
import { AppError } from '../../lib/app-error.ts';
import { hasInstallationAdmin } from './accounts/installation-admins.ts';
import type { DashboardDeps } from './deps.ts';

async function isSignedIn(deps: DashboardDeps, cookie: string | undefined, now: Date): Promise<boolean> {
  try {
    await authenticateSession(deps.database.sql, cookie, now);
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

/** Tells a visitor whether they are already signed in, and how they can sign in. */
export async function describeSignInOptions(deps: DashboardDeps, cookie: string | undefined, now: Date) {
  const [row] = await deps.database.sql<{ has_admin: boolean }[]>`
    SELECT ${hasInstallationAdmin(deps.database.sql)} AS has_admin`;
  return {
    is_signed_in: await isSignedIn(deps, cookie, now),
    single_sign_on: deps.settings.oidc !== undefined,
    needs_first_admin: !row!.has_admin,
  };
}
