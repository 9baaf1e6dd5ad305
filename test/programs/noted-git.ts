import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after } from 'node:test';
import { removeFolder } from '../remove-folder.ts';

export interface NotedCall {
  readonly pid: number;
  /** The arguments without the settings before them, such as `cat-file --batch`. */
  readonly asked: string;
}

/**
 * Creates a wrapper of Git that logs its calls. Returns a PATH with it, and a function that returns the calls since it was last
 * called. It is removed after the tests of the file.
 */
export async function noteGit() {
  const folder = await mkdtemp(path.join(tmpdir(), 'postil-programs-'));
  after(() => removeFolder(folder));
  const noted = path.join(folder, 'calls');
  const git = path.join(folder, 'git');
  await writeFile(git, `#!/bin/sh\nPATH='${process.env.PATH}'\necho $$ "$@" >> ${noted}\nexec git "$@"\n`);
  await chmod(git, 0o755);
  return {
    searchPath: folder,
    async takeCalls(): Promise<NotedCall[]> {
      const lines = (await readFile(noted, 'utf8').catch(() => '')).split('\n').slice(0, -1);
      await rm(noted, { force: true });
      return lines.map((line) => {
        const [, pid, asked] = /^(\d+) (?:--no-pager )?(?:-c \S+ )*(.*)$/.exec(line)!;
        return { pid: Number(pid), asked: asked! };
      });
    },
  };
}
