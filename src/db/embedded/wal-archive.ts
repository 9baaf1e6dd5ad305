import { execFile } from 'node:child_process';
import { chmod, chown, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { type ArchivedFolder, findOwnName, ownNamesFile, takeArchive } from './archive-owner.ts';
import { DataFolderError } from './embedded-errors.ts';
import type { Account } from './postgres-account.ts';
import { makeFolder, makeUsableFolder } from './usable-folder.ts';

// Archives the write-ahead log of the embedded PostgreSQL outside the data folder, so that any moment can be restored (ADR 0133).

/** A folder that PostgreSQL archives its log to, or is restored from: up to a moment, or to the end of the log. */
export interface WalArchive {
  readonly folder: string;
  readonly restoreUntil?: Date | 'latest';
}

const run = promisify(execFile);

export const walFolderIn = (folder: string) => path.join(folder, 'wal');
const beginFileIn = (folder: string) => path.join(folder, 'began-at');

/** The maximum time before a change is archived. */
const archiveTimeoutSeconds = 60;

// The folder is passed in an environment variable, so that its name needs no quoting. Only the owner writes to an archive (ADR
// 0146), and nothing in it is ever overwritten. A segment that exists already must have the same content, since PostgreSQL may
// have crashed before it recorded the success. `ln` fails if the name exists; on file systems without links, `mv` is used after a
// check. A mostly empty segment, ended by the timeout, has 16 MiB of mostly zeros, so it is compressed.
const segment = '"$POSTIL_ARCHIVE"/wal/%f.gz';
const fresh = '"$POSTIL_ARCHIVE"/wal/%f."$owner".new';
const refuse = (why: string) => `{ echo "postil: $POSTIL_ARCHIVE ${why}" >&2; exit 1; }`;
const archiveCommand =
  `owner=; read -r owner < ${ownNamesFile}; test -n "$owner" && test -e "$POSTIL_ARCHIVE"/owner/"$owner" || ` +
  `${refuse('does not belong to this database')}; ` +
  `if test -e ${segment}; then gzip -dc ${segment} | cmp -s - %p || ` +
  `${refuse('has another log named %f, so this database needs an archive of its own')}; ` +
  `else gzip -1 -c %p > ${fresh} && sync ${fresh} && ` +
  `{ ln ${fresh} ${segment} || { test ! -e ${segment} && mv ${fresh} ${segment}; }; } && rm -f ${fresh}; fi`;
// A missing segment means the end of the log. A damaged one must not be mistaken for the end, so it aborts the restore.
const restoreCommand = `if test -e ${segment}; then gzip -dc ${segment} > %p || exit 126; else exit 1; fi`;

/**
 * A setting that PostgreSQL ignores but records with its start options, so that the next start can tell whether there is a
 * gap.
 */
const folderSetting = 'postil.archive';

/** PostgreSQL's settings for an archive. */
export function walSettings({ folder, restoreUntil }: WalArchive): Record<string, string | number | boolean> {
  if (restoreUntil === undefined)
    return {
      wal_level: 'replica',
      archive_mode: true,
      archive_command: archiveCommand,
      archive_timeout: archiveTimeoutSeconds,
      [folderSetting]: folder,
    };
  return {
    wal_level: 'replica',
    hot_standby: false, // so that it is ready when the moment is reached
    restore_command: restoreCommand,
    recovery_target_action: 'promote',
    recovery_target_timeline: 'current',
    ...(restoreUntil !== 'latest' && {
      recovery_target_time: restoreUntil.toISOString().replace('Z', '+00'),
    }),
  };
}

/** Throws unless PostgreSQL's user can read or write the log in an archive. */
async function assertAccess(folder: string, account: Account, what: '-w' | '-r'): Promise<void> {
  await run('test', [what, walFolderIn(folder)], { ...account, cwd: '/' }).catch(() => {
    const verb = what === '-w' ? 'write to' : 'read';
    const user = account.uid ?? process.getuid?.();
    throw new DataFolderError(
      `The archive ${folder} cannot be used: the user of PostgreSQL (${user}) cannot ${verb} ${walFolderIn(folder)}.`,
    );
  });
}

const noteBeginning = (folder: string) => writeFile(beginFileIn(folder), `${new Date().toISOString()}\n`);

/**
 * Creates the folders of an archive, unless it is restored from. Throws a DataFolderError if it belongs to another database.
 * Records a new beginning if PostgreSQL last ran without this archive: changes from then were not archived and cannot be
 * restored.
 */
export async function prepareArchive(
  { folder, restoreUntil }: WalArchive,
  account: Account,
  clusterFolder: string,
): Promise<void> {
  if (restoreUntil !== undefined) return assertAccess(folder, account, '-r');
  const wal = walFolderIn(folder);
  await makeUsableFolder(folder);
  await findOwnName(folder, clusterFolder);
  await makeFolder(wal);
  if (account.uid !== undefined) {
    await chown(wal, account.uid, account.gid);
    await chmod(folder, 0o711); // others may enter subfolders, but not list it
  }
  await assertAccess(folder, account, '-w');
  const started = await readFile(path.join(clusterFolder, 'postmaster.opts'), 'utf8').catch(() => '');
  if (!started.includes(`"${folderSetting}=${folder}"`)) await noteBeginning(folder);
}

/**
 * Throws a DataFolderError if the archive has another server's log from this segment on: nothing in it is overwritten, so this
 * server could never archive.
 */
async function assertRoomFor(segment: string, folder: string): Promise<void> {
  const isTaken = (name: string) =>
    /^[0-9A-F]{24}\.gz$/.test(name) &&
    name.slice(0, 8) === segment.slice(0, 8) &&
    name.slice(0, 24) >= segment;
  if (!(await readdir(walFolderIn(folder))).some(isTaken)) return;
  throw new DataFolderError(
    `The archive ${folder} has changes that another server made after this database was copied, so this database cannot continue it; set POSTIL_ARCHIVE_DIR to another folder. Nothing in the archive was changed.`,
  );
}

/**
 * Makes a running PostgreSQL, which is about to fill this segment of its log, the owner of the archive, unless it is restored
 * from. Until then, only segments that it filled before are archived.
 */
export async function beginArchiving(
  { folder, restoreUntil }: WalArchive,
  cluster: ArchivedFolder,
  currentSegment: () => Promise<string>,
): Promise<void> {
  if (restoreUntil !== undefined) return;
  const isFree = (await findOwnName(folder, cluster.folder)) === undefined;
  if (isFree) await assertRoomFor(await currentSegment(), folder);
  const isAnother = await takeArchive(folder, cluster);
  // The archive's last copy may be that of another server, or the log in between was archived elsewhere, as if a disk was not
  // mounted.
  if (isAnother) await noteBeginning(folder);
}

/** The time since when the log has been archived without a gap. */
export async function archivedSince(folder: string): Promise<Date> {
  return new Date((await readFile(beginFileIn(folder), 'utf8')).trim());
}
