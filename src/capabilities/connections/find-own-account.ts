import type { Db } from '../../db/database.ts';
import type { Connection } from './connection-record.ts';

/** Whether somebody at the host of a connection is the account of it or of another connection of this installation. */
export async function isOwnAccount(
  db: Db,
  { provider, url }: Connection,
  { id, username }: { readonly id: string; readonly username: string },
): Promise<boolean> {
  const rows = await db`
    SELECT 1 FROM connections
    WHERE provider = ${provider} AND url = ${url} AND (account_id = ${id} OR lower(account_username) = lower(${username})) LIMIT 1`;
  return rows.length > 0;
}
