import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { removeFolder } from '../remove-folder.ts';

const folder = await mkdtemp(path.join(tmpdir(), 'postil-release-'));
after(() => removeFolder(folder));
const release = pathToFileURL(path.join(import.meta.dirname, 'release-process.ts')).href;

/** The end of a test process whose only test runs this and passes, and which is released after this time. */
async function endOf(
  body: string,
  afterMs: number,
): Promise<{ stdout: string; stderr: string; code?: number }> {
  const file = path.join(folder, `${crypto.randomUUID()}.mjs`);
  const program = `
    import { spawn } from 'node:child_process';
    import net from 'node:net';
    import { after, describe, test } from 'node:test';
    import { releaseProcess } from '${release}';
    await describe('file', () => { test('is well', () => { ${body} }); });
    releaseProcess(${afterMs});`;
  await writeFile(file, program);
  const { NODE_TEST_CONTEXT: _ours, ...env } = process.env;
  const options = { env, timeout: 300_000 };
  return promisify(execFile)(process.execPath, ['--test-reporter=tap', file], options).catch(
    (error) => error,
  );
}

test('a process whose tests left something open ends, names it and fails', async () => {
  const left = `
    net.createServer().listen(0);
    spawn(process.execPath, ['-e', 'setInterval(() => {}, 1_000)'], { stdio: 'pipe' });
    setInterval(() => {}, 1_000);
  `;
  const end = await endOf(left, 100);
  assert.match(end.stderr, /^Test files left open: .*Server; .*process \d+ \(.*setInterval/);
  assert.match(end.stdout, /^# pass 1$/m);
  assert.equal(end.code, 1);
});

test('a process whose tests left nothing open is not disturbed', async () => {
  // Longer than a busy machine needs to end the process, which does not wait for it.
  const end = await endOf('setTimeout(() => {}, 10)', 120_000);
  assert.equal(end.stderr, '');
  assert.match(end.stdout, /^# pass 1$/m);
  assert.equal(end.code, undefined);
});
