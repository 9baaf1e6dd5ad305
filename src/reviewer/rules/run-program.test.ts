import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { runProgram } from './run-program.ts';

const how = { folder: tmpdir(), searchPath: process.env.PATH, signal: new AbortController().signal };
const shell = (script: string, more = {}) => runProgram('sh', ['-c', script], { ...how, ...more });

/** Checks that must hold whether the launcher or this process itself starts the programs. */
async function checkAll(): Promise<void> {
  assert.deepEqual(await shell('echo out; echo wrong >&2; exit 3'), { output: 'out\n', errors: 'wrong\n' });
  assert.equal(
    (await shell('env | grep -v ^PWD= | grep -v ^_= | grep -v ^PATH=; cat')).output,
    'LC_ALL=C.UTF-8\n',
  );
  const lines: string[] = [];
  const { output } = await shell("printf 'one\\ntwo\\342\\200\\250 and\\nthree'", {
    onLine: (line: string) => void lines.push(line),
  });
  assert.deepEqual([output, lines], ['', ['one', 'two\u2028 and', 'three']]);
  const signal = AbortSignal.timeout(100);
  await assert.rejects(shell('exec sleep 1000', { signal }));
  await assert.rejects(shell('exec yes'), /sh wrote more than can be read/);
  await assert.rejects(runProgram('no-such-linter', [], how), { code: 'ENOENT' });
}

test('a program gets nothing of our environment, its output is read as it is written, and limits of time and output end it', async () => {
  await checkAll();
  // By now, the launcher is running, and starts the following programs.
  await sleep(1_000);
  await checkAll();
});
