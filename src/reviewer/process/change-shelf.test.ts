import assert from 'node:assert/strict';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { makeRepository } from '../../../test/git-repository.ts';
import type { ChangedFile } from '../change/change.ts';
import type { ChangeSource } from '../change/change-source.ts';
import { openRepository, placeOf } from '../repository/repository.ts';
import { openSides } from '../review/comparison/sides.ts';
import { ChangeShelf } from './change-shelf.ts';

/** Git, which notes the processes that read objects until somebody ends them. */
const programs = await mkdtemp(path.join(tmpdir(), 'postil-programs-'));
after(() => rm(programs, { recursive: true, force: true }));
const noted = path.join(programs, 'readers');
const git = path.join(programs, 'git');
await writeFile(
  git,
  `#!/bin/sh\nPATH=${process.env.PATH}\nfor last; do :; done\n[ "$last" = --batch ] && echo $$ >> ${noted}\nexec git "$@"\n`,
);
await chmod(git, 0o755);

const made = await makeRepository({ 'a.txt': 'one\n' });
const base = (await made.git('rev-parse', 'HEAD')).trim();
const repository = await openRepository(made.folder, { searchPath: programs });
after(() => repository.close());
const sources: ChangeSource[] = [];
for (const text of ['two\n', 'three\n', 'four\n', 'five\n'])
  sources.push({
    kind: 'commits',
    repository: placeOf(repository),
    base,
    head: await made.commit({ 'a.txt': text }),
  });

/** How many were started since the last time; fails if one of them is still there, and ends it. */
async function readersGone(): Promise<number> {
  const pids = (await readFile(noted, 'utf8').catch(() => '')).match(/\d+/g)?.map(Number) ?? [];
  await rm(noted, { force: true });
  const left = pids.filter((pid) => {
    try {
      return process.kill(pid, 'SIGKILL');
    } catch {
      return false;
    }
  });
  assert.deepEqual(left, [], 'readers that nobody has closed');
  return pids.length;
}

test('a change that somebody reads stays open, whatever others open meanwhile, and is closed afterwards', async () => {
  const shelf = new ChangeShelf();
  await shelf.serve(async (open) => {
    const read = await open(sources[0]!);
    // Many at once, of which none reads yet what it has opened.
    await Promise.all(
      sources.slice(1).map((source) => shelf.serve(async (openOther) => void (await openOther(source)))),
    );
    assert.equal(await read.files[0]!.newText(), 'two\n');
    assert.equal((await open(sources[0]!)) === read, true, 'what is read is on the shelf');
  });
  await shelf.serve(async (open) => {
    for (const source of sources) await (await open(source)).files[0]!.newText();
    const first = await open(sources[0]!);
    assert.equal(await first.files[0]!.newText(), 'two\n', 'all that one part has opened stays open');
  });
  await shelf.close();
  assert.equal(await readersGone(), sources.length);
});

test('what goes on after the shelf was closed opens nothing, and reads nothing, that nobody would close', async () => {
  const shelf = new ChangeShelf();
  await shelf.serve(async (open) => {
    const change = await open(sources[0]!);
    const opening = open(sources[1]!);
    await shelf.close();
    await assert.rejects(change.files[0]!.newText());
    await assert.rejects((await opening).files[0]!.newText());
    await assert.rejects(open(sources[2]!));
  });
  assert.equal(await readersGone(), 0);
});

test('a tree is closed where what comes after opening it fails', async () => {
  const behind = { repository: placeOf(repository), base };
  const shelf = new ChangeShelf();
  await shelf.serve(async (open) => {
    const change = await open(sources[0]!);
    const unreadable: ChangedFile = {
      ...change.files[0]!,
      newText: async () => {
        throw new Error('unreadable');
      },
    };
    // The first file has the tree read, the second fails.
    const files = [change.files[0]!, unreadable];
    await assert.rejects(
      openSides({ kind: 'diff', file: 'sent', behind }, { ...change, files }),
      /unreadable/,
    );
  });
  await shelf.close();
  assert.equal(await readersGone(), 2);
});
