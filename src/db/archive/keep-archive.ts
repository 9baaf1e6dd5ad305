import type { Schedule } from '../../lib/schedule.ts';
import type { Database } from '../database.ts';
import { clusterFolder } from '../embedded/cluster-folder.ts';
import { archivedSince } from '../embedded/wal-archive.ts';
import { findCopies, pruneArchive, takeCopy } from './copies.ts';

const dayMs = 24 * 60 * 60 * 1000;
const intervalMs = 10 * 60_000;

/** Throws if PostgreSQL cannot archive its log: nothing is lost then, but its disk fills up. */
export async function assertArchiving(database: Database): Promise<void> {
  const [row] = await database.sql<{ isFailing: boolean; since: Date | null }[]>`
    select coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) as "isFailing",
      last_archived_time as since from pg_stat_archiver`;
  if (row?.isFailing)
    throw new Error(
      `The log of PostgreSQL has not been archived since ${row.since?.toISOString() ?? 'the start'}; postgres.log in the data folder says why.`,
    );
}

/** Takes a copy of the embedded database every day, and one when archiving begins; deletes what is too old. */
export function keepArchive(
  { database, clock }: { readonly database: Database; readonly clock: () => Date },
  { folder, days, directory }: { readonly folder: string; readonly days: number; readonly directory: string },
): Schedule {
  return {
    name: 'archive',
    intervalMs,
    async run(signal) {
      await assertArchiving(database);
      const now = clock().getTime();
      const due = Math.max(now - dayMs, (await archivedSince(folder)).getTime());
      const newest = (await findCopies(folder)).at(-1);
      if (newest === undefined || newest.at.getTime() < due)
        await takeCopy(database, await clusterFolder(directory), folder, signal).catch((error: unknown) => {
          if (!signal.aborted) throw error; // a server that stops leaves it to the next one
        });
      await pruneArchive(folder, new Date(now - days * dayMs));
    },
  };
}
