import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { removeFolder } from '../remove-folder.ts';
import { findUnfinished, takeFiles } from './file-queue.ts';

const folder = await mkdtemp(path.join(tmpdir(), 'postil-queue-'));
after(() => removeFolder(folder));

async function queueOf(count: number) {
  const taken = await mkdtemp(path.join(folder, 'taken-'));
  return { taken, files: Array.from({ length: count }, (_, index) => `${index}.test.ts`) };
}

test('processes that share the files run each of them once, in order', async () => {
  const queue = await queueOf(60);
  const runs = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const files: string[] = [];
      for await (const file of takeFiles(queue)) {
        files.push(file);
        await setImmediate();
      }
      return files;
    }),
  );
  const inOrder = (files: readonly string[]) =>
    [...files].sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10));
  for (const files of runs) assert.deepEqual(files, inOrder(files));
  assert.deepEqual(inOrder(runs.flat()), queue.files);
  assert.deepEqual(findUnfinished(queue), []);
});

test('a file whose process ends early, and files that no process takes, are reported', async () => {
  const queue = await queueOf(4);
  const first = takeFiles(queue);
  assert.equal((await first.next()).value, '0.test.ts');
  assert.equal((await first.next()).value, '1.test.ts');
  const second = takeFiles(queue);
  assert.equal((await second.next()).value, '2.test.ts');
  assert.deepEqual(findUnfinished(queue), ['1.test.ts', '2.test.ts', '3.test.ts']);
  await second.next();
  assert.deepEqual(findUnfinished(queue), ['1.test.ts', '3.test.ts']);
});
