import { execFile } from 'node:child_process';
import { access } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ownPrograms = path.join(import.meta.dirname, '../../node_modules/.bin');

/** The linters that people would run on the same files, called as their manuals say. */
const linters = [
  { program: 'oxlint', given: ['.'] },
  { program: 'ruff', given: ['check', '--no-cache', '.'] },
  { program: 'shellcheck', given: ['run.sh'] },
  { program: 'actionlint', given: [] },
] as const;

async function find(program: string): Promise<string | undefined> {
  for (const folder of [ownPrograms, ...(process.env.PATH ?? '').split(path.delimiter)]) {
    const file = path.join(folder, program);
    if (
      await access(file).then(
        () => true,
        () => false,
      )
    )
      return file;
  }
  return undefined;
}

/** The linters that are installed on this machine. Each is a separate program and command. */
export async function findLinters() {
  const found = await Promise.all(
    linters.map(async (linter) => ({ ...linter, file: await find(linter.program) })),
  );
  const there = found.filter(({ file }) => file !== undefined);
  return {
    names: there.map(({ program }) => program),
    missing: found.filter(({ file }) => file === undefined).map(({ program }) => program),
    /** Runs the linters one by one on a folder. An exit status because of findings is not a failure. */
    async run(folder: string): Promise<void> {
      for (const { file, given } of there)
        await run(file!, given, { cwd: folder, maxBuffer: 2 ** 26 }).catch((error: { code?: unknown }) => {
          if (typeof error.code !== 'number') throw error;
        });
    },
  };
}
