import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { removeFolder } from '../../../../test/remove-folder.ts';
import { openRepository } from '../../../reviewer/repository/repository.ts';
import { chanceRate } from './chance-rate.ts';
import { compareRevisions, hasCommit } from './compare-revisions.ts';
import { trackFinding } from './track-finding.ts';

const run = promisify(execFile);
const folder = await mkdtemp(path.join(tmpdir(), 'postil-tracking-'));
after(() => removeFolder(folder));

async function git(...given: string[]): Promise<string> {
  const { stdout } = await run(
    'git',
    ['-c', 'user.name=a', '-c', 'user.email=a@b.test', '-c', 'commit.gpgsign=false', ...given],
    { cwd: folder },
  );
  return stdout.trim();
}

async function commit(files: Record<string, readonly string[] | null>): Promise<string> {
  for (const [name, lines] of Object.entries(files)) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await (lines === null ? rm(file) : writeFile(file, lines.map((line) => `${line}\n`).join('')));
  }
  await git('add', '--all');
  await git('commit', '--quiet', '--allow-empty', '-m', 'change');
  return git('rev-parse', 'HEAD');
}

const lines = Array.from({ length: 30 }, (_, index) => `const value${index + 1} = compute(${index + 1});`);
const range = { start: 10, end: 11 };
const place = { path: 'src/a.ts', range, lines: lines.slice(9, 11) };
const edited = (change: (copy: string[]) => void) => {
  const copy = [...lines];
  change(copy);
  return copy;
};

await git('init', '--quiet', '--initial-branch=main');
const base = await commit({ 'readme.md': ['hello'] });
const posted = await commit({ 'src/a.ts': lines, 'src/other one.ts': ['export const other = 1;'] });

/** Follows the finding on src/a.ts to a commit made on top of the posted one. */
async function follow(files: Record<string, readonly string[] | null>) {
  await git('checkout', '--quiet', '--detach', posted);
  const head = await commit(files);
  const repository = await openRepository(folder, { searchPath: process.env.PATH });
  const compared = await compareRevisions(repository, posted, head, [
    'src/a.ts',
    'src/other one.ts',
    'lib/new name.ts',
  ]);
  await repository.close();
  const tracked = trackFinding(place, compared.of('src/a.ts'));
  return { ...tracked, head };
}

test('lines that only moved down are found again and count as untouched', async () => {
  const { state, range: now } = await follow({ 'src/a.ts': ['// new', '', ...lines] });
  assert.equal(state, 'untouched');
  assert.deepEqual(now, { start: 12, end: 13 });
});

test('an edit, a deletion and a line put right above touch the finding; an edit two lines away is near', async () => {
  const edit = await follow({
    'src/a.ts': edited((copy) => copy.splice(9, 1, 'const value10 = compute(0);')),
  });
  assert.equal(edit.state, 'touched');
  assert.deepEqual(edit.range, range);
  const deletion = await follow({ 'src/a.ts': edited((copy) => copy.splice(9, 2)) });
  assert.equal(deletion.state, 'touched');
  assert.deepEqual(deletion.range, { start: 10, end: 9 });
  const guard = await follow({ 'src/a.ts': edited((copy) => copy.splice(9, 0, 'if (!ready) return;')) });
  assert.equal(guard.state, 'touched');
  const near = await follow({ 'src/a.ts': edited((copy) => copy.splice(12, 1, 'changed();')) });
  assert.equal(near.state, 'near');
  const far = await follow({ 'src/a.ts': edited((copy) => copy.splice(20, 1, 'changed();')) });
  assert.equal(far.state, 'untouched');
});

test('a file that was renamed and edited is followed, also with a space in its name', async () => {
  const { state, path: now } = await follow({
    'src/a.ts': null,
    'lib/new name.ts': edited((copy) => copy.splice(9, 1, 'fixed();')),
  });
  assert.deepEqual([state, now], ['touched', 'lib/new name.ts']);
  const moved = await follow({ 'src/a.ts': null, 'lib/new name.ts': ['// header', ...lines] });
  assert.deepEqual([moved.state, moved.range], ['untouched', { start: 11, end: 12 }]);
});

test('a deleted file is gone, unless its lines stand elsewhere', async () => {
  const { state } = await follow({ 'src/a.ts': null });
  assert.equal(state, 'file_gone');
});

test('lines that stand elsewhere in the file as they were are relocated, not changed', async () => {
  const { state } = await follow({
    'src/a.ts': edited((copy) => copy.splice(25, 0, ...copy.splice(9, 2))),
  });
  assert.equal(state, 'relocated');
});

test('a change of layout alone does not count', async () => {
  const { state } = await follow({
    'src/a.ts': lines.map((line) => line.replace('compute(', 'compute(\n    ').replace(');', ',\n  );')),
  });
  assert.equal(state, 'untouched');
});

test('what the base branch brought in does not count', async () => {
  await git('checkout', '--quiet', '--detach', posted);
  const change = edited((copy) => copy.splice(9, 1, 'const value10 = compute(0);'));
  const head = await commit({ 'src/a.ts': change });
  const repository = await openRepository(folder, { searchPath: process.env.PATH });
  const { hunks } = (await compareRevisions(repository, posted, head, ['src/a.ts'])).of('src/a.ts');
  await repository.close();
  assert.equal(
    trackFinding(place, { newPath: 'src/a.ts', hunks, isReadable: true }, { ofBase: hunks }).state,
    'untouched',
  );
});

test('a rebased and squashed history is compared by content', async () => {
  await git('checkout', '--quiet', '--detach', base);
  await commit({ 'readme.md': ['hello', 'world'] });
  const head = await commit({
    'src/a.ts': edited((copy) => copy.splice(9, 1, 'const value10 = compute(0);')),
    'src/other one.ts': ['export const other = 1;'],
  });
  const repository = await openRepository(folder, { searchPath: process.env.PATH });
  const compared = await compareRevisions(repository, posted, head, ['src/a.ts']);
  assert.equal(trackFinding(place, compared.of('src/a.ts')).state, 'touched');
  assert.equal(await hasCommit(repository, posted), true);
  assert.equal(await hasCommit(repository, 'f'.repeat(40)), false);
  await repository.close();
});

test('the chance rate is the share of equally long ranges of added lines that changed', async () => {
  await git('checkout', '--quiet', '--detach', posted);
  const head = await commit({
    'src/a.ts': edited((copy) => copy.splice(9, 1, 'const value10 = compute(0);')),
  });
  const repository = await openRepository(folder, { searchPath: process.env.PATH });
  const { hunks } = (await compareRevisions(repository, posted, head, ['src/a.ts'])).of('src/a.ts');
  await repository.close();
  const file = { addedLines: new Set(lines.keys().map((line) => line + 1)), hunks, isGone: false };
  assert.equal(chanceRate([file], 1), 1 / 30);
  assert.equal(chanceRate([file], 3), 3 / 28);
  assert.equal(chanceRate([{ ...file, isGone: true }], 1), 1);
  assert.equal(chanceRate([file], 31), null);
});
