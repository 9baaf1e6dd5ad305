import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { distFolder, hashFile, hashSources, isDashboardBuilt } from './dashboard-build.ts';

const script = path.join(import.meta.dirname, '../dashboard/build.ts');
const build = () => promisify(execFile)(process.execPath, [script]);

test('a build records the hash of its sources, and is not repeated while they are unchanged', async () => {
  await build();
  assert.equal(await isDashboardBuilt(), true);
  assert.equal(await readFile(path.join(distFolder, hashFile), 'utf8'), await hashSources());
  const page = path.join(distFolder, 'index.html');
  const { mtimeMs } = await stat(page);
  await build();
  assert.equal((await stat(page)).mtimeMs, mtimeMs);
});

test('the page loads only local files, and has no inline script', async () => {
  const page = await readFile(path.join(distFolder, 'index.html'), 'utf8');
  for (const [, address] of page.matchAll(/(?:src|href)="([^"]+)"/g)) assert.match(address!, /^\/assets\//);
  assert.doesNotMatch(page, /<script(?![^>]*\bsrc=)/);
});
