import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { chmod, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { makeRepository } from '../../../test/git-repository.ts';
import { readChange } from '../change/read-change.ts';
import { RevisionError } from './choose-revisions.ts';
import { openRepository } from './repository.ts';
import { openStaged } from './staged-tree.ts';

/** All changed files, with their texts after the change. */
async function staged(folder: string, indexFile?: string) {
  const opened = await openRepository(folder, { searchPath: process.env.PATH });
  try {
    const { repository, revisions } = await openStaged(opened, indexFile);
    const change = await readChange(repository, revisions);
    const files: [string, string | null][] = [];
    for (const file of change.files) {
      const from = file.kind === 'renamed' ? `${file.oldPath} -> ` : '';
      files.push([`${file.kind} ${from}${file.path}`, (await file.newText()) ?? null]);
    }
    await change.close();
    return { base: revisions.baseName, files };
  } finally {
    await opened.close();
  }
}

/** A hash of all files in a Git folder. */
async function fingerprint(folder: string): Promise<string> {
  const hash = createHash('sha256');
  const entries = await readdir(path.join(folder, '.git'), { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => `${parentPath}/${name}`);
  for (const file of files.sort()) hash.update(file).update(await readFile(file));
  return hash.digest('hex');
}

test('the staged changes are those in the index, and the repository stays unchanged', async () => {
  const text = 'one\ntwo\nthree\nfour\nfive\n';
  const { folder, git, write } = await makeRepository({
    'a.txt': 'a\n',
    'gone.txt': 'gone\n',
    'old.txt': text,
  });
  await write({ 'a.txt': 'staged\n', 'new.txt': 'new\n' });
  await git('add', 'a.txt', 'new.txt');
  await git('rm', '--quiet', 'gone.txt');
  await git('mv', 'old.txt', 'moved.txt');
  await git('update-index', '--add', '--cacheinfo', `160000,${await git('rev-parse', 'HEAD')},sub`);
  await write({ 'a.txt': 'in the working copy\n', 'untracked.txt': 'untracked\n', 'meant.txt': 'later\n' });
  await git('add', '--intent-to-add', 'meant.txt');
  await rm(path.join(folder, 'new.txt'));
  const before = await fingerprint(folder);
  const { base, files } = await staged(folder);
  assert.equal(base, 'HEAD');
  assert.deepEqual(
    files.map(([name, content]) => (content === null ? name : `${name}: ${content.split('\n')[0]}`)),
    [
      'modified a.txt: staged',
      'deleted gone.txt',
      'renamed old.txt -> moved.txt',
      'added new.txt: new',
      'added sub',
    ],
  );
  assert.equal(await fingerprint(folder), before);
});

test('in a repository without commits everything that is staged is new, and an empty index is nothing', async () => {
  const { folder, git, write } = await makeRepository();
  assert.deepEqual(await staged(folder), { base: null, files: [] });
  await write({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
  await git('add', 'a.txt');
  assert.deepEqual(await staged(folder), { base: null, files: [['added a.txt', 'a\n']] });
});

test('files that a sparse checkout leaves out do not count as deleted', async () => {
  const { folder, git, write } = await makeRepository({ 'in/a.txt': 'a\n', 'out/deep/b.txt': 'b\n' });
  await git('sparse-checkout', 'set', '--cone', '--sparse-index', 'in');
  await write({ 'in/a.txt': 'other\n' });
  await git('add', 'in/a.txt');
  assert.deepEqual((await staged(folder)).files, [['modified in/a.txt', 'other\n']]);
});

test('the index that Git passes to its hooks is used, but not one of another repository', async () => {
  const { folder, git, write } = await makeRepository({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
  const other = await makeRepository({ 'c.txt': 'c\n' });
  await write({ 'a.txt': 'other\n', 'b.txt': 'other\n' });
  await git('add', 'b.txt');
  await write({ '.git/hooks/pre-commit': '#!/bin/sh\ncp "$GIT_INDEX_FILE" .git/copy && exit 1\n' });
  await chmod(path.join(folder, '.git/hooks/pre-commit'), 0o755);
  await assert.rejects(git('commit', '--quiet', '--message', 'a', 'a.txt'));
  const names = async (index?: string) => (await staged(folder, index)).files.map(([name]) => name);
  assert.deepEqual(await names(path.join(folder, '.git/copy')), ['modified a.txt']);
  assert.deepEqual(await names(path.join(other.folder, '.git/index')), ['modified b.txt']);
  assert.deepEqual(await names(), ['modified b.txt']);
});

test('an index with conflicts is refused in one sentence', async () => {
  const { folder, git, commit } = await makeRepository({ 'a.txt': 'a\n' });
  await git('checkout', '--quiet', '-b', 'topic');
  await commit({ 'a.txt': 'b\n' });
  await git('checkout', '--quiet', 'main');
  await commit({ 'a.txt': 'c\n' });
  await git('merge', 'topic').catch(() => {});
  await assert.rejects(
    staged(folder),
    new RevisionError('Files in the index have conflicts; resolve and stage them first'),
  );
});
