import assert from 'node:assert/strict';
import { chmod, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { makeRepository } from '../../../test/git-repository.ts';
import { openRepository } from '../repository/repository.ts';
import { GitError } from '../repository/run-git.ts';
import type { Change } from './change.ts';
import { readChange } from './read-change.ts';

const settings = { searchPath: process.env.PATH };

async function changeOf(folder: string, base: string, head: string | null): Promise<Change> {
  const repository = await openRepository(folder, settings);
  try {
    const change = await readChange(repository, { base, head });
    const files = await Promise.all(
      change.files.map(async (file) => {
        const [newText, oldText] = [await file.newText(), await file.oldText()];
        return { ...file, newText: async () => newText, oldText: async () => oldText };
      }),
    );
    await change.close();
    return { ...change, files };
  } finally {
    await repository.close();
  }
}

const lines = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}\n`).join('');

test('names of every kind, renames, modes, links and missing line ends are read as Git has them', async () => {
  const { folder, commit, git } = await makeRepository();
  const names = [
    'with space.txt',
    'quo"te.txt',
    'new\nline.txt',
    'tab\t.txt',
    'grün ✓.txt',
    ' lead and trail ',
    'a b/c.txt',
    'back\\slash',
  ];
  const base = await commit({
    ...Object.fromEntries(names.map((name) => [name, lines(1, 20)])),
    'moved from.txt': lines(1, 40),
    'gone.txt': 'bye\n',
    'run.sh': 'echo\n',
    link: 'text\n',
    'bytes.bin': Buffer.from([0, 1, 2, 3]),
    'ends.txt': 'a\nb',
  });
  await rename(path.join(folder, 'moved from.txt'), path.join(folder, 'moved to.txt'));
  await rm(path.join(folder, 'gone.txt'));
  await rm(path.join(folder, 'link'));
  await symlink('run.sh', path.join(folder, 'link'));
  await chmod(path.join(folder, 'run.sh'), 0o755);
  const head = await commit({
    ...Object.fromEntries(names.map((name) => [name, `${lines(1, 10)}here\n${lines(11, 20)}`])),
    'moved to.txt': `${lines(1, 39)}line forty\n`,
    'bytes.bin': Buffer.from([0, 9, 9]),
    'ends.txt': 'a\nB',
    'new file.txt': 'one\ntwo\n',
    empty: '',
  });
  assert.match(await git('diff', '--stat', base, head), /files changed/);
  const { files } = await changeOf(folder, base, head);
  const by = new Map(files.map((file) => [file.path, file]));
  for (const name of names) {
    assert.deepEqual([...by.get(name)!.addedLines], [11], JSON.stringify(name));
    assert.equal(await by.get(name)!.oldText(), lines(1, 20));
    assert.equal(await by.get(name)!.newText(), `${lines(1, 10)}here\n${lines(11, 20)}`);
  }
  const moved = by.get('moved to.txt')!;
  assert.deepEqual([moved.kind, moved.oldPath, [...moved.addedLines]], ['renamed', 'moved from.txt', [40]]);
  assert.equal(await moved.oldText(), lines(1, 40));
  const gone = by.get('gone.txt')!;
  assert.deepEqual([gone.kind, await gone.newText(), gone.addedLines.size], ['deleted', undefined, 0]);
  assert.deepEqual([by.get('run.sh')!.kind, by.get('run.sh')!.hunks], ['modified', []]);
  assert.equal(by.get('link')!.missing, 'symbolic_link');
  assert.equal(by.get('bytes.bin')!.missing, 'binary');
  assert.deepEqual([...by.get('ends.txt')!.addedLines], [2]);
  assert.deepEqual([...by.get('new file.txt')!.addedLines], [1, 2]);
  assert.equal(by.get('new file.txt')!.oldPath, null);
  assert.equal(by.get('empty')!.kind, 'added');
  assert.equal(files.length, names.length + 8);
});

test('names that are not UTF-8 are distinguished and read, committed or not', {
  skip: process.platform !== 'linux' && 'needs a file system that takes any bytes',
}, async () => {
  const { folder, commit } = await makeRepository({ 'a.txt': 'a\n' });
  const base = await commit();
  const named = (byte: number) => Buffer.from([...Buffer.from(`${folder}/gr\\\\123 ü`), byte, 0x21]);
  await writeFile(named(0xe9), 'one\n');
  await writeFile(named(0xea), 'two\n');
  const expected = [
    ['gr\\\\123 ü\\xE9!', 'one\n'],
    ['gr\\\\123 ü\\xEA!', 'two\n'],
  ];
  const read = async (head: string | null) => {
    const { files } = await changeOf(folder, base, head);
    return Promise.all(files.map(async (file) => [file.path, await file.newText()]));
  };
  assert.deepEqual(await read(null), expected, 'untracked');
  const head = await commit();
  assert.deepEqual(await read(null), expected, 'in the working copy');
  assert.deepEqual(await read(head), expected, 'in a commit');
});

test('without a head, uncommitted changes count: staged, changed and untracked files, but not ignored ones', async () => {
  const { folder, commit, write, git } = await makeRepository();
  const base = await commit({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'touched.txt': 't\n', '.gitignore': 'out/\n' });
  await commit({ 'c.txt': 'committed\n' });
  await write({
    'a.txt': 'A\n',
    'b.txt': 'B\n',
    'touched.txt': 't\n',
    'out/x.txt': 'ignored\n',
    'new dir/n.txt': 'n\n',
  });
  await git('add', 'b.txt');
  const { files, headRevision } = await changeOf(folder, base, null);
  assert.equal(headRevision, null);
  assert.deepEqual(
    files.map(({ path: name, kind }) => [name, kind]),
    [
      ['a.txt', 'modified'],
      ['b.txt', 'modified'],
      ['c.txt', 'added'],
      ['new dir/n.txt', 'added'],
    ],
  );
  assert.equal(await files[3]!.newText(), 'n\n');
});

test('a file too large to be reviewed is named, and the others are read', async () => {
  const { folder, commit } = await makeRepository({ 'a.txt': 'a\n' });
  const base = await commit();
  const head = await commit({
    'a.txt': 'b\n',
    'large.txt': 'x'.repeat(70).concat('\n').repeat(40_000),
    'z.txt': 'z\n',
  });
  const { files } = await changeOf(folder, base, head);
  assert.deepEqual(
    files.map((file) => [file.path, file.missing, file.addedLines.size]),
    [
      ['a.txt', null, 1],
      ['large.txt', 'too_large', 0],
      ['z.txt', null, 1],
    ],
  );
});

test('texts that need too much memory are too large, in a commit and in the working copy; binary ones stay binary', async () => {
  const { folder, commit, write, git } = await makeRepository({ 'a.txt': 'a\n' });
  const base = await commit();
  const large = {
    'a.txt': 'b\n',
    'large.txt': 'x\n'.repeat(9 * 1024 * 1024),
    'video.bin': Buffer.alloc(17 * 1024 * 1024),
  };
  await write(large);
  await git('add', '--all');
  const inWork = await changeOf(folder, base, null);
  const committed = await changeOf(folder, base, await commit());
  for (const { files } of [inWork, committed])
    assert.deepEqual(
      files.map((file) => [file.path, file.missing]),
      [
        ['a.txt', null],
        ['large.txt', 'too_large'],
        ['video.bin', 'binary'],
      ],
    );
});

test('a repository whose configuration and attributes name programs executes none of them', async () => {
  const { folder, commit, git, write } = await makeRepository();
  const trap = (name: string) => `touch "${folder}/fired-${name}"; cat`;
  await commit({
    '.gitattributes': '*.txt filter=evil diff=evil\n*.md filter=evil2 merge=evil\n',
    'a.txt': 'a\n',
    'b.md': 'b\n',
  });
  const base = await git('rev-parse', 'HEAD');
  await commit({ 'a.txt': 'changed\n' });
  const traps: Record<string, string> = {
    'core.fsmonitor': trap('fsmonitor'),
    'core.hooksPath': path.join(folder, 'hooks'),
    'core.pager': trap('pager'),
    'core.editor': trap('editor'),
    'core.sshCommand': trap('ssh'),
    'core.askPass': trap('askpass'),
    'diff.external': trap('external'),
    'diff.evil.textconv': trap('textconv'),
    'diff.evil.command': trap('command'),
    'filter.evil.clean': trap('clean'),
    'filter.evil.smudge': trap('smudge'),
    'filter.evil.required': 'true',
    'filter.evil2.process': trap('process'),
    'alias.diff': `!${trap('alias')}`,
    'alias.rev-parse': `!${trap('alias')}`,
    'extensions.partialClone': 'origin',
    'remote.origin.url': folder,
    'remote.origin.promisor': 'true',
    'remote.origin.uploadpack': trap('uploadpack'),
    'interactive.diffFilter': trap('diff-filter'),
    'credential.helper': `!${trap('credential')}`,
    'gpg.program': trap('gpg'),
    'log.showSignature': 'true',
  };
  await write({
    'hooks/post-index-change': `#!/bin/sh\ntouch "${folder}/fired-hook"\n`,
    'a.txt': 'uncommitted\n',
    'b.md': 'uncommitted\n',
  });
  await chmod(path.join(folder, 'hooks/post-index-change'), 0o755);
  for (const [name, value] of Object.entries(traps)) await git('config', name, value);
  const { files } = await changeOf(folder, base, null);
  assert.deepEqual(
    files.map((file) => file.path),
    ['a.txt', 'b.md', 'hooks/post-index-change'],
  );
  assert.equal(await files[0]!.newText(), 'uncommitted\n');
  assert.deepEqual(
    (await readdir(folder)).filter((name) => name.startsWith('fired')),
    [],
  );
  // Checks the test itself: a plain `git diff` executes the programs.
  await git('diff', base).catch(() => {});
  assert.notDeepEqual(
    (await readdir(folder)).filter((name) => name.startsWith('fired')),
    [],
  );
});

test('a submodule is named and its own configuration never takes part', async () => {
  const inner = await makeRepository({ 'x.txt': 'x\n' });
  const { folder, git, commit, write } = await makeRepository({ 'a.txt': 'a\n' });
  const base = await git('rev-parse', 'HEAD');
  await git('-c', 'protocol.file.allow=always', 'submodule', 'add', '--quiet', inner.folder, 'sub');
  await commit();
  await git('-C', 'sub', 'config', 'core.fsmonitor', `touch "${folder}/fired"; false`);
  await write({ 'sub/x.txt': 'changed\n' });
  const { files } = await changeOf(folder, base, null);
  assert.equal(files.find(({ path: name }) => name === 'sub')!.missing, 'submodule');
  assert.ok(!(await readdir(folder)).includes('fired'));
});

test('linked working copies, shallow clones and bare repositories can be read', async () => {
  const { folder, commit, git } = await makeRepository({ 'a.txt': 'a\n' });
  const base = await git('rev-parse', 'HEAD');
  const head = await commit({ 'a.txt': 'b\n' });
  await git('worktree', 'add', '--quiet', 'linked', '-b', 'side');
  await git('clone', '--quiet', '--bare', '.', 'bare.git');
  await git('clone', '--quiet', '--depth=2', `file://${folder}`, 'shallow');
  for (const place of ['linked', 'bare.git', 'shallow']) {
    const { files } = await changeOf(path.join(folder, place), base, head);
    assert.deepEqual(
      files.map((file) => [file.path, ...file.addedLines]),
      [['a.txt', 1]],
      place,
    );
    assert.equal(await files[0]!.newText(), 'b\n');
  }
});

test('in a partial clone the contents that are here are compared, the others are named, and nothing is fetched', async () => {
  const { folder, commit, git } = await makeRepository({
    'a.txt': 'a\n',
    'b.txt': 'b\n',
    'moved.txt': 'm\n',
  });
  const base = await git('rev-parse', 'HEAD');
  await git('mv', 'moved.txt', 'to here.txt');
  const head = await commit({ 'a.txt': 'aa\n', 'b.txt': 'bb\n', 'new.txt': 'n\n' });
  await git('config', 'uploadpack.allowFilter', 'true');
  await git('clone', '--quiet', '--bare', '--filter=blob:none', `file://${folder}`, 'partial.git');
  // Reads both sides of one file, which fetches them.
  for (const side of [base, head]) await git('-C', 'partial.git', 'cat-file', '-e', `${side}:a.txt`);
  const before = await git('-C', 'partial.git', 'count-objects', '-v');
  const { files } = await changeOf(path.join(folder, 'partial.git'), base, head);
  assert.deepEqual(
    files.map((file) => [file.path, file.oldPath, file.kind, file.missing, file.addedLines.size]),
    [
      ['a.txt', 'a.txt', 'modified', null, 1],
      ['b.txt', 'b.txt', 'modified', 'content_missing', 0],
      ['new.txt', null, 'added', 'content_missing', 0],
      ['to here.txt', 'moved.txt', 'renamed', 'content_missing', 0],
    ],
  );
  assert.equal(await git('-C', 'partial.git', 'count-objects', '-v'), before);
});

test('whichever object is missing, the rest is read or Git reports why not, and nothing else fails', async () => {
  const { folder, commit, git } = await makeRepository({
    'a.txt': 'a\n',
    's/b.txt': lines(1, 9),
    bin: '\0',
  });
  const base = await git('rev-parse', 'HEAD');
  await git('mv', 's/b.txt', 's/c.txt');
  const head = await commit({ 'a.txt': 'aa\n', 's/c.txt': lines(1, 10), bin: '\0\0', new: 'n\n' });
  const objects = path.join(folder, '.git', 'objects');
  const names = (await readdir(objects, { recursive: true })).filter((name) => /^..[/\\].{38}$/.test(name));
  const outcomes = new Set<string>();
  for (const name of names) {
    await rename(path.join(objects, name), path.join(objects, 'away'));
    const outcome = await changeOf(folder, base, head).then(
      ({ files }) => (files.some(({ missing }) => missing === 'content_missing') ? 'named' : 'whole'),
      (error: Error) => (error instanceof GitError ? 'refused' : String(error)),
    );
    outcomes.add(outcome);
    await rename(path.join(objects, 'away'), path.join(objects, name));
  }
  assert.deepEqual([...outcomes].sort(), ['named', 'refused']);
});

test('files that a sparse checkout leaves out are read from the index', async () => {
  const { folder, commit, git } = await makeRepository({ 'in/a.txt': 'a\n', 'out/b.txt': 'b\n' });
  const base = await git('rev-parse', 'HEAD');
  await commit({ 'in/a.txt': 'aa\n', 'out/b.txt': 'bb\n' });
  await git('sparse-checkout', 'set', 'in');
  assert.deepEqual(
    (await readdir(folder)).filter((name) => name !== '.git'),
    ['in'],
  );
  const { files } = await changeOf(folder, base, null);
  assert.deepEqual(
    await Promise.all(files.map(async (file) => [file.path, await file.oldText(), await file.newText()])),
    [
      ['in/a.txt', 'a\n', 'aa\n'],
      ['out/b.txt', 'b\n', 'bb\n'],
    ],
  );
});
