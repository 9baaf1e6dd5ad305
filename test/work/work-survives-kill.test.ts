import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type RunningSchedules, runSchedules } from '../../src/lib/schedule.ts';
import { createWorkQueue } from '../../src/work/work-queue.ts';
import { childEnvironment } from '../child-environment.ts';
import { createTestDatabase, urlOf } from '../postgres.ts';
import { doneUnit, dueSchedule, pointsOfUnits } from './killed-work.ts';

const { database, target, drop } = await createTestDatabase();
after(drop);
const { sql } = database;
await sql`CREATE TABLE due (what text PRIMARY KEY)`;
await sql`CREATE TABLE done (what text PRIMARY KEY, lease uuid)`;

async function readDone(): Promise<Map<string, string>> {
  const rows = await sql<
    { what: string; lease: string }[]
  >`SELECT what, lease FROM done ORDER BY what COLLATE "C"`;
  return new Map(rows.map(({ what, lease }) => [what, lease]));
}

async function nodeKilled(point: string): Promise<void> {
  const program = fileURLToPath(new URL('killed-node.ts', import.meta.url));
  const child = spawn(process.execPath, [program, urlOf(target), point], {
    env: childEnvironment,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code, signal] = await once(child, 'exit');
  assert.equal(signal, 'SIGKILL', `${point}: ended with ${code}`);
}

test('kill -9 at any point of any work: the remaining node does it, and it is stored once', async () => {
  const units = pointsOfUnits.map((point) => doneUnit(database, point, () => {}));
  const errors: unknown[] = [];
  const queue = createWorkQueue({ target, units: () => units, onError: (error) => void errors.push(error) });
  const schedules: RunningSchedules[] = [];
  try {
    for (const unit of units) await queue.enqueue(sql, unit, {}, { key: 'the only one' });
    await sql`INSERT INTO due VALUES ('by a schedule')`;
    const points = [...pointsOfUnits, 'before the commit', 'in a transaction of a schedule'];
    await Promise.all(points.map(nodeKilled));
    const before = await readDone();
    assert.deepEqual([...before.keys()], ['after it has stored', 'at its end']);

    await queue.startWorkers();
    schedules.push(runSchedules([dueSchedule(database, () => {})], (_, error) => void errors.push(error)));
    const isIdle = async () =>
      (await queue.state(sql)).every(({ waiting, running }) => waiting + running === 0);
    while ((await readDone()).size < pointsOfUnits.length + 1 || !(await isIdle())) await sleep(100);

    const done = await readDone();
    assert.deepEqual([...done.keys()], [...pointsOfUnits, 'by a schedule'].sort());
    for (const [what, lease] of before) assert.equal(done.get(what), lease, `${what}: stored again`);
    assert.deepEqual([...(await sql`SELECT key FROM taken_work`)], [], 'no lease is left behind');
    assert.deepEqual(errors, []);
  } finally {
    for (const running of schedules) await running.stop();
    await queue.stop();
  }
});
