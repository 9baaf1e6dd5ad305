import assert from 'node:assert/strict';
import { rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { after, test } from 'node:test';
import { makeRepository } from '../../../test/git-repository.ts';
import { noteGit } from '../../../test/programs/noted-git.ts';
import { readChange } from '../change/read-change.ts';
import { openRepository } from './repository.ts';
import { openTree } from './tree-view.ts';

async function openBoth() {
  const { folder, write, commit } = await makeRepository();
  await write({ 'src/a.ts': 'load();\nreload(); load()\n', 'src/b.py': 'load\n', '.gitignore': 'ignored\n' });
  await symlink('/etc/hosts', path.join(folder, 'link'));
  const revision = await commit({ 'gone.ts': 'load()\n', 'binary.ts': Buffer.from([0, 1, 2]) });
  const repository = await openRepository(folder, { searchPath: process.env.PATH });
  after(() => repository.close());
  const [commitTree, workTree] = [openTree(repository, revision), openTree(repository, null)];
  after(() => Promise.all([commitTree.close(), workTree.close()]));
  return { folder, write, commitTree, workTree };
}

test('a commit and the working copy are both read as trees of files, without links and ignored files', async () => {
  const { write, commitTree, workTree, folder } = await openBoth();
  await write({ 'new file.ts': 'one\n', 'ignored/x.ts': 'load\n', 'src/a.ts': 'changed\n' });
  await rm(path.join(folder, 'gone.ts'));
  const known = ['.gitignore', 'binary.ts', 'gone.ts', 'src/a.ts', 'src/b.py'];
  assert.deepEqual([...(await commitTree.paths())].sort(), known);
  const now = [...known.filter((name) => name !== 'gone.ts'), 'new file.ts'].sort();
  assert.deepEqual([...(await workTree.paths())].sort(), now);
  assert.equal(await commitTree.read('src/a.ts'), 'load();\nreload(); load()\n');
  assert.equal(await workTree.read('src/a.ts'), 'changed\n');
  assert.equal(await workTree.read('new file.ts'), 'one\n');
});

test('nothing outside of the repository can be read through its tree', async () => {
  const { write, commitTree, workTree } = await openBoth();
  await write({ 'ignored/x.ts': 'load\n' });
  const outside = [
    'link',
    '../a',
    '/etc/hosts',
    '.git/config',
    'src/../../x',
    'ignored/x.ts',
    'binary.ts',
    '',
  ];
  for (const tree of [commitTree, workTree])
    for (const name of outside) assert.equal(await tree.read(name), undefined, name);
});

test('a folder that was replaced by a link does not lead out of the working copy', async () => {
  const { folder, workTree } = await openBoth();
  const outside = await makeRepository();
  await outside.write({ 'a.ts': 'secret\n' });
  await rm(path.join(folder, 'src'), { recursive: true });
  await symlink(outside.folder, path.join(folder, 'src'));
  assert.equal(await workTree.read('src/a.ts'), undefined);
  assert.deepEqual((await workTree.findWords(['secret'])).places, []);
});

test('words are found as whole words with their lines, in all files or in some', async () => {
  const { write, commitTree, workTree } = await openBoth();
  await write({ 'new file.ts': 'x = load\n', 'ignored/x.ts': 'load\n' });
  const found = await commitTree.findWords(['load', 'reload'], ['*.ts']);
  assert.deepEqual(found, {
    isWhole: true,
    places: [
      { path: 'gone.ts', line: 1, word: 'load' },
      { path: 'src/a.ts', line: 1, word: 'load' },
      { path: 'src/a.ts', line: 2, word: 'reload' },
      { path: 'src/a.ts', line: 2, word: 'load' },
    ],
  });
  const { places } = await workTree.findWords(['load']);
  assert.deepEqual([...new Set(places.map((place) => place.path))].sort(), [
    'gone.ts',
    'new file.ts',
    'src/a.ts',
    'src/b.py',
  ]);
  assert.deepEqual(
    await commitTree.findWords([
      'a.',
      'lo*d',
      '(load)',
      '[load]',
      'l|oad',
      '^load',
      'load()'.repeat(2),
      '\\w+',
      'a{1}',
      '$',
    ]),
    {
      places: [],
      isWhole: true,
    },
  );
  assert.deepEqual(await commitTree.findWords(['nowhere']), { places: [], isWhole: true });
  assert.deepEqual(await commitTree.findWords(['-e', '--help']), { places: [], isWhole: true });
});

test('files that a sparse checkout leaves out are part of the working copy, and found', async () => {
  const { folder, git } = await makeRepository({
    'in/a.ts': 'load()\n',
    'out/b.ts': 'load()\n',
    'out/c.ts': 'c\n',
  });
  await git('sparse-checkout', 'set', 'in');
  const repository = await openRepository(folder, { searchPath: process.env.PATH });
  after(() => repository.close());
  const tree = openTree(repository, null);
  after(() => tree.close());
  assert.deepEqual([...(await tree.paths())], ['in/a.ts', 'out/b.ts', 'out/c.ts']);
  assert.equal(await tree.read('out/c.ts'), 'c\n');
  assert.deepEqual(
    (await tree.findWords(['load'])).places.map(({ path: name }) => name),
    ['in/a.ts', 'out/b.ts'],
  );
  assert.deepEqual(await tree.missing(), []);
  const id = await git('rev-parse', 'HEAD:out/c.ts');
  await rm(path.join(folder, '.git', 'objects', id.slice(0, 2), id.slice(2)));
  assert.deepEqual(await tree.missing(), ['out/c.ts']);
});

test('concurrent readers of a repository share one process, which ends with the last of them', async () => {
  const { searchPath, takeCalls } = await noteGit();
  const made = await makeRepository({ 'a.txt': 'one\n' });
  const base = (await made.git('rev-parse', 'HEAD')).trim();
  const head = await made.commit({ 'a.txt': 'two\n' });
  const repository = await openRepository(made.folder, { searchPath });
  after(() => repository.close());
  const readers = async () => (await takeCalls()).filter(({ asked }) => asked === 'cat-file --batch');
  const change = await readChange(repository, { base, head });
  const trees = [base, head].map((revision) => openTree(repository, revision));
  const texts = await Promise.all([...trees.map((tree) => tree.read('a.txt')), change.files[0]!.newText()]);
  assert.deepEqual(texts, ['one\n', 'two\n', 'two\n']);
  await trees[0]!.close();
  await trees[0]!.close();
  await change.close();
  assert.equal(await trees[1]!.read('a.txt'), 'two\n', 'others go on');
  const [shared, ...more] = await readers();
  assert.deepEqual(more, []);
  await trees[1]!.close();
  assert.throws(() => process.kill(shared!.pid, 0), { code: 'ESRCH' });

  const next = openTree(repository, base);
  assert.equal(await next.read('a.txt'), 'one\n');
  const [died] = await readers();
  process.kill(died!.pid, 'SIGKILL');
  await assert.rejects(next.read('a.txt'));
  const another = openTree(repository, base);
  assert.equal(await another.read('a.txt'), 'one\n', 'one that has died is not joined');
  await Promise.all([next.close(), another.close()]);
});
