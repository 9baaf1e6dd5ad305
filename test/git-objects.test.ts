import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, symlink, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { commitAll } from './git-objects.ts';
import { makeRepository } from './git-repository.ts';
import { removeFolder } from './remove-folder.ts';

const who = { who: 'Ann <ann@acme.test>', message: 'change' };

/** The tree that Git itself creates from a working copy, with a separate index. */
async function treeByGit({ folder, git }: Awaited<ReturnType<typeof makeRepository>>): Promise<string> {
  const index = await mkdtemp(path.join(tmpdir(), 'postil-index-'));
  after(() => removeFolder(index));
  await git('init', '--quiet', '--bare', index);
  await git(`--git-dir=${index}`, `--work-tree=${folder}`, 'add', '--all');
  return git(`--git-dir=${index}`, 'write-tree');
}

test('a commit written without Git is identical to that of Git, and Git sees no changes after it', async () => {
  const made = await makeRepository({ 'readme.md': 'A project.\n' });
  const { folder, git } = made;
  const first = await git('rev-parse', 'HEAD');
  await made.write({
    'a/b.ts': 'b\n',
    'a.ts': 'a\n',
    'a-b/c.ts': 'c\n',
    'ä/ö.ts': 'same\n',
    empty: '',
    'copy.ts': 'same\n',
  });
  await mkdir(path.join(folder, 'nothing in it'));
  await symlink('a/b.ts', path.join(folder, 'link'));
  await chmod(path.join(folder, 'a.ts'), 0o755);
  await unlink(path.join(folder, 'readme.md'));
  const commit = await commitAll(folder, who);
  assert.equal(await git('rev-parse', 'HEAD', 'HEAD^'), `${commit}\n${first}`);
  assert.equal(await git('rev-parse', 'HEAD^{tree}'), await treeByGit(made));
  assert.equal(await git('status', '--porcelain'), '');
  assert.equal(await git('diff-files', '--name-only'), '');
  assert.equal(await git('fsck', '--strict', '--full'), '');
  assert.equal(
    await git('log', '--format=%an %ae %cn %ce %s'),
    ['change', `change ${path.basename(folder)}`]
      .map((message) => `Ann ann@acme.test Ann ann@acme.test ${message}`)
      .join('\n'),
  );
  assert.equal(await git('rev-parse', 'HEAD@{1}'), first);
  await git('checkout', '--quiet', '-b', 'other', first);
  await git('rm', '--quiet', 'readme.md');
  const other = await commitAll(folder, who);
  assert.equal(await git('rev-parse', 'other', 'other^'), `${other}\n${first}`);
  assert.equal(await git('ls-tree', '-r', 'other'), '');
});

test('cases that only Git can handle are left to Git', async () => {
  const cases: Record<string, (made: Awaited<ReturnType<typeof makeRepository>>) => Promise<unknown>> = {
    'ignored files': ({ write }) => write({ '.gitignore': 'b.ts\n', 'b.ts': 'b\n' }),
    attributes: ({ write }) => write({ 'deep/.gitattributes': '* text eol=crlf\n' }),
    'excluded files': ({ write }) => write({ '.git/info/exclude': 'b.ts\n' }),
    configuration: ({ git }) => git('config', 'core.autocrlf', 'true'),
    hooks: ({ folder }) => writeFile(path.join(folder, '.git/hooks/pre-commit'), '#!/bin/sh\nexit 1\n'),
    'a submodule in the index': ({ git }) =>
      git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},part`),
    'no branch': ({ git }) => git('checkout', '--quiet', '--detach'),
    'an assumption': ({ git }) => git('update-index', '--assume-unchanged', 'a.ts'),
    'a merge': ({ folder }) => writeFile(path.join(folder, '.git/MERGE_HEAD'), `${'1'.repeat(40)}\n`),
    'another repository': ({ git }) => git('init', '--quiet', 'part'),
    'a name that is no text': ({ folder }) =>
      writeFile(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xe9])]), ''),
    'packed branches': ({ git }) => git('pack-refs', '--all'),
  };
  for (const [name, prepare] of Object.entries(cases)) {
    const made = await makeRepository({ 'a.ts': 'a\n' });
    await prepare(made);
    const before = await made.git('rev-parse', 'HEAD');
    assert.equal(await commitAll(made.folder, who), undefined, name);
    assert.equal(await made.git('rev-parse', 'HEAD'), before, name);
  }
});
