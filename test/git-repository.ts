import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after } from 'node:test';
import { commitAll, initRepository, readHead } from './git-objects.ts';
import { runTestGit } from './programs/run-program.ts';
import { removeFolder } from './remove-folder.ts';

/** Creates a real Git repository in its own folder, which is removed after the tests of the file. */
export async function makeRepository(files: Record<string, string> = {}) {
  const folder = await mkdtemp(path.join(tmpdir(), 'postil-repository-'));
  after(() => removeFolder(folder));
  // Unique, because repositories with the same files created within a second would have the same commit ids.
  const message = `change ${path.basename(folder)}`;
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    GIT_CONFIG_NOSYSTEM: '1',
    // Without garbage collection and maintenance, which nearly every command would start.
    GIT_CONFIG_COUNT: '2',
    GIT_CONFIG_KEY_0: 'gc.auto',
    GIT_CONFIG_VALUE_0: '0',
    GIT_CONFIG_KEY_1: 'maintenance.auto',
    GIT_CONFIG_VALUE_1: 'false',
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
  /** Writes these files, commits the working copy, and returns the id of the commit. */
  async function commit(contents: Record<string, string | Buffer> = {}): Promise<string> {
    await write(contents);
    const written = await commitAll(folder, { who: 'Ann <ann@acme.test>', message });
    if (written !== undefined) return written;
    await git('add', '--all');
    await git('commit', '--quiet', '--allow-empty', '--message', message);
    return (await readHead(path.join(folder, '.git'))).commit ?? git('rev-parse', 'HEAD');
  }
  await initRepository(path.join(folder, '.git'));
  if (Object.keys(files).length > 0) await commit(files);
  return { folder, git, write, commit };
}
