import type { Session } from '../../access/session.ts';
import type { Database } from '../../db/database.ts';
import { postilCommand } from '../../lib/own-files.ts';
import { isBeingSetUp } from '../first-steps/describe-first-steps.ts';
import { listPlaces } from './list-places.ts';

/** Describes for the dashboard who is signed in, and what they may see and do. */
export async function describeSession({ database }: { database: Database }, session: Session, now: Date) {
  const [places, [account], is_being_set_up] = await Promise.all([
    listPlaces({ database }, session),
    database.sql<{ has_password: boolean }[]>`
      SELECT password_hash IS NOT NULL AS has_password FROM dashboard_accounts WHERE person_id = ${session.personId}`,
    isBeingSetUp({ database }, session, now),
  ]);
  return {
    email: session.email,
    is_installation_admin: session.isInstallationAdmin,
    has_password: account?.has_password ?? false,
    is_being_set_up,
    postil_command: postilCommand,
    ...places,
  };
}
