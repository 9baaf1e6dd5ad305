import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { after, test } from 'node:test';
import { openDatabase } from '../../src/db/database.ts';
import { patience } from '../patience.ts';
import { removeFolder } from '../remove-folder.ts';
import { openRunFolder } from './run-folder.ts';
import { hasRoom } from './run-place.ts';

const parent = await mkdtemp(path.join(tmpdir(), 'postil-runs-'));
after(() => removeFolder(parent));

/** Starts a test run with a PostgreSQL and a running test. */
async function startRun() {
  const program = path.join(import.meta.dirname, 'unattended-run.ts');
  const run = spawn(process.execPath, [program, parent], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(run, 'exit');
  let isOver = false;
  const over = once(run, 'close').then(() => {
    isOver = true;
  });
  const [line] = await once(createInterface({ input: run.stdout }), 'line');
  const { folder, target } = JSON.parse(line);
  return {
    folder: folder as string,
    async hasPostgres(): Promise<boolean> {
      const { sql, close } = openDatabase(target, { maxConnections: 1, ...patience });
      return await sql`SELECT 1`
        .then(
          () => true,
          () => false,
        )
        .finally(close);
    },
    hasTest: () => !isOver,
    /** Resolves when none of its processes holds the output pipe any more. */
    over,
    async kill() {
      run.kill('SIGKILL');
      await ended;
    },
  };
}

test('a run cleans up after one that was killed, and leaves running ones alone', async () => {
  const [killed, alive] = await Promise.all([startRun(), startRun()]);
  await killed.kill();
  assert.ok(killed.hasTest() && (await killed.hasPostgres()), 'they outlive the run');

  const next = await openRunFolder(parent);
  assert.ok(!existsSync(killed.folder));
  await killed.over;
  assert.ok(!(await killed.hasPostgres()));
  assert.ok(existsSync(alive.folder) && alive.hasTest() && (await alive.hasPostgres()));

  await alive.kill();
  await (await openRunFolder(parent)).remove();
  await alive.over;
  await next.remove();
  assert.deepEqual(await readdir(parent), []);
});

test('files of a run are kept in memory only if there is plenty of it', async () => {
  assert.equal(await hasRoom('/dev/shm', Number.MAX_SAFE_INTEGER / 4), false);
  assert.equal(await hasRoom('/proc', 0), false, 'that is no place for files');
  assert.equal(await hasRoom(path.join(parent, 'missing'), 0), false);
});
