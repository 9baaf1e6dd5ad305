import { constants } from 'node:fs';
import { copyFile, mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../database.ts';
import { ownNamesFile } from '../embedded/archive-owner.ts';
import { makeFolder } from '../embedded/usable-folder.ts';
import { walFolderIn } from '../embedded/wal-archive.ts';

// Base backups ("copies") of the embedded PostgreSQL's files, taken while it runs: a restore to a moment starts from one.

/** A complete copy. `at` is when it was completed: earlier moments cannot be restored from it. */
export interface Copy {
  readonly folder: string;
  readonly at: Date;
}

const unfinished = '.new';
const named = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z$/;
const label = 'backup_label';
const archivedWithinMs = 5 * 60_000;

/** Folders whose contents PostgreSQL recreates. They must exist, but are copied empty. */
const remade = [
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_subtrans',
];
/**
 * Files that belong to a running server only, and the file that makes a folder the owner of an archive: a copy must not own
 * it.
 */
const passedOver = new RegExp(
  `^(postmaster\\.(pid|opts)|pgsql_tmp.*|\\.s\\.PGSQL\\..*|pg_internal\\.init.*|${ownNamesFile}.*)$`,
);

const copiesIn = (archive: string) => path.join(archive, 'copies');
const nameOf = (at: Date) => at.toISOString().replaceAll(':', '-');
const timeOf = (name: string) => new Date(name.replace(/T(\d\d)-(\d\d)-/, 'T$1:$2:'));

/** The complete copies in an archive, oldest first. */
export async function findCopies(archive: string): Promise<Copy[]> {
  const names = await readdir(copiesIn(archive)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names
    .filter((name) => named.test(name))
    .map((name) => ({ folder: path.join(copiesIn(archive), name), at: timeOf(name) }))
    .toSorted((one, other) => one.at.getTime() - other.at.getTime());
}

function ifVanished(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

async function copyToDisk(from: string, to: string): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_FICLONE);
  const file = await open(to, 'r+');
  await file.sync().finally(() => file.close());
}

/** Copies a folder of PostgreSQL. A file that is deleted meanwhile is not needed, since replaying the log deletes it, too. */
export async function copyFiles(from: string, to: string, signal?: AbortSignal): Promise<void> {
  await mkdir(to, { mode: 0o700 });
  for (const entry of (await readdir(from, { withFileTypes: true }).catch(ifVanished)) ?? []) {
    signal?.throwIfAborted();
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)];
    if (passedOver.test(entry.name)) continue;
    if (entry.isDirectory()) {
      if (remade.includes(entry.name)) await mkdir(target, { mode: 0o700 });
      else await copyFiles(source, target, signal);
    } else if (entry.isFile()) await copyToDisk(source, target).catch(ifVanished);
  }
}

/**
 * Waits until PostgreSQL has archived a segment of its log: without it, the copy cannot be restored. Looking for a file of
 * that name is not enough, since another server may have written it.
 */
async function awaitSegment({ sql }: Database, segment: string, signal: AbortSignal): Promise<void> {
  for (let waitedMs = 0; waitedMs < archivedWithinMs; waitedMs += 250) {
    const [row] = await sql<{ isArchived: boolean }[]>`
      select left(last_archived_wal, 8) = left(${segment}, 8) and left(last_archived_wal, 24) >= ${segment} collate "C"
        as "isArchived" from pg_stat_archiver`;
    if (row?.isArchived) return;
    await sleep(250, undefined, { signal });
  }
  throw new Error('The log of PostgreSQL is not archived; postgres.log in the data folder says why.');
}

/** Takes a copy of the PostgreSQL that runs on this folder. */
export async function takeCopy(
  database: Database,
  clusterFolder: string,
  archive: string,
  signal: AbortSignal,
): Promise<Copy> {
  await makeFolder(copiesIn(archive));
  for (const name of await readdir(copiesIn(archive)))
    if (name.endsWith(unfinished)) await rm(path.join(copiesIn(archive), name), { recursive: true });
  const fresh = path.join(copiesIn(archive), `${nameOf(new Date())}${unfinished}`);
  try {
    const segment = await database.ownSession(async (session) => {
      await session`select pg_backup_start('postil', true)`;
      await copyFiles(clusterFolder, fresh, signal);
      const [end] = await session<{ labelfile: string; segment: string }[]>`
        select labelfile, pg_walfile_name(lsn) as segment from pg_backup_stop(false)`;
      await writeFile(path.join(fresh, label), end!.labelfile, { mode: 0o600, flush: true });
      return end!.segment;
    });
    await awaitSegment(database, segment, signal);
    const at = new Date();
    const folder = path.join(copiesIn(archive), nameOf(at));
    await rename(fresh, folder);
    return { folder, at };
  } catch (error) {
    await rm(fresh, { recursive: true, force: true });
    throw error;
  }
}

/** Deletes copies that are not needed to restore any moment after `since`, and the log before the remaining copies. */
export async function pruneArchive(archive: string, since: Date): Promise<void> {
  const copies = await findCopies(archive);
  const first = Math.max(
    copies.findLastIndex(({ at }) => at <= since),
    0,
  );
  for (const { folder } of copies.slice(0, first)) await rm(folder, { recursive: true });
  const kept = copies.slice(first);
  if (kept.length === 0) return;
  // A restored database continues at an earlier position of the log, so the oldest copy is not always the one that starts
  // earliest in it.
  const [needed] = (await Promise.all(kept.map(({ folder }) => firstSegmentOf(folder)))).sort();
  for (const name of await readdir(walFolderIn(archive))) {
    // A segment's name begins with its timeline, which says nothing about its age.
    if (/^[0-9A-F]{24}\b/.test(name) && name.slice(8, 24) < needed!)
      await rm(path.join(walFolderIn(archive), name));
  }
}

/** The first segment of the log that a copy needs, without its timeline. */
async function firstSegmentOf(copy: string): Promise<string> {
  const text = await readFile(path.join(copy, label), 'utf8');
  return /^START WAL LOCATION: .*\(file [0-9A-F]{8}([0-9A-F]{16})\)/m.exec(text)![1]!;
}
