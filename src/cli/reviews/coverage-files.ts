import { formatOf } from '../../reviewer/checks/coverage/read-coverage.ts';
import type { SentReport } from '../../reviewer/checks/facts-part.ts';
import { CommandError, usageExitCode } from '../command-error.ts';
import { readNamedFile } from './read-named-file.ts';

const maxMebibytes = 20;

/** Reads a coverage report from a file; its format is recognized by its beginning. */
export async function readReportFile(
  folder: string,
  file: string,
): Promise<SentReport & { readonly text: string }> {
  const text = await readNamedFile(folder, file, maxMebibytes);
  const format = formatOf(text);
  if (format !== undefined) return { name: file, format, text };
  throw new CommandError(
    `${file} is no coverage report; known are LCOV, Cobertura, JaCoCo and Go`,
    usageExitCode,
  );
}
