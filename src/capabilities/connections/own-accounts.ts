import type { Db } from '../../db/database.ts';
import type { Connection } from './connection-record.ts';
import type { Host, HostAccount, HostPullRequest } from './hosts/host.ts';
import type { RepositoryRef } from './hosts/review-host.ts';

/** The accounts of all connections of this installation to the host of one of them. */
export async function findOwnAccounts(db: Db, { provider, url }: Connection): Promise<HostAccount[]> {
  return db<HostAccount[]>`
    SELECT account_id AS id, account_username AS username FROM connections
    WHERE provider = ${provider} AND url = ${url}`;
}

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

/**
 * Reads a pull request from the host of a connection. What Postil says there is no review by a person, whatever its accounts
 * are called; and an organization may be served by several connections, of which only one posts.
 */
export async function readAtHost(
  db: Db,
  host: Host,
  connection: Connection,
  repository: RepositoryRef,
  number: number,
): Promise<HostPullRequest | null> {
  return host.readPullRequest(repository, number, await findOwnAccounts(db, connection));
}
