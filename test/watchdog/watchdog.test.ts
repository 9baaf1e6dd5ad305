import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { childEnvironment } from '../child-environment.ts';
import { createTestDatabase, urlOf } from '../postgres.ts';
import { removeFolder } from '../remove-folder.ts';

const script = path.join(import.meta.dirname, 'watched-process.ts');
const main = path.join(import.meta.dirname, '../../src/main.ts');

/** Starts a process on a separate database, so that several tests can wait concurrently. */
async function launch(what: string, ...flags: string[]) {
  const { database, target } = await ownDatabase();
  const notes = () => database.sql`SELECT key, times FROM taken_work ORDER BY key`;
  return { ...start([...flags, script, urlOf(target), what]), notes };
}

async function ownDatabase() {
  const created = await createTestDatabase();
  after(created.drop);
  return created;
}

function start(given: readonly string[], settings: Record<string, string> = {}) {
  const child = spawn(process.execPath, given, { env: { ...childEnvironment, ...settings } });
  const written = { out: '', err: '' };
  child.stdout.on('data', (chunk) => {
    written.out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    written.err += chunk;
  });
  const ended = once(child, 'close');
  after(() => child.kill('SIGKILL'));
  return {
    child,
    ended,
    written,
    async ready() {
      while (!written.out.includes('ready')) await sleep(50);
    },
    line: () => JSON.parse(written.err.split('\n').find((text) => text.startsWith('{')) ?? '{}'),
  };
}

const poison = { kind: 'unit of work', name: 'review', key: 'poison' };
const bystander = { kind: 'unit of work', name: 'review', key: 'bystander' };

for (const how of ['expression', 'loop'])
  test(`a process that hangs in ${how === 'loop' ? 'a loop' : 'a regular expression'} is killed with its current work, and only that is blamed`, async () => {
    const { ended, line, notes, written } = await launch(how);
    assert.deepEqual(await ended, [1, null], written.err);
    const { level, msg, running, stack } = line();
    assert.deepEqual([level, running], [60, poison]);
    assert.match(msg, /did not come round for 4 s/);
    assert.match(stack.join('\n'), new RegExp(`at (?:Object\\.|hang\\.)?${how} .*watched-process`));
    assert.match(written.out, /cleaned up/);
    assert.deepEqual([...(await notes())], [{ key: 'poison', times: 2 }]);
  });

// These tests only wait, so they run concurrently; the others need the processor and run sequentially.
describe('a process under the watchdog', { concurrency: true }, () => {
  test('a process that hangs in native code is killed, and all of its units in progress are blamed', async () => {
    const { ended, line, notes } = await launch('native');
    assert.deepEqual(await ended, [null, 'SIGKILL']);
    const { running, inHand } = line();
    assert.deepEqual([running, inHand], [null, [bystander, poison]]);
    assert.deepEqual((await notes()).length, 2);
  });

  test('a process that was suspended as a whole continues; one that hangs afterwards is killed', async () => {
    const { child, ended, ready, written } = await launch('nothing');
    await ready();
    for (let turn = 0; turn < 2; turn += 1) {
      child.kill('SIGSTOP');
      // Longer than the time in which a running process must respond.
      await sleep(12_000);
      child.kill('SIGCONT');
      await sleep(3_000);
      assert.equal(child.exitCode, null, written.err);
    }
    child.kill('SIGUSR2');
    assert.deepEqual(await ended, [1, null]);
  });

  test('a process with a debugger attached may be paused', async () => {
    const { child, line, ready, written } = await launch('nothing', '--inspect=127.0.0.1:0');
    await ready();
    child.kill('SIGUSR2');
    await sleep(14_000);
    // Ending a process with a debugger takes longer than this test; the line that announces it would come before.
    assert.deepEqual([child.exitCode, line()], [null, {}], written.err);
  });

  test('a stop that hangs kills the process', async () => {
    const { ended, line } = await launch('stop');
    assert.deepEqual(await ended, [1, null]);
    assert.match(line().msg, /did not stop within 8 s/);
  });

  test('SIGTERM ends a server that hangs, within the time of the watchdog', async () => {
    const hook = path.join(import.meta.dirname, 'hang-on-signal.ts');
    const folder = await mkdtemp(path.join(tmpdir(), 'postil-watchdog-'));
    const { target } = await ownDatabase();
    const { child, ended, line, written } = start([`--import=${hook}`, main], {
      DATABASE_URL: urlOf(target),
      POSTIL_DATA_DIR: folder,
      POSTIL_PORT: '0',
      POSTIL_LOG_LEVEL: 'silent',
    });
    after(() => removeFolder(folder));
    while (!written.out.includes('ready at')) await sleep(50);
    child.kill('SIGUSR2');
    await sleep(1_000);
    child.kill('SIGTERM');
    // It exits by itself, or is killed if even that takes too long.
    assert.notDeepEqual(await ended, [0, null], written.err);
    assert.match(line().msg, /did not come round for 15 s/);
    assert.match(line().stack.join('\n'), /hang-on-signal/);
  });
});
