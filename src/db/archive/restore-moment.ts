import { mkdir, realpath, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { clusterFolder, hasFiles, unfinishedFolder } from '../embedded/cluster-folder.ts';
import {
  DataFolderError,
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../embedded/embedded-postgres.ts';
import { makeUsableFolder } from '../embedded/usable-folder.ts';
import { type Copy, copyFiles, findCopies } from './copies.ts';

/** The last copy that was completed before the moment. */
async function chooseCopy(archive: string, until: Date | 'latest'): Promise<Copy> {
  const copies = await findCopies(archive);
  const chosen = until === 'latest' ? copies.at(-1) : copies.findLast(({ at }) => at <= until);
  if (chosen !== undefined) return chosen;
  throw new DataFolderError(
    copies[0] === undefined
      ? `There is no copy of a database in ${archive}.`
      : `The first moment that can be restored from ${archive} is ${copies[0].at.toISOString()}.`,
  );
}

/**
 * Starts PostgreSQL on an empty data folder, restored from an archive to a moment. If that fails, the folder stays empty, and
 * the error is a DataFolderError with the reason.
 */
export async function restoreMoment(
  directory: string,
  archive: string,
  until: Date | 'latest',
  log: (message: string) => void = () => {},
): Promise<EmbeddedPostgres> {
  await makeUsableFolder(directory);
  const folder = await clusterFolder(await realpath(directory));
  if (await hasFiles(folder))
    throw new DataFolderError(
      `The data folder ${directory} has a database already; restore into a new one (POSTIL_DATA_DIR).`,
    );
  const copy = await chooseCopy(archive, until);
  const fresh = unfinishedFolder(folder);
  try {
    log(`Copying the database of ${copy.at.toISOString()}`);
    await copyFiles(copy.folder, fresh);
    await writeFile(path.join(fresh, 'recovery.signal'), '');
    await mkdir(folder, { recursive: true });
    await rename(fresh, folder);
    log('Applying what was changed since');
    return await startEmbeddedPostgres({ directory, archive: { folder: archive, restoreUntil: until }, log });
  } catch (error) {
    await Promise.all([fresh, folder].map((made) => rm(made, { recursive: true, force: true })));
    throw explained(error, archive);
  }
}

/** Explains the two likely failures of PostgreSQL's recovery in our words. */
function explained(error: unknown, archive: string): unknown {
  if (!(error instanceof DataFolderError)) return error;
  if (error.message.includes('recovery ended before configured recovery target was reached'))
    return new DataFolderError(
      `The log in ${archive} ends before that moment; --until latest restores as much as there is.`,
    );
  if (error.message.includes('wal_level=minimal'))
    return new DataFolderError(
      `The log in ${archive} has a gap before that moment: a server ran without POSTIL_ARCHIVE_DIR.`,
    );
  return error;
}
