import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { makeRepository } from '../../../test/git-repository.ts';
import { noteGit } from '../../../test/programs/noted-git.ts';
import type { ChangedFile } from '../change/change.ts';
import type { ChangeSource } from '../change/change-source.ts';
import { openRepository, placeOf } from '../repository/repository.ts';
import { openSides } from '../review/comparison/sides.ts';
import { ChangeCache } from './change-cache.ts';

const { searchPath, takeCalls } = await noteGit();
const made = await makeRepository({ 'a.txt': 'one\n' });
const base = (await made.git('rev-parse', 'HEAD')).trim();
const repository = await openRepository(made.folder, { searchPath });
after(() => repository.close());
const sources: ChangeSource[] = [];
for (const text of ['two\n', 'three\n', 'four\n', 'five\n'])
  sources.push({
    kind: 'commits',
    repository: placeOf(repository),
    base,
    head: await made.commit({ 'a.txt': text }),
  });

/** The number of blob readers that were started since the last call; fails if one is still running, and ends it. */
async function readersGone(): Promise<number> {
  const readers = (await takeCalls()).filter(({ asked }) => asked === 'cat-file --batch');
  const left = readers.filter(({ pid }) => {
    try {
      return process.kill(pid, 'SIGKILL');
    } catch {
      return false;
    }
  });
  assert.deepEqual(left, [], 'readers that nobody has closed');
  return readers.length;
}

test('a change that somebody reads stays open, whatever others open meanwhile, and is closed afterwards', async () => {
  const cache = new ChangeCache();
  await cache.serve(async (open) => {
    const read = await open(sources[0]!);
    // Opens many at once, without reading them yet.
    await Promise.all(
      sources.slice(1).map((source) => cache.serve(async (openOther) => void (await openOther(source)))),
    );
    assert.equal(await read.files[0]!.newText(), 'two\n');
    assert.equal((await open(sources[0]!)) === read, true, 'what is read is on the cache');
  });
  await cache.serve(async (open) => {
    for (const source of sources) await (await open(source)).files[0]!.newText();
    const first = await open(sources[0]!);
    assert.equal(await first.files[0]!.newText(), 'two\n', 'all that one part has opened stays open');
  });
  await cache.close();
  assert.equal(await readersGone(), 1);
});

test('work that continues after the cache was closed cannot open or read anything, since nobody would close it', async () => {
  const cache = new ChangeCache();
  await cache.serve(async (open) => {
    const change = await open(sources[0]!);
    const opening = open(sources[1]!);
    await cache.close();
    await assert.rejects(change.files[0]!.newText());
    await assert.rejects((await opening).files[0]!.newText());
    await assert.rejects(open(sources[2]!));
  });
  assert.equal(await readersGone(), 0);
});

test('a tree is closed if something fails after it was opened', async () => {
  const behind = { repository: placeOf(repository), base };
  const cache = new ChangeCache();
  await cache.serve(async (open) => {
    const change = await open(sources[0]!);
    const unreadable: ChangedFile = {
      ...change.files[0]!,
      newText: async () => {
        throw new Error('unreadable');
      },
    };
    // The first file causes the tree to be read, the second fails.
    const files = [change.files[0]!, unreadable];
    await assert.rejects(
      openSides({ kind: 'diff', file: 'sent', behind }, { ...change, files }),
      /unreadable/,
    );
  });
  await cache.close();
  assert.equal(await readersGone(), 1);
});
