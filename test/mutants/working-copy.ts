import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { removeFolder } from '../remove-folder.ts';
import { type Mutant, mutate } from './mutant.ts';

const run = promisify(execFile);

/** A copy of the project, because faults are never written to the checkout. */
export interface WorkingCopy {
  readonly root: string;
  /** The folder for temporary files of its tests, which are killed when one fails. */
  readonly temporary: string;
  /** Runs `work` while the fault is in the copy. */
  with<Result>(mutant: Mutant, work: () => Promise<Result>): Promise<Result>;
  remove(): Promise<void>;
}

export async function copyProject(project: string): Promise<WorkingCopy> {
  const home = await mkdtemp(path.join(tmpdir(), 'postil-mutants-'));
  const root = path.join(home, 'project');
  const temporary = path.join(home, 'tmp');
  await mkdir(temporary);
  const { stdout } = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: project,
    maxBuffer: 64 * 1024 * 1024,
  });
  // Git also lists files whose deletion is not committed yet.
  const files = stdout.split('\0').filter((file) => file !== '' && existsSync(path.join(project, file)));
  for (const file of files) await cp(path.join(project, file), path.join(root, file));
  await symlink(path.join(project, 'node_modules'), path.join(root, 'node_modules'));
  return {
    root,
    temporary,
    async with(mutant, work) {
      const file = path.join(root, mutant.file);
      const text = await readFile(file, 'utf8');
      await writeFile(file, await mutate(root, mutant));
      return work().finally(() => writeFile(file, text));
    },
    remove: () => removeFolder(home),
  };
}
