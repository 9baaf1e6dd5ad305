import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { makeRepository } from '../../../test/git-repository.ts';
import { chooseRevisions } from './choose-revisions.ts';
import { openRepository } from './repository.ts';

const settings = { searchPath: process.env.PATH };

async function chosen(folder: string, given: { base?: string; head?: string } = {}) {
  const repository = await openRepository(folder, settings);
  return chooseRevisions(repository, { base: given.base, head: given.head }).finally(repository.close);
}

test('the base is where the branch left main, else the default branch of the remote', async () => {
  const { folder, git, commit } = await makeRepository({ 'a.txt': 'a\n' });
  const fork = await git('rev-parse', 'HEAD');
  await git('switch', '--quiet', '--create', 'feature');
  const tip = await commit({ 'a.txt': 'b\n' });
  await git('switch', '--quiet', 'main');
  await commit({ 'c.txt': 'c\n' });
  await git('switch', '--quiet', 'feature');
  assert.deepEqual(await chosen(folder), { base: fork, head: null, baseName: 'main' });
  assert.deepEqual(await chosen(folder, { base: 'main', head: 'feature' }), {
    base: fork,
    head: tip,
    baseName: 'main',
  });
  assert.deepEqual((await chosen(folder, { base: 'HEAD~1', head: 'HEAD' })).base, fork);
  await git('branch', '--quiet', '-m', 'main', 'trunk');
  await git('switch', '--quiet', 'trunk');
  await git('clone', '--quiet', '.', 'clone');
  const clone = await chosen(path.join(folder, 'clone'));
  assert.equal(clone.baseName, 'origin/trunk');
});

test('an outdated main does not make the work of others part of a change', async () => {
  const { folder, git, commit } = await makeRepository({ 'a.txt': 'a\n' });
  await git('clone', '--quiet', '.', 'clone');
  const theirs = await commit({ 'b.txt': 'b\n' });
  const clone = path.join(folder, 'clone');
  await git('-C', clone, 'fetch', '--quiet');
  await git('-C', clone, 'switch', '--quiet', '--no-track', '--create', 'feature', 'origin/main');
  assert.deepEqual(await chosen(clone), { base: theirs, head: null, baseName: 'origin/main' });
  await git('-C', clone, 'switch', '--quiet', '--detach');
  assert.equal((await chosen(clone)).base, theirs);
  await git('-C', clone, 'branch', '--quiet', '--force', 'main', 'origin/main');
  await git('-C', clone, 'commit', '--quiet', '--allow-empty', '--message', 'mine');
  assert.deepEqual(await chosen(clone), { base: theirs, head: null, baseName: 'main' });
});

test('on main itself, unpushed commits are reviewed', async () => {
  const { folder, git } = await makeRepository({ 'a.txt': 'a\n' });
  const pushed = await git('rev-parse', 'HEAD');
  await git('clone', '--quiet', '.', 'clone');
  const clone = path.join(folder, 'clone');
  await git('-C', clone, 'commit', '--quiet', '--allow-empty', '--message', 'mine');
  const tip = await git('-C', clone, 'rev-parse', 'HEAD');
  assert.deepEqual(await chosen(clone), { base: pushed, head: null, baseName: 'origin/main' });
  const named = await chosen(clone, { head: 'main' });
  assert.deepEqual(named, { base: pushed, head: tip, baseName: 'origin/main' });
});

test('a repository without a commit, or with one branch only, has a base too', async () => {
  const empty = await makeRepository();
  assert.equal((await chosen(empty.folder)).baseName, null);
  const { folder, git } = await makeRepository({ 'a.txt': 'a\n' });
  await git('branch', '--quiet', '-m', 'main', 'odd');
  assert.equal((await chosen(folder)).base, await git('rev-parse', 'HEAD'));
});

test('a shallow clone of one branch has nothing to compare with, unless there are uncommitted changes', async () => {
  const { folder, git, commit } = await makeRepository({ 'a.txt': 'a\n' });
  await git('switch', '--quiet', '--create', 'feature');
  await commit({ 'a.txt': 'b\n' });
  await git('switch', '--quiet', 'main');
  const clone = path.join(folder, 'clone');
  await git('clone', '--quiet', '--depth', '1', '--branch', 'feature', `file://${folder}`, clone);
  const said = /nothing to compare with: this clone has one branch and its history is cut off/;
  await assert.rejects(chosen(clone), said);
  await assert.rejects(chosen(clone, { head: 'feature' }), said);
  await writeFile(path.join(clone, 'new.txt'), 'new\n');
  assert.equal((await chosen(clone)).baseName, 'HEAD');
});

test('a revision that does not exist is reported in a sentence', async () => {
  const { folder, git } = await makeRepository({ 'a.txt': 'a\n' });
  await assert.rejects(chosen(folder, { base: 'nope' }), /The base "nope" does not exist here/);
  await assert.rejects(chosen(folder, { head: '--all' }), /The revision "--all" does not exist here/);
  await git('checkout', '--quiet', '--orphan', 'other');
  await git('commit', '--quiet', '--message', 'unrelated');
  await assert.rejects(chosen(folder, { base: 'main' }), /have no common history/);
  const nowhere = await mkdtemp(path.join(tmpdir(), 'postil-nowhere-'));
  await assert.rejects(chosen(nowhere), { name: 'GitError', fault: 'failed' });
  await assert.rejects(openRepository(folder, { searchPath: '/nonexistent' }), {
    name: 'GitError',
    fault: 'missing',
  });
  await rm(nowhere, { recursive: true });
});
