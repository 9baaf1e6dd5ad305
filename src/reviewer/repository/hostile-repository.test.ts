import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, readFile, realpath, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, test } from 'node:test';
import { makeRepository } from '../../../test/git-repository.ts';
import { removeFolder } from '../../../test/remove-folder.ts';
import { readChange } from '../change/read-change.ts';
import { chooseRevisions } from './choose-revisions.ts';
import { openRepository } from './repository.ts';
import { GitError } from './run-git.ts';

const settings = { searchPath: process.env.PATH };

/** The names of the changed files, read as a review reads them. */
async function changedIn(folder: string, timeoutMs?: number): Promise<string[]> {
  const repository = await openRepository(folder, { ...settings, ...(timeoutMs && { timeoutMs }) });
  try {
    const revisions = await chooseRevisions(repository, { base: 'HEAD', head: undefined });
    const change = await readChange(repository, revisions);
    await change.close();
    return change.files.map((file) => file.path);
  } finally {
    await repository.close();
  }
}

async function assertRefused(folder: string, message: RegExp): Promise<void> {
  await assert.rejects(changedIn(folder), (error) => {
    assert.ok(error instanceof GitError, String(error));
    assert.match(error.message, message);
    return true;
  });
}

/** A repository with a change, and another one with a change of `secret.txt`, which must not be read through the first. */
const makeMine = () => makeRepository({ 'a.txt': 'a\n' });
async function makeOther() {
  const other = await makeRepository({ 'secret.txt': 'old\n' });
  await other.write({ 'secret.txt': 'new\n' });
  return other;
}

describe('a repository does not lead out of its working copy', () => {
  test('by core.worktree, in its configuration or in that of the working copy', async () => {
    const [mine, other] = [await makeMine(), await makeOther()];
    await mine.git('config', 'core.worktree', other.folder);
    await assertRefused(mine.folder, /core\.worktree names another working copy/);
    await mine.git('--work-tree=.', 'config', '--unset', 'core.worktree');
    await mine.git('config', 'extensions.worktreeConfig', 'true');
    await writeFile(path.join(mine.folder, '.git/config.worktree'), `[core]\nworktree = ${other.folder}\n`);
    await assertRefused(mine.folder, /core\.worktree names another working copy/);
  });

  test('by a file .git, or a link, that names the Git folder of another', async () => {
    const [mine, other] = [await makeMine(), await makeOther()];
    const dotGit = path.join(mine.folder, '.git');
    await rm(dotGit, { recursive: true });
    await writeFile(dotGit, `gitdir: ${path.join(other.folder, '.git')}\n`);
    await assertRefused(mine.folder, /does not name .* as its working copy/);
    await rm(dotGit);
    await symlink(path.join(other.folder, '.git'), dotGit);
    await assertRefused(mine.folder, /does not name .* as its working copy/);
    await rm(dotGit);
    await writeFile(dotGit, 'gitdir: /dev\n');
    await assertRefused(mine.folder, /names no Git folder/);
  });

  test('by commondir, refs, objects, packed-refs or a single ref of another', async () => {
    const other = await makeOther();
    await other.git('pack-refs', '--all');
    const theirs = (name: string) => path.join(other.folder, '.git', name);
    for (const name of ['refs', 'objects', 'packed-refs', 'refs/heads/other', 'index']) {
      const mine = await makeMine();
      const file = path.join(mine.folder, '.git', name);
      await removeFolder(file);
      const target = name === 'refs/heads/other' ? path.join(other.folder, 'secret.txt') : theirs(name);
      await symlink(target, file);
      await assertRefused(mine.folder, /leads out of the repository/);
    }
    const mine = await makeMine();
    await writeFile(path.join(mine.folder, '.git/commondir'), theirs(''));
    await assertRefused(mine.folder, /claims to be a part of/);
  });

  test('by files that its configuration includes', async () => {
    const [mine, other] = [await makeMine(), await makeOther()];
    await other.write({ included: `[core]\nworktree = ${other.folder}\n` });
    await mine.git('config', 'include.path', path.join(other.folder, 'included'));
    await mine.write({ 'b.txt': 'b\n' });
    assert.deepEqual(await changedIn(mine.folder), ['b.txt']);
  });
});

describe('a repository with pipes, devices or huge files is refused, without blocking or filling the memory', () => {
  const files = [
    'HEAD',
    'config',
    'index',
    'packed-refs',
    'shallow',
    'info/exclude',
    'refs/heads/main',
    'refs/heads/deep/er',
    'objects/info/alternates',
    'objects/pack/pack-1.idx',
  ];
  for (const name of files)
    test(name, async () => {
      const { folder } = await makeMine();
      const file = path.join(folder, '.git', name);
      await mkdir(path.dirname(file), { recursive: true });
      await rm(file, { force: true });
      await symlink('/dev/zero', file);
      await assertRefused(folder, /is not a regular file/);
      await rm(file);
      execFileSync('mkfifo', [file]);
      await assertRefused(folder, /is not a regular file/);
      if (name.startsWith('objects/pack')) return;
      await rm(file);
      await writeFile(file, '');
      await truncate(file, 3 * 1024 ** 3);
      await assertRefused(folder, /is larger than/);
    });

  test('also in alternate object stores that it names', async () => {
    const { folder } = await makeMine();
    await mkdir(path.join(folder, 'store/info'), { recursive: true });
    await symlink('/dev/zero', path.join(folder, 'store/info/alternates'));
    await writeFile(path.join(folder, '.git/objects/info/alternates'), '# a comment\n../../store\n');
    await assertRefused(folder, /is not a regular file/);
  });

  test('such a pattern file is left out, and such an included configuration not read', async () => {
    const mine = await makeMine();
    const pipe = path.join(mine.folder, '.git/pipe');
    execFileSync('mkfifo', [pipe]);
    await mine.git('config', 'core.excludesFile', pipe);
    await writeFile(path.join(mine.folder, '.git/config'), `\n[include]\npath = ${pipe}\n`, { flag: 'a' });
    await mine.write({ 'b.txt': 'b\n' });
    assert.deepEqual(await changedIn(mine.folder), ['b.txt']);
  });

  for (const name of ['.gitignore', 'src/.gitattributes'])
    test(`in the working copy: ${name}`, async () => {
      const mine = await makeMine();
      await mine.write({ 'src/a.ts': 'a\n' });
      await mine.git('add', '.');
      execFileSync('mkfifo', [path.join(mine.folder, name)]);
      await assert.rejects(changedIn(mine.folder), {
        name: 'GitError',
        fault: 'failed',
        message: `${path.join(await realpath(mine.folder), name)} is not a regular file`,
      });
    });

  test('Git is killed after its timeout', async () => {
    const mine = await makeMine();
    execFileSync('mkfifo', [path.join(mine.folder, '.gitignore')]);
    await assert.rejects(changedIn(mine.folder, 1_000), { name: 'GitError', fault: 'too_long' });
  });
});

describe('a repository with another, legitimate layout is read', () => {
  test('linked working copies, also of a bare repository, and with relative paths', async () => {
    const mine = await makeMine();
    const linked = `${mine.folder}-linked`;
    await mine.git('worktree', 'add', '--quiet', linked);
    await writeFile(path.join(linked, 'b.txt'), 'b\n');
    assert.deepEqual(await changedIn(linked), ['b.txt']);
    const gitdir = path.join(mine.folder, '.git/worktrees', path.basename(linked), 'gitdir');
    await writeFile(gitdir, `${path.relative(path.dirname(gitdir), await realpath(linked))}/.git\n`);
    assert.deepEqual(await changedIn(linked), ['b.txt']);
    await mine.git('config', 'core.bare', 'true');
    assert.deepEqual(await changedIn(linked), ['b.txt']);
    await rename(linked, `${linked}-moved`);
    await assertRefused(`${linked}-moved`, /git worktree repair/);
    await rm(`${linked}-moved`, { recursive: true });
  });

  test('submodules', async () => {
    const [mine, other] = [await makeMine(), await makeOther()];
    await mine.git('-c', 'protocol.file.allow=always', 'submodule', 'add', '--quiet', other.folder, 'part');
    await mine.write({ 'part/b.txt': 'b\n' });
    assert.deepEqual(await changedIn(path.join(mine.folder, 'part')), ['b.txt']);
  });

  test('clones that share their objects', async () => {
    const other = await makeOther();
    const clone = `${other.folder}-clone`;
    await other.git('clone', '--quiet', '--shared', other.folder, clone);
    await writeFile(path.join(clone, 'b.txt'), 'b\n');
    assert.deepEqual(await changedIn(clone), ['b.txt']);
    await rm(clone, { recursive: true });
  });

  test('a folder deep in the working copy, whatever GIT_DIR says', async () => {
    const [mine, other] = [await makeMine(), await makeOther()];
    await mine.write({ 'deep/er/b.txt': 'b\n' });
    process.env.GIT_DIR = path.join(other.folder, '.git');
    process.env.GIT_WORK_TREE = other.folder;
    try {
      assert.deepEqual(await changedIn(path.join(mine.folder, 'deep/er')), ['deep/er/b.txt']);
    } finally {
      delete process.env.GIT_DIR;
      delete process.env.GIT_WORK_TREE;
    }
  });
});

test('a configuration that Git cannot parse is named in the error, and one that changed is parsed again', async () => {
  const mine = await makeMine();
  const file = path.join(mine.folder, '.git/config');
  const good = await readFile(file);
  await mine.write({ 'b.txt': 'b\n' });
  assert.deepEqual(await changedIn(mine.folder), ['b.txt']);
  await writeFile(file, '[core\n');
  await assertRefused(mine.folder, /bad config line 1 in .*\.git\/config/);
  await writeFile(file, good);
  assert.deepEqual(await changedIn(mine.folder), ['b.txt']);
});
