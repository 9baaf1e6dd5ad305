import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after } from 'node:test';

export interface NotedCall {
  readonly pid: number;
  /** What Git was asked to do, without the settings before it, such as `cat-file --batch`. */
  readonly asked: string;
}

/** Git, which notes how it was called: a PATH with it, and the calls since they were last taken. Gone when the tests of the file are. */
export async function noteGit() {
  const folder = await mkdtemp(path.join(tmpdir(), 'postil-programs-'));
  after(() => rm(folder, { recursive: true, force: true }));
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
