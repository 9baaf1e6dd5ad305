import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { removeFolder } from '../remove-folder.ts';
import { fromDashboard } from '../session.ts';
import {
  type Installed,
  packCheckout,
  proveReview,
  proveServer,
  runPostil,
  startPostil,
} from './installed-package.ts';

const root = path.join(import.meta.dirname, '../..');
const run = promisify(execFile);
const folder = await mkdtemp(path.join(tmpdir(), 'postil-package-'));
const modules = path.join(folder, 'node_modules');
const launcher = path.join(modules, 'postil', 'bin', 'postil.js');
const installed: Installed = {
  folder,
  command: [process.execPath, launcher],
  searchPath: '/usr/local/bin:/usr/bin:/bin',
};
after(() => removeFolder(folder));

/** The packages that npm would install with the package: the dependencies in the lock file that are not for development. */
async function namesToInstall(): Promise<string[]> {
  const lock = JSON.parse(await readFile(path.join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean }>;
  };
  return Object.entries(lock.packages)
    .filter(([place, { dev }]) => /^node_modules\/(@[^/]+\/)?[^/]+$/.test(place) && dev !== true)
    .map(([place]) => place.slice('node_modules/'.length))
    .filter((name) => existsSync(path.join(root, 'node_modules', name)));
}

// The package is really unpacked; its dependencies are linked, which saves the minute that npm takes. `npm run test:package`
// installs everything.
before(async () => {
  await mkdir(path.join(modules, 'postil'), { recursive: true });
  const file = await packCheckout(folder);
  await run('tar', ['-xzf', file, '-C', path.join(modules, 'postil'), '--strip-components=1']);
  for (const name of await namesToInstall()) {
    await mkdir(path.dirname(path.join(modules, name)), { recursive: true });
    await symlink(path.join(root, 'node_modules', name), path.join(modules, name));
  }
});

test('the package contains the compiled program, and neither sources nor tests, benchmarks or documentation', async () => {
  const files = await readdir(path.join(modules, 'postil'), { recursive: true });
  assert.deepEqual(
    files.filter(
      (file) => /\.tsx?$|\.test\.|\bfixtures\b|\.png$/.test(file) && !file.endsWith('favicon-32x32.png'),
    ),
    [],
  );
  assert.deepEqual((await readdir(path.join(modules, 'postil'))).sort(), [
    'LICENSE',
    'README.md',
    'bin',
    'dashboard',
    'deploy',
    'dist',
    'package.json',
  ]);
  const migrations = path.join('db', 'schema', 'migrations');
  assert.deepEqual(
    await readdir(path.join(modules, 'postil', 'dist', migrations)),
    await readdir(path.join(root, 'src', migrations)),
  );
});

/** The server's error message for an unknown link of the first admin. */
async function rejectLink(url: string): Promise<string> {
  const response = await fetch(`${url}/dashboard/v1/invitations/read`, {
    method: 'POST',
    headers: { ...fromDashboard, 'content-type': 'application/json' },
    body: JSON.stringify({ token: 'A'.repeat(43) }),
  });
  return response.text();
}

test('an installed package starts a server in any folder, and keeps its data there', async () => {
  const server = await startPostil(installed, 'start');
  try {
    await proveServer(installed, server.url);
    assert.match(await rejectLink(server.url), /npx postil invite --admin EMAIL/);
  } finally {
    assert.equal(await server.stop(), 0);
  }
  assert.ok(existsSync(path.join(folder, 'postil-data', 'operator-token')));
  assert.match((await runPostil(installed, ['keys', 'list'])).err, /start one with "npx postil start"/);
});

test('an installed package reviews a working copy with every kind of rule', () => proveReview(installed));

const olderNode = `data:text/javascript,${encodeURIComponent(
  "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.1.0' } });",
)}`;

test('on an older Node the bundled one runs the command; without a bundled one, an error says what is needed', async () => {
  const older: Installed = { ...installed, command: [process.execPath, '--import', olderNode, launcher] };
  const bundled = path.join(modules, `node-${process.platform}-${process.arch}`);
  if (existsSync(bundled)) {
    assert.match((await runPostil(older, ['--version'])).out, /^\d+\.\d+\.\d+\n$/);
    assert.equal((await runPostil(older, ['nonsense'])).code, 2);
    await rm(bundled);
  }
  const { code, out, err } = await runPostil(older, ['--version']);
  assert.deepEqual([code, out], [1, '']);
  assert.match(err, /^Postil needs Node 24 or newer; this is v/);
});
