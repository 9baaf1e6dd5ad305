import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { removeFolder } from '../remove-folder.ts';
import { type Installed, packCheckout, proveReview, proveServer, startPostil } from './installed-package.ts';

// Not part of `npm test`: installs the package with all its dependencies, which takes minutes and a registry.
const folder = await mkdtemp(path.join(tmpdir(), 'postil-install-'));
const searchPath = process.env
  .PATH!.split(path.delimiter)
  .filter((place) => !place.includes('node_modules'))
  .join(path.delimiter);
const installed: Installed = { folder, command: ['npx', 'postil'], searchPath };
after(() => removeFolder(folder));

before(
  async () => {
    const file = await packCheckout(folder);
    await promisify(execFile)('npm', ['install', '--no-audit', '--no-fund', file], {
      cwd: folder,
      env: { PATH: searchPath, HOME: process.env.HOME },
    });
  },
  { timeout: 15 * 60_000 },
);

test('nothing is installed that only a checkout needs', () => {
  for (const name of ['vite', 'react', 'swagger-ui-dist', '@scarf/scarf', 'typescript'])
    assert.equal(existsSync(path.join(folder, 'node_modules', name)), false, name);
});

test('npx postil start, in an empty folder', async () => {
  const server = await startPostil(installed, 'start');
  try {
    await proveServer(installed, server.url);
  } finally {
    await server.stop();
  }
  assert.ok(existsSync(path.join(folder, 'postil-data', 'operator-token')));
});

test('npx postil review, in a working copy', () =>
  proveReview({ ...installed, command: [path.join(folder, 'node_modules', '.bin', 'postil')] }));

test('npx postil demo, in an empty folder', async () => {
  const server = await startPostil(installed, 'demo');
  assert.equal((await fetch(`${server.url}/ready`)).status, 200);
  await server.stop();
  assert.ok(existsSync(path.join(folder, 'postil-demo')));
});
