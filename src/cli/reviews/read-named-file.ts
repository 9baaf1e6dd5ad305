import { CommandError, usageExitCode } from '../command-error.ts';
import { openInput, readInputText } from '../input-file.ts';

/** Reads a file that an option of a review names. One that is missing or cannot be read is incorrect usage. */
export async function readNamedFile(folder: string, named: string, maxMebibytes: number): Promise<string> {
  try {
    return await readInputText(await openInput(named, folder), maxMebibytes);
  } catch (error) {
    if (error instanceof CommandError) throw new CommandError(error.message, usageExitCode);
    throw error;
  }
}
