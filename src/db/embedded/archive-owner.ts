import { randomUUID } from 'node:crypto';
import {
  access,
  chmod,
  chown,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  writeFile,
} from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { DataFolderError } from './embedded-errors.ts';
import type { Account } from './postgres-account.ts';

// An archive belongs to one PostgreSQL, identified by a random name: the only file in the archive's folder `owner` has this name,
// and PostgreSQL's own folder contains it, too. Each start replaces the name, so that of two copies of a folder only the first to
// start keeps the archive (ADR 0146).

/**
 * The file in PostgreSQL's folder with its owner names, one for each archive that it wrote to. The first line is for the one
 * in use.
 */
export const ownNamesFile = 'postil.archive-owner';
export const ownerFolder = (archive: string) => path.join(archive, 'owner');
const identifierFile = (archive: string) => path.join(archive, 'system-identifier');

/** PostgreSQL's folder inside the operator's data folder, and the user that owns it. */
export interface ArchivedFolder {
  readonly directory: string;
  readonly folder: string;
  readonly account: Account;
}

function ifMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

const exists = (file: string) =>
  access(file).then(
    () => true,
    () => false,
  );

async function readOwnNames(clusterFolder: string): Promise<string[]> {
  const text = await readFile(path.join(clusterFolder, ownNamesFile), 'utf8').catch(ifMissing);
  return (text ?? '').split('\n').filter((name) => name !== '');
}

/**
 * Flushes the names to disk before it returns: a server that lost its name in a power failure could not use its archive again.
 */
async function writeOwnNames({ folder, account }: ArchivedFolder, names: readonly string[]): Promise<void> {
  const file = path.join(folder, ownNamesFile);
  await writeFile(`${file}.new`, names.map((name) => `${name}\n`).join(''), { mode: 0o600, flush: true });
  if (account.uid !== undefined) await chown(`${file}.new`, account.uid, account.gid);
  await rename(`${file}.new`, file);
  const directory = await open(folder, 'r');
  await directory.sync().finally(() => directory.close());
}

/** The identifier that a cluster shares with all its copies: the first 8 bytes of PostgreSQL's control file. */
async function readSystemIdentifier(clusterFolder: string): Promise<string> {
  const file = await open(path.join(clusterFolder, 'global', 'pg_control'), 'r');
  const { buffer } = await file.read(Buffer.alloc(8), 0, 8, 0).finally(() => file.close());
  return buffer.readBigUInt64LE().toString();
}

async function refused(archive: string): Promise<DataFolderError> {
  const [name] = (await readdir(ownerFolder(archive)).catch(ifMissing)) ?? [];
  const text = name && (await readFile(path.join(ownerFolder(archive), name), 'utf8').catch(ifMissing));
  return new DataFolderError(
    `The archive ${archive} belongs to another database${text ? ` (${text.trim()})` : ''}; ` +
      'if this database was restored or copied, set POSTIL_ARCHIVE_DIR to another folder. If the other database no longer exists, ' +
      `you can delete ${ownerFolder(archive)} instead, to continue its archive.`,
  );
}

/**
 * The name under which this PostgreSQL owns the archive; undefined if nobody owns it. Throws a DataFolderError if another
 * PostgreSQL does.
 */
export async function findOwnName(archive: string, clusterFolder: string): Promise<string | undefined> {
  const identifier = (await readFile(identifierFile(archive), 'utf8').catch(ifMissing))?.trim();
  if (identifier !== undefined && identifier !== (await readSystemIdentifier(clusterFolder)))
    throw new DataFolderError(
      `The archive ${archive} has the log of an unrelated database; set POSTIL_ARCHIVE_DIR to an empty folder.`,
    );
  const owners = (await readdir(ownerFolder(archive)).catch(ifMissing)) ?? [];
  const own = await readOwnNames(clusterFolder);
  const name = own.find((known) => owners.includes(known));
  if (name === undefined && owners.length > 0) throw await refused(archive);
  return name;
}

/** Throws a DataFolderError unless this running PostgreSQL owns the archive. */
export async function assertOwned(archive: string, clusterFolder: string): Promise<void> {
  if ((await findOwnName(archive, clusterFolder)) === undefined)
    throw new DataFolderError(
      `The archive ${archive} belongs to no database, since ${ownerFolder(archive)} was deleted; restart the server that should use it.`,
    );
}

/**
 * Makes this PostgreSQL, which must be the only one on its folder, the owner of the archive under a new name. Returns true
 * unless its last start had this archive, too. A single `rename` decides, so that only one of several concurrent attempts
 * succeeds, on network file systems too.
 */
export async function takeArchive(archive: string, cluster: ArchivedFolder): Promise<boolean> {
  const before = await findOwnName(archive, cluster.folder);
  const known = await readOwnNames(cluster.folder);
  const names = known.filter((one) => one !== before);
  const name = randomUUID();
  const text = `that of ${cluster.directory} on ${hostname()}, started at ${new Date().toISOString()}\n`;
  const place = path.join(ownerFolder(archive), name);
  // Write both names, so that after a crash at any moment one of them is that of the archive.
  await writeOwnNames(cluster, [name, ...(before === undefined ? [] : [before]), ...names]);
  if (before === undefined) await takeFree(archive, name, text);
  else {
    await rename(path.join(ownerFolder(archive), before), place).catch((error) =>
      ifTaken(error, place, archive),
    );
    await writeFile(place, text);
    await writeOwnNames(cluster, [name, ...names]);
  }
  if (!(await exists(identifierFile(archive)))) {
    const fresh = `${identifierFile(archive)}.new`;
    await writeFile(fresh, `${await readSystemIdentifier(cluster.folder)}\n`, { flush: true });
    await rename(fresh, identifierFile(archive));
  }
  return before === undefined || before !== known[0];
}

async function takeFree(archive: string, name: string, text: string): Promise<void> {
  const fresh = await mkdtemp(`${ownerFolder(archive)}.new-`);
  try {
    await chmod(fresh, 0o711); // PostgreSQL's user must be able to check for a name
    await writeFile(path.join(fresh, name), text, { flush: true });
    await rename(fresh, ownerFolder(archive)).catch((error) =>
      ifTaken(error, path.join(ownerFolder(archive), name), archive),
    );
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

/**
 * Tells a lost race from a success: `rename` does not replace a folder with files, and moves a file only once. But a network
 * file system may report such an error after our own success.
 */
async function ifTaken(error: NodeJS.ErrnoException, place: string, archive: string): Promise<void> {
  if (await exists(place)) return;
  throw ['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(error.code ?? '') ? await refused(archive) : error;
}
