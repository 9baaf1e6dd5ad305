import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, truncate, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { startDouble } from '../../../../test/hosts/connected-host.ts';
import { addGitRepository } from '../../../../test/hosts/forge/forge-repository.ts';
import { fillForge, hostToken } from '../../../../test/hosts/forge/sample-forge.ts';
import { GiteaDouble } from '../../../../test/hosts/gitea/gitea-double.ts';
import { noteGit } from '../../../../test/programs/noted-git.ts';
import { removeFolder } from '../../../../test/remove-folder.ts';
import type { OrganizationId, RepositoryId } from '../../../lib/ids.ts';
import { newUuid } from '../../../lib/uuid.ts';
import { readChange } from '../../../reviewer/change/read-change.ts';
import { workHere } from '../../../reviewer/process/run-here.ts';
import { readFileAt } from '../../../reviewer/repository/read-file-at.ts';
import { GitError } from '../../../reviewer/repository/run-git.ts';
import { sizeOf } from './mirror-folder.ts';
import { createMirrors, type MirrorSettings } from './mirrors.ts';
import { CommitGone, type PullRequestCommits, withCommits } from './pull-request-commits.ts';

const host = await startDouble(new GiteaDouble());
const { ada, acme } = fillForge(host);
const searchPath = process.env.PATH;
const { signal } = new AbortController();

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'postil-mirrors-'));
  after(() => removeFolder(folder));
  return folder;
}

const limits = { maxBytes: 10_000_000, maxSeconds: 60, maxTotalBytes: 10_000_000, searchPath };
const key = () => ({ organizationId: newUuid() as OrganizationId, repositoryId: newUuid() as RepositoryId });

let counter = 0;
/** A repository with one pull request, and how to read it through a mirror. */
async function newPull(settings: Partial<MirrorSettings> = {}, files: Record<string, string> = {}) {
  counter += 1;
  const name = `repository-${counter}`;
  const git = await addGitRepository(host, acme, name, {
    '.postil.yaml': 'language: de\n',
    'unrelated.txt': 'never needed\n',
    'a.ts': 'export const a = 1;\n',
    ...files,
  });
  await git.git('checkout', '--quiet', '-b', 'topic');
  await git.commit({ 'a.ts': 'export const a = 2;\n', 'b c.ts': 'export const b = 1;\n' });
  const pull = await git.open(ada, 'topic');
  const folder = settings.folder ?? (await newFolder());
  const mirrors = createMirrors({ folder, ...limits, ...settings });
  const repository = key();
  const source = {
    url: `${host.url}/acme/${name}.git`,
    authorization: `token ${hostToken}`,
    headRef: `refs/pull/${pull.number}/head`,
  };
  async function read<Result>(
    work: (commits: PullRequestCommits) => Promise<Result>,
    more: { head?: string; base?: { sha: string; ref: string }; authorization?: string } = {},
  ): Promise<Result> {
    const head = more.head ?? pull.commits.at(-1)!.sha;
    return withCommits(
      { mirrors, searchPath: settings.searchPath ?? searchPath, processes: workHere(async () => []) },
      { ...source, authorization: more.authorization ?? source.authorization },
      { ...repository, number: pull.number, head, base: more.base ?? pull.base },
      signal,
      work,
    );
  }
  const mirror = path.join(folder, `${repository.organizationId}-${repository.repositoryId}.git`);
  return { git, pull, mirrors, folder, mirror, read, repository, source };
}

const pathsOf = async ({ repository, mergeBase, head, bringChange }: PullRequestCommits) => {
  await bringChange(mergeBase!, head);
  const change = await readChange(repository, { base: mergeBase!, head });
  const files = await Promise.all(change.files.map(async (file) => [file.path, await file.newText()]));
  await change.close();
  return Object.fromEntries(files) as Record<string, string>;
};

const changed = { 'a.ts': 'export const a = 2;\n', 'b c.ts': 'export const b = 1;\n' };

test('a pull request is read with the contents of what changed, and nothing else is fetched', async () => {
  const { read, git } = await newPull();
  await read(async (commits) => {
    assert.deepEqual(await pathsOf(commits), changed);
    const { repository, baseTip } = commits;
    assert.equal(await readFileAt(repository, baseTip, 'unrelated.txt'), undefined);
    await commits.bringFiles(['.postil.yaml', '.coderabbit.yaml']);
    assert.equal(await readFileAt(repository, baseTip, '.postil.yaml'), 'language: de\n');
  });
  await git.git('checkout', '--quiet', 'main');
});

test('what follows from commits alone is asked of Git once, and each time whether they are here', async () => {
  const { searchPath: noting, takeCalls } = await noteGit();
  const { read, git, pull } = await newPull({ searchPath: noting });
  const asked = async () => (await takeCalls()).map((call) => call.asked.split(' ')[0]);
  const look = (head?: string) =>
    read(async ({ mergeBase, head: at, isInHead }) => [mergeBase, await isInHead(at)], {
      ...(head && { head }),
    });
  const [mergeBase] = await look();
  const first = (await asked()).filter((name) => name !== 'config');
  assert.deepEqual(first, ['fetch', 'cat-file', 'merge-base', 'merge-base']);
  assert.deepEqual(await look(), [mergeBase, true]);
  assert.deepEqual(await asked(), ['fetch', 'cat-file']);
  await git.commit({ 'a.ts': 'export const a = 3;\n' });
  await git.push(pull, 'topic');
  assert.deepEqual(await look(), [mergeBase, true]);
  assert.deepEqual(await asked(), ['fetch', 'cat-file', 'merge-base', 'merge-base'], 'another version');
  await assert.rejects(look('0'.repeat(40)), CommitGone);
  await git.git('checkout', '--quiet', 'main');
});

test('the files of the base are brought once, and later what pushes bring; pictures and builds are not', async () => {
  const files = { 'src/x.ts': 'x\n', 'y.md': 'y\n', 'logo.png': 'png\n', 'dist/x.js': 'made\n' };
  const { read, git, pull, mirror } = await newPull({}, files);
  const textsOf = ({ repository, mergeBase }: PullRequestCommits) =>
    Promise.all(Object.keys(files).map((name) => readFileAt(repository, mergeBase!, name)));
  const packs = async () => (await readdir(path.join(mirror, 'objects', 'pack'))).length;
  await read(async (commits) => {
    assert.deepEqual(await textsOf(commits), [undefined, undefined, undefined, undefined]);
    assert.equal(await commits.bringTree(commits.mergeBase!), null);
    assert.deepEqual(await textsOf(commits), ['x\n', 'y\n', undefined, undefined]);
    const before = await packs();
    assert.equal(await commits.bringTree(commits.mergeBase!), null);
    assert.equal(await packs(), before, 'nothing is fetched twice');
  });
  await git.git('checkout', '--quiet', 'main');
  await git.commit({ 'src/x.ts': 'newer\n' });
  await git.upload('main', 'refs/heads/main');
  await git.git('checkout', '--quiet', '-B', 'topic', 'main');
  await git.commit({ 'c.ts': 'export const c = 1;\n' });
  await git.push(pull, 'topic');
  await read(async (commits) => {
    assert.equal(await commits.bringTree(commits.mergeBase!), null);
    assert.deepEqual((await textsOf(commits)).slice(0, 2), ['newer\n', 'y\n']);
  });
});

test('files of the base that a mirror has no room for, or that the host does not send, are said and nothing fails', async () => {
  const random = Array.from({ length: 20_000 }, () => Math.random().toString(36)).join('\n');
  const { read, mirror } = await newPull({ maxBytes: 60_000 }, { 'src/large.ts': random });
  await read(async (commits) => {
    assert.equal(
      await commits.bringTree(commits.mergeBase!),
      'Not all files of the repository could be fetched: there are too many',
    );
    const left = await readdir(path.join(mirror, 'objects', 'pack'));
    assert.deepEqual(
      left.filter((name) => name.startsWith('tmp_')),
      [],
    );
    assert.deepEqual(await pathsOf(commits), changed);
  });
  const small = await newPull({ maxBytes: 10_000_000 });
  await small.read(async (commits) => {
    host.goAway();
    try {
      assert.equal(
        await commits.bringTree(commits.mergeBase!),
        'Not all files of the repository could be fetched: the host did not send them',
      );
    } finally {
      host.comeBack();
    }
  });
  const full = await newPull({ maxBytes: Math.ceil((await sizeOf(small.mirror)) * 1.5) });
  await full.read(async (commits) => {
    assert.equal(
      await commits.bringTree(commits.mergeBase!),
      'Not all files of the repository could be fetched: its mirror would become too large',
    );
  });
});

test('credentials are in no file of the mirror and on no command line', async () => {
  const { read, folder } = await newPull();
  const seen = new Set<string>();
  let isDone = false;
  const watching = (async () => {
    while (!isDone)
      for (const name of await readdir('/proc').catch(() => []))
        if (/^\d+$/.test(name)) seen.add(await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => ''));
  })();
  await read(pathsOf);
  isDone = true;
  await watching;
  assert.ok(![...seen].some((line) => line.includes(hostToken)));
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile())
      assert.ok(!(await readFile(path.join(entry.parentPath, entry.name))).includes(hostToken), entry.name);
});

test('pushes, force-pushes and pushes to the base are fetched into the same mirror', async () => {
  const { read, git, pull } = await newPull();
  assert.deepEqual(await read(pathsOf), changed);
  const former = pull.commits.at(-1)!.sha;
  await git.git('checkout', '--quiet', 'main');
  await git.commit({ 'main.ts': 'export const main = 1;\n' });
  await git.upload('main', 'refs/heads/main');
  await git.git('checkout', '--quiet', '-B', 'topic', 'main');
  await git.commit({ 'c.ts': 'export const c = 1;\n' });
  await git.push(pull, 'topic');
  await read(async (commits) => {
    assert.deepEqual(await pathsOf(commits), { 'c.ts': 'export const c = 1;\n' });
    assert.equal(await commits.bringCommit(former), true, 'the replaced head is still here');
    assert.equal(await commits.bringCommit('1'.repeat(40)), false);
  });
});

test('a base branch that is gone is replaced by its commit, and a head that is gone is reported', async () => {
  const { read, pull } = await newPull();
  const base = { sha: pull.base.sha, ref: 'deleted' };
  assert.deepEqual(await read(pathsOf, { base }), changed);
  await assert.rejects(read(pathsOf, { head: '1'.repeat(40) }), CommitGone);
  await assert.rejects(read(pathsOf, { base: { sha: '1'.repeat(40), ref: 'gone' } }), CommitGone);
});

test('a damaged mirror is built anew', async () => {
  const { read, mirror } = await newPull();
  await read(pathsOf);
  const packs = path.join(mirror, 'objects', 'pack');
  for (const name of await readdir(packs))
    if (name.endsWith('.pack')) await truncate(path.join(packs, name), 40);
  assert.deepEqual(await read(pathsOf), changed);
  await rm(path.join(mirror, 'objects'), { recursive: true });
  assert.deepEqual(await read(pathsOf), changed);
  await rm(path.join(mirror, 'config'));
  assert.deepEqual(await read(pathsOf), changed);
});

test('what reads a repository at the same time does not disturb each other', async () => {
  const { read } = await newPull();
  const all = await Promise.all(Array.from({ length: 4 }, () => read(pathsOf)));
  for (const one of all) assert.deepEqual(one, changed);
});

test('refused credentials and a host that is away are errors that leave the mirror alone', async () => {
  const { read, mirror } = await newPull();
  await read(pathsOf);
  const before = await readdir(path.join(mirror, 'objects', 'pack'));
  await assert.rejects(read(pathsOf, { authorization: 'token wrong' }), (error: Error) => {
    assert.ok(error instanceof GitError);
    assert.ok(!error.message.includes('wrong'), error.message);
    return true;
  });
  host.goAway();
  await assert.rejects(read(pathsOf), GitError);
  host.comeBack();
  assert.deepEqual(await readdir(path.join(mirror, 'objects', 'pack')), before);
  assert.deepEqual(await read(pathsOf), changed);
});

test('more than the limit is not fetched', async () => {
  const random = Array.from({ length: 40_000 }, () => Math.random().toString(36)).join('\n');
  const { read, git, pull } = await newPull({ maxBytes: 1_000 });
  await git.commit({ 'large.txt': random });
  await git.push(pull, 'topic');
  await assert.rejects(read(pathsOf), (error: Error) => {
    assert.ok(error instanceof GitError && ['too_much'].includes(error.fault), error.message);
    return true;
  });
});

test('mirrors that were not used for long go, and the longest unused ones when all are too large', async () => {
  const folder = await newFolder();
  const old = await newPull({ folder });
  const recent = await newPull({ folder });
  await old.read(pathsOf);
  await recent.read(pathsOf);
  const longAgo = new Date(Date.now() - 40 * 24 * 60 * 60_000);
  await utimes(path.join(old.mirror, 'HEAD'), longAgo, longAgo);
  await recent.read(async () => {
    await recent.mirrors.trim(new Date());
    assert.deepEqual(await readdir(folder), [path.basename(recent.mirror)]);
    await createMirrors({ folder, ...limits }).trim(new Date());
    assert.deepEqual(await readdir(folder), [path.basename(recent.mirror)]);
  });
  await createMirrors({ folder, ...limits, maxTotalBytes: 10 }).trim(new Date());
  assert.deepEqual(await readdir(folder), []);
  assert.deepEqual(await recent.read(pathsOf), changed);
});
