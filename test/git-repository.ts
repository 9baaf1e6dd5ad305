import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after } from 'node:test';
import { runTestGit } from './programs/run-program.ts';

/** A real Git repository in a folder of its own, gone when the tests of the file are. */
export async function makeRepository(files: Record<string, string> = {}) {
  const folder = await mkdtemp(path.join(tmpdir(), 'postil-repository-'));
  after(() => rm(folder, { recursive: true, force: true }));
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'Ann',
    GIT_AUTHOR_EMAIL: 'ann@acme.test',
    GIT_COMMITTER_NAME: 'Ann',
    GIT_COMMITTER_EMAIL: 'ann@acme.test',
  };
  const git = (...given: string[]): Promise<string> => runTestGit(given, { cwd: folder, env });
  async function write(contents: Record<string, string | Buffer>): Promise<void> {
    for (const [name, content] of Object.entries(contents)) {
      await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
      await writeFile(path.join(folder, name), content);
    }
  }
  /** Commits the working copy with these contents, and gives the commit's id. */
  async function commit(contents: Record<string, string | Buffer> = {}): Promise<string> {
    await write(contents);
    await git('add', '--all');
    await git('commit', '--quiet', '--allow-empty', '--message', 'change');
    return (await readHead(path.join(folder, '.git'))) ?? git('rev-parse', 'HEAD');
  }
  await git('init', '--quiet', '--initial-branch=main');
  if (Object.keys(files).length > 0) await commit(files);
  return { folder, git, write, commit };
}

/** The commit that is checked out, where its branch has just been written to a file: that needs no process. */
async function readHead(gitFolder: string): Promise<string | undefined> {
  const read = (name: string) => readFile(path.join(gitFolder, name), 'utf8').catch(() => '');
  const [, ref] = /^ref: (refs\/heads\/\S+)\n$/.exec(await read('HEAD')) ?? [];
  return ref === undefined ? undefined : /^[0-9a-f]{40,64}(?=\n$)/.exec(await read(ref))?.[0];
}
