import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { removeFolder } from '../remove-folder.ts';

const folder = await mkdtemp(path.join(tmpdir(), 'postil-context-'));
after(() => removeFolder(folder));
const cheapContext = pathToFileURL(path.join(import.meta.dirname, 'cheap-test-context.ts')).href;

/** A test file that waits before it declares tests, with errors that no caller can catch. */
const file = `
  import { createServer, connect } from 'node:net';
  import { after, before, describe, test } from 'node:test';
  import { setTimeout as sleep } from 'node:timers/promises';
  const forever = () => new Promise(() => setInterval(() => {}, 1_000).unref());
  const log = [];
  await sleep(1);
  before(() => log.push('before the file'));
  after(() => console.log('after the file: ' + log.join(', ')));
  test('is part of its file', async () => {
    await sleep(1);
    after(() => log.push('after its test'));
  });
  describe('suite', () => test('is part of it', () => {}));
  test('with a test in it', (context) => context.test('is part of it', () => log.push('in it')));
  test('a timer throws', async () => { setTimeout(() => { throw new Error('here'); }, 1); await forever(); });
  test('a promise is rejected', async () => {
    void sleep(1).then(() => { throw new Error('here'); });
    await forever();
  });
  test('a connection throws', async () => {
    const server = createServer((socket) => { socket.destroy(); server.close(); throw new Error('here'); });
    server.listen(0, () => connect(server.address().port).unref());
    await forever();
  });
  test('is well', () => log.push('the last one'));
`;

const isTracking = `
  import { executionAsyncId } from 'node:async_hooks';
  import { test } from 'node:test';
  test('promises', async () => { await null; console.log('number of a promise: ' + (executionAsyncId() > 0)); });
`;

/** The output of node's own reporter for the file, without times and positions. */
async function outputOf(text: string, preparation: string): Promise<string[]> {
  const name = path.join(folder, 'file.mjs');
  const entry = path.join(folder, 'entry.mjs');
  await writeFile(name, text);
  await writeFile(
    entry,
    `${preparation}
    const { describe } = await import('node:test');
    const alive = setInterval(() => {}, 60_000);
    await describe('file', async () => { await import('./file.mjs?' + Math.random()); });
    clearInterval(alive);`,
  );
  const { NODE_TEST_CONTEXT: _ours, ...env } = process.env;
  const ran = await promisify(execFile)(process.execPath, ['--test-reporter=tap', entry], {
    env,
    timeout: 120_000,
  }).catch((error: { stdout: string }) => error);
  const lines = ran.stdout.split('\n');
  // The position of the file's own output varies, so it is moved to the start.
  return [/after the file|number of/, /^ *(not )?ok |^# (pass|fail)/].flatMap((kind) =>
    lines.filter((line) => kind.test(line)),
  );
}

const cheap = `await import('${cheapContext}');`;

test("tests, hooks and errors are attributed to the same tests and suites as with node's own context", async () => {
  const output = await outputOf(file, cheap);
  assert.deepEqual(output, await outputOf(file, ''));
  assert.deepEqual(output, [
    'after the file: before the file, after its test, in it, the last one',
    '    ok 1 - is part of its file',
    '        ok 1 - is part of it',
    '    ok 2 - suite',
    '        ok 1 - is part of it',
    '    ok 3 - with a test in it',
    '    not ok 4 - a timer throws',
    '    not ok 5 - a promise is rejected',
    '    not ok 6 - a connection throws',
    '    ok 7 - is well',
    'not ok 1 - file',
    '# pass 5',
    '# fail 3',
  ]);
});

test('promises are no longer tracked: they have no async ids in such a process', async () => {
  assert.deepEqual((await outputOf(isTracking, ''))[0], 'number of a promise: true');
  assert.deepEqual((await outputOf(isTracking, cheap))[0], 'number of a promise: false');
});
