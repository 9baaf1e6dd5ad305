import type { Session } from '../../access/session.ts';
import type { Database } from '../../db/database.ts';

/** Ends this session, or every session of the person, at once on every node. */
export async function signOut(
  { database }: { database: Database },
  session: Session,
  where: 'here' | 'everywhere',
): Promise<void> {
  const { sql } = database;
  if (where === 'here') await sql`DELETE FROM dashboard_sessions WHERE id_hash = ${session.idHash}`;
  else await sql`DELETE FROM dashboard_sessions WHERE person_id = ${session.personId}`;
}
