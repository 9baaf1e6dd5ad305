import type { Session } from '../../access/session.ts';
import type { Database } from '../../db/database.ts';
import { postilCommand } from '../../lib/own-files.ts';
import { listPlaces } from './list-places.ts';

/** Describes for the dashboard who is signed in, and what they may see and do. */
export async function describeSession({ database }: { database: Database }, session: Session) {
  const [places, [account]] = await Promise.all([
    listPlaces({ database }, session),
    database.sql<{ has_password: boolean }[]>`
      SELECT password_hash IS NOT NULL AS has_password FROM dashboard_accounts WHERE person_id = ${session.personId}`,
  ]);
  return {
    email: session.email,
    is_installation_admin: session.isInstallationAdmin,
    has_password: account?.has_password ?? false,
    postil_command: postilCommand,
    ...places,
  };
}
