import type { Session } from '../../../access/session.ts';
import type { Database } from '../../../db/database.ts';
import { forgetPlaces } from './known-places.ts';

/** Ends this session, or all of the person's sessions and known places, immediately on every node. */
export async function signOut(
  { database }: { database: Database },
  session: Session,
  where: 'here' | 'everywhere',
): Promise<void> {
  if (where === 'here') {
    await database.sql`DELETE FROM dashboard_sessions WHERE id_hash = ${session.idHash}`;
    return;
  }
  await database.transaction(async (tx) => {
    await tx`DELETE FROM dashboard_sessions WHERE person_id = ${session.personId}`;
    await forgetPlaces(tx, session.personId);
  });
}
