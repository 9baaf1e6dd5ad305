import assert from 'node:assert/strict';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { startTestApp } from '../../../test/harness.ts';
import { removeFolder } from '../../../test/remove-folder.ts';

const folder = await mkdtemp(path.join(tmpdir(), 'postil-dashboard-'));
after(() => removeFolder(folder));
let hasFailed = false;
const server = await startTestApp({ dashboardFolder: folder, hasDashboardFailed: () => hasFailed });
const browser = { accept: 'text/html,application/xhtml+xml' };
const open = (address: string) => server.call('GET', address, { headers: browser });

test('until the dashboard is built, a page says so, and the API works', async () => {
  const answer = await open('/');
  assert.equal(answer.status, 503);
  assert.match(answer.text, /is being built/);
  assert.doesNotMatch(answer.text, /<script/);
  assert.equal((await server.get('/health')).status, 200);
});

test('when the dashboard cannot be built, a page says so and what to do, and does not reload for ever', async () => {
  hasFailed = true;
  const answer = await open('/');
  hasFailed = false;
  assert.equal(answer.status, 503);
  assert.match(answer.text, /could not be built.*log of the server.*dashboard\/build\.ts/);
  assert.doesNotMatch(answer.text, /http-equiv="refresh"/);
});

test('a built dashboard is served immediately, at every path that is not the API', async () => {
  await mkdir(path.join(folder, 'assets'), { recursive: true });
  await writeFile(path.join(folder, 'index.html'), '<!doctype html><title>Postil</title>');
  await writeFile(path.join(folder, 'assets', 'index-abc.js'), 'export {}');
  for (const address of ['/', '/sign-in', '/organizations/1/learnings?from=2026-01-01']) {
    const answer = await open(address);
    assert.equal(answer.status, 200, address);
    assert.match(answer.text, /<title>Postil/);
    assert.equal(answer.headers['cache-control'], 'no-cache');
  }
  for (const address of [
    '/v1/nothing',
    '/v1',
    '/operator/v1/nothing',
    '/dashboard/v1/nothing',
    '/docs/nothing',
  ])
    assert.equal((await open(address)).json?.error.code, 'NOT_FOUND', address);
  assert.equal((await server.get('/sign-in')).json.error.code, 'NOT_FOUND', 'not asked for as a page');
  assert.match((await server.get('/')).text, /<title>Postil/, 'the root, whoever asks');
  assert.equal((await open('/dashboard/v1/sign-out')).status, 405);
});

test('files with a hash in their name are cached for a year; others, and those outside the folder, are not found', async () => {
  const file = await server.get('/assets/index-abc.js');
  assert.equal(file.status, 200);
  assert.match(file.headers['cache-control']!, /max-age=31536000, immutable/);
  for (const address of [
    '/assets/none.js',
    '/assets/..%2findex.html',
    '/assets/../../package.json',
    '/assets/',
  ])
    assert.equal((await server.get(address)).status === 200, false, address);
});

test('the Content-Security-Policy allows only our own script files', async () => {
  const policy = (await open('/')).headers['content-security-policy']!;
  assert.match(policy, /script-src 'self'(;|$)/);
  assert.match(policy, /default-src 'self'/);
  assert.match(policy, /frame-ancestors 'none'/);
  assert.doesNotMatch(policy, /https?:|\*/);
});
