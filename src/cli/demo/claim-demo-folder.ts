import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { makeFolder } from '../../db/embedded/usable-folder.ts';
import { CommandError } from '../command-error.ts';

const mark = 'this-is-a-demo';
const markText =
  'The database in this folder was made up by "npm run demo".\nDelete the whole folder to begin anew.\n';

/**
 * Makes the folder the demo's, marked as such; a folder with anything else in it is refused and left as it is.
 *
 * The mark is a file, so that a database is refused before PostgreSQL is even started on it.
 */
export async function claimDemoFolder(directory: string): Promise<void> {
  try {
    await makeFolder(path.resolve(directory));
    const names = await readdir(directory);
    if (names.includes(mark)) return;
    if (names.length > 0) {
      throw new CommandError(
        `${directory} is not a demo's folder: the demo writes only into one that it made itself. Set POSTIL_DEMO_DIR to a new or empty folder`,
      );
    }
    await writeFile(path.join(directory, mark), markText, { flag: 'wx' });
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(
      `The demo cannot use ${directory} (${(error as NodeJS.ErrnoException).code}); set POSTIL_DEMO_DIR to another folder`,
    );
  }
}
