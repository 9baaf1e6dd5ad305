import { setTimeout as sleep } from 'node:timers/promises';
import { openSession, type Session } from '../driver/session-lease.ts';
import type { ConnectionTarget } from '../driver/sql.ts';
import { DataFolderError } from './embedded-errors.ts';

const LOCK_KEY = 0x706f7374; // "post"
const OWNER_NAME = 'postil server';

/**
 * Makes this process the only server of the cluster, or throws a DataFolderError if another one is.
 *
 * The lock is a session lock inside that same PostgreSQL: it is released when our process ends, however that happens, and
 * cannot be confused with the lock of another process or folder.
 */
export async function acquireFolderLock(target: ConnectionTarget, directory: string): Promise<Session> {
  const session = await openSession(target, { applicationName: `${OWNER_NAME} ${process.pid}` });
  const { tx } = session.lease();
  const [row] = await tx<{ acquired: boolean }[]>`select pg_try_advisory_lock(${LOCK_KEY}) as acquired`;
  if (row?.acquired) {
    session.unref();
    return session;
  }
  const [owner] = await tx<{ name: string }[]>`
    select application_name as name from pg_stat_activity join pg_locks using (pid)
    where locktype = 'advisory' and objid = ${LOCK_KEY} and granted`;
  await session.close();
  const pid = owner?.name.startsWith(OWNER_NAME)
    ? ` (process ${owner.name.slice(OWNER_NAME.length + 1)})`
    : '';
  throw new DataFolderError(`The data folder ${directory} is in use by another Postil server${pid}.`);
}

export interface FolderLock {
  /** Resolves if another server has acquired the lock. */
  readonly lockLost: Promise<DataFolderError>;
  release(): Promise<void>;
}

/** Acquires the lock and keeps it, even if PostgreSQL drops all connections after a crash of one of its processes. */
export async function holdFolderLock(target: ConnectionTarget, directory: string): Promise<FolderLock> {
  let session = await acquireFolderLock(target, directory);
  let released = false;
  const lockLost = Promise.withResolvers<DataFolderError>();

  const reacquire = async () => {
    while (!released) {
      try {
        return await acquireFolderLock(target, directory);
      } catch (error) {
        if (error instanceof DataFolderError) return lockLost.resolve(error);
        await sleep(200, undefined, { ref: false });
      }
    }
  };

  const watch = async () => {
    await session.lease().lost.catch(() => {});
    const again = await reacquire();
    if (!again) return;
    session = again;
    if (released) await session.close();
    else void watch();
  };
  void watch();

  return {
    lockLost: lockLost.promise,
    release() {
      released = true;
      return session.close();
    },
  };
}
