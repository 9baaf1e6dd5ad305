import type { Schedule } from '../../lib/schedule.ts';
import type { Database } from '../database.ts';
import { assertOwned } from '../embedded/archive-owner.ts';
import { clusterFolder } from '../embedded/cluster-folder.ts';
import { archivedSince } from '../embedded/wal-archive.ts';
import { findCopies, pruneArchive, takeCopy } from './copies.ts';

const dayMs = 24 * 60 * 60 * 1000;
const intervalMs = 10 * 60_000;

/** An archive, and the data folder whose database it belongs to. */
export interface KeptArchive {
  readonly folder: string;
  readonly directory: string;
}

/** The state of archiving. Nothing is lost while it fails, but the log stays in the data folder, which fills up. */
export interface ArchiveState {
  readonly isFailing: boolean;
  readonly lastArchivedAt: Date | null;
  /** When the oldest unarchived segment of the log was ready to be archived; null if none is waiting. */
  readonly oldestWaitingAt: Date | null;
}

export async function readArchiveState({ sql }: Database): Promise<ArchiveState> {
  const [row] = await sql<[ArchiveState]>`
    select coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) as "isFailing",
      last_archived_time as "lastArchivedAt",
      (select min(modification) from pg_ls_archive_statusdir() where name like '%.ready') as "oldestWaitingAt"
    from pg_stat_archiver`;
  return row;
}

/** Why PostgreSQL's log is not being archived, in one sentence; undefined if it is. */
export async function findArchiveFault(
  database: Database,
  { folder, directory }: KeptArchive,
): Promise<string | undefined> {
  const { isFailing, lastArchivedAt } = await readArchiveState(database);
  const fault = await assertOwned(folder, await clusterFolder(directory)).then(
    () => undefined,
    (error: Error) => error.message,
  );
  if (fault !== undefined || !isFailing) return fault;
  return `The log of PostgreSQL has not been archived since ${lastArchivedAt?.toISOString() ?? 'the start'}; postgres.log in the data folder says why.`;
}

export async function assertArchiving(database: Database, archive: KeptArchive): Promise<void> {
  const fault = await findArchiveFault(database, archive);
  if (fault !== undefined) throw new Error(fault);
}

/**
 * Takes a copy of the embedded database when archiving starts and then every day, and deletes what is not needed to restore
 * any moment of the last `days`.
 */
export function keepArchive(
  { database, clock }: { readonly database: Database; readonly clock: () => Date },
  archive: KeptArchive & { readonly days: number },
): Schedule {
  const { folder, days, directory } = archive;
  return {
    name: 'archive',
    intervalMs,
    async run(signal) {
      await assertArchiving(database, archive);
      const now = clock().getTime();
      const due = Math.max(now - dayMs, (await archivedSince(folder)).getTime());
      const newest = (await findCopies(folder)).at(-1);
      if (newest === undefined || newest.at.getTime() < due)
        await takeCopy(database, await clusterFolder(directory), folder, signal).catch((error: unknown) => {
          if (!signal.aborted) throw error; // if the server is stopping, the next start takes the copy
        });
      await pruneArchive(folder, new Date(now - days * dayMs));
    },
  };
}
