import assert from 'node:assert/strict';
import { mkdir, mkdtemp, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { removeFolder } from '../../../test/remove-folder.ts';
import { openStaticFolder } from './static-folder.ts';

const parent = await mkdtemp(path.join(tmpdir(), 'postil-static-'));
after(() => removeFolder(parent));
const folder = path.join(parent, 'files');
const files = openStaticFolder(folder);

test('a file is prepared once, however many requests there are, and again after it has changed', async () => {
  assert.equal(await files.find('a.css'), undefined);
  await mkdir(folder);
  await writeFile(path.join(folder, 'a.css'), 'a {} '.repeat(1000));
  const all = await Promise.all(Array.from({ length: 20 }, () => files.find('a.css')));
  assert.equal(new Set(all).size, 1);
  const [first] = all;
  assert.equal(first!.type, 'text/css; charset=utf-8');
  assert.ok(first!.gzipped!.length < 200);
  await writeFile(path.join(folder, 'a.css'), 'b {} '.repeat(1000));
  await utimes(path.join(folder, 'a.css'), 1, 1);
  const changed = await files.find('a.css');
  assert.notEqual(changed!.etag, first!.etag);
  assert.equal(await files.find('a.css'), changed);
});

test('paths outside the folder, and paths that are not files, are not found', async () => {
  await writeFile(path.join(parent, 'secret.txt'), 'secret');
  await mkdir(path.join(parent, 'files-too'));
  await writeFile(path.join(parent, 'files-too', 'secret.txt'), 'secret');
  for (const name of [
    '../secret.txt',
    '../files-too/secret.txt',
    '',
    '.',
    '..',
    'a.css\0',
    'a.css/../../secret.txt',
  ])
    assert.equal(await files.find(name), undefined, name);
});
