import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { EmbeddedPostgresError } from './embedded-errors.ts';

/** The user that runs PostgreSQL; empty for the user of this process. */
export type Account = { uid: number; gid: number } | Record<string, never>;

const SYSTEM_USERS = ['postil', 'postgres', 'nobody'];

const run = promisify(execFile);

async function idOf(user: string): Promise<{ uid: number; gid: number } | undefined> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', user]), run('id', ['-g', user])]);
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  } catch {
    return undefined;
  }
}

/**
 * Which user to run PostgreSQL as, since it refuses to run as root: the owner of an existing cluster; for a new one the
 * owner of the data folder, otherwise the first system user that exists. An ordinary user runs it as itself.
 */
export async function chooseAccount(
  owner: { uid: number; gid: number },
  clusterExists: boolean,
): Promise<Account> {
  if (process.getuid?.() !== 0) return {};
  // initdb looks up its user by name, so a bare number is not enough for a new cluster.
  const canUseOwner = owner.uid !== 0 && (clusterExists || (await idOf(String(owner.uid))) !== undefined);
  if (canUseOwner) return { uid: owner.uid, gid: owner.gid };
  for (const name of SYSTEM_USERS) {
    const user = await idOf(name);
    if (user && user.uid !== 0) return user;
  }
  throw new EmbeddedPostgresError(
    `The embedded PostgreSQL does not run as root, and none of the users ${SYSTEM_USERS.join(', ')} exist; create one or set DATABASE_URL.`,
  );
}
