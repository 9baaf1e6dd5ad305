import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTestDatabase } from '../../test/postgres.ts';
import { NonRetryable, RetryLater, type UnitOfWork } from './unit-of-work.ts';
import { createWorkQueue, type WorkQueue } from './work-queue.ts';

type Data = { readonly n: number };

const { database, target, drop } = await createTestDatabase();
after(drop);

const retries = { count: 2, firstPauseSeconds: 1, maxPauseSeconds: 1 };
const defaults = { atOnce: 2, maxSeconds: 60, retries };

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(50);
}

/** Waits until nothing is waiting or running. */
const settled = (queue: WorkQueue) =>
  until(async () =>
    (await queue.state(database.sql)).every(({ waiting, running }) => waiting + running === 0),
  );

function unitOf(
  name: string,
  run: UnitOfWork<Data>['run'],
  more: Partial<UnitOfWork<Data>> = {},
): UnitOfWork<Data> {
  return { name, ...defaults, run, ...more };
}

async function withQueue(
  unit: UnitOfWork<Data>,
  work: (queue: WorkQueue, errors: unknown[]) => Promise<void>,
): Promise<void> {
  const errors: unknown[] = [];
  const queue = createWorkQueue({ target, units: () => [unit], onError: (error) => void errors.push(error) });
  await queue.startWorkers();
  await work(queue, errors).finally(() => queue.stop());
}

test('a unit runs exactly if the transaction that enqueued it is committed', async () => {
  const ran: number[] = [];
  const unit = unitOf('committed', async ({ n }) => void ran.push(n));
  await withQueue(unit, async (queue) => {
    await assert.rejects(
      database.transaction(async (tx) => {
        await queue.enqueue(tx, unit, { n: 1 }, { key: 'a' });
        throw new Error('undone');
      }),
      /undone/,
    );
    await database.transaction((tx) => queue.enqueue(tx, unit, { n: 2 }, { key: 'b' }));
    queue.wake(unit.name);
    await until(() => ran.length > 0);
    assert.deepEqual(ran, [2]);
  });
});

test('at most one unit per key waits and one runs, and one that is enqueued while it runs makes it run once more', async () => {
  let running = 0;
  let runs = 0;
  const { promise: mayEnd, resolve: letItEnd } = Promise.withResolvers<void>();
  const unit = unitOf('keyed', async () => {
    running += 1;
    assert.equal(running, 1);
    runs += 1;
    await mayEnd;
    running -= 1;
  });
  await withQueue(unit, async (queue) => {
    for (let n = 0; n < 5; n += 1) await queue.enqueue(database.sql, unit, { n }, { key: 'same' });
    queue.wake(unit.name);
    await until(() => runs === 1);
    for (let n = 0; n < 5; n += 1) await queue.enqueue(database.sql, unit, { n }, { key: 'same' });
    letItEnd();
    await settled(queue);
    assert.equal(runs, 2);
  });
});

test('a failing unit is retried, then given up and reported', async () => {
  const attempts: boolean[] = [];
  let givenUp = 0;
  const unit = unitOf(
    'failing',
    async (_data, { isLast }) => {
      attempts.push(isLast);
      throw new Error('the host is away');
    },
    {
      onGivenUp: async () => {
        givenUp += 1;
      },
    },
  );
  await withQueue(unit, async (queue, errors) => {
    await queue.enqueue(database.sql, unit, { n: 1 }, { key: 'a' });
    await until(() => givenUp === 1);
    assert.deepEqual(attempts, [false, false, true]);
    assert.equal(errors.length, 3);
    await until(async () => (await queue.state(database.sql))[0]!.failed === 1);
  });
});

test('a non-retryable unit is given up immediately, and a delayed retry waits', async () => {
  const ran: number[] = [];
  let givenUp = 0;
  const unit = unitOf(
    'special',
    async ({ n }) => {
      ran.push(n);
      if (n === 1) throw new NonRetryable('gone');
      if (ran.filter((one) => one === 2).length < 3) throw new RetryLater('limited', 1);
    },
    {
      onGivenUp: async () => {
        givenUp += 1;
      },
    },
  );
  await withQueue(unit, async (queue, errors) => {
    await queue.enqueue(database.sql, unit, { n: 1 }, { key: 'a' });
    await queue.enqueue(database.sql, unit, { n: 2 }, { key: 'b' });
    await until(() => ran.length === 4);
    await settled(queue);
    assert.deepEqual(ran.toSorted(), [1, 2, 2, 2]);
    assert.deepEqual([givenUp, errors.length], [1, 1]);
  });
});

test('a slow group leaves room for the others', async () => {
  const { promise: mayEnd, resolve: letItEnd } = Promise.withResolvers<void>();
  let slow = 0;
  let quick = 0;
  const unit = unitOf(
    'grouped',
    async ({ n }) => {
      if (n > 0) {
        quick += 1;
        return;
      }
      slow += 1;
      await mayEnd;
    },
    { atOnce: 3, atOncePerGroup: 1 },
  );
  await withQueue(unit, async (queue) => {
    await queue.enqueue(database.sql, unit, { n: 0 }, { key: 'a', group: 'slow' });
    // Workers that poll at the same instant do not see what the others are about to take.
    await until(() => slow === 1);
    for (const key of ['b', 'c', 'd'])
      await queue.enqueue(database.sql, unit, { n: 0 }, { key, group: 'slow' });
    await queue.enqueue(database.sql, unit, { n: 1 }, { key: 'e', group: 'quick' });
    queue.wake(unit.name);
    await until(() => quick === 1);
    assert.equal(slow, 1);
    letItEnd();
  });
});

test('a unit that was stopped halfway is run again by the next node', async () => {
  let runs = 0;
  const hanging = unitOf('handed-over', async (_data, { signal }) => {
    runs += 1;
    await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  });
  const queue = createWorkQueue({ target, units: () => [hanging], onError: () => {} });
  await queue.startWorkers();
  await queue.enqueue(database.sql, hanging, { n: 1 }, { key: 'a' });
  await until(() => runs === 1);
  await queue.stop();
  const finishing = unitOf('handed-over', async () => {
    runs += 1;
  });
  await withQueue(finishing, () => until(() => runs === 2));
});

test('a queue is updated when its unit was changed, and left alone otherwise', async () => {
  const read = async () => {
    const [row] = await database.sql<{ retry_limit: number; updated_on: Date }[]>`
      SELECT retry_limit, updated_on FROM work.queue WHERE name = 'changing'`;
    return row!;
  };
  const openWith = (count: number) =>
    withQueue(
      unitOf('changing', async () => {}, { retries: { ...retries, count } }),
      async () => {},
    );
  await openWith(2);
  const first = await read();
  await openWith(2);
  assert.deepEqual(await read(), first);
  await openWith(5);
  assert.equal((await read()).retry_limit, 5);
});

async function transactions(): Promise<number> {
  const [row] = await database.sql<[{ count: number }]>`
    SELECT xact_commit::int AS count FROM pg_stat_database WHERE datname = current_database()`;
  return row.count;
}

test('idle workers cause hardly any transactions, however many there are', async () => {
  const unit = unitOf('idle', async () => {}, { atOnce: 30 });
  await withQueue(unit, async () => {
    // PostgreSQL may count a connection's transactions only ten seconds after it became idle, so earlier ones may be included.
    const perSecond: number[] = [];
    while (perSecond.length < 8 && (perSecond.at(-1) ?? Number.POSITIVE_INFINITY) >= 10) {
      const [before, begin] = [await transactions(), performance.now()];
      await sleep(5_000);
      perSecond.push(((await transactions()) - before) / ((performance.now() - begin) / 1000));
    }
    assert.ok(perSecond.at(-1)! < 10, `transactions a second, every five: ${perSecond.join(', ')}`);
  });
});

test('one poll starts as many units as may run at once', async () => {
  let ran = 0;
  const together = Promise.withResolvers<void>();
  const unit = unitOf(
    'many',
    async () => {
      ran += 1;
      if (ran === 30) together.resolve();
      await together.promise;
    },
    { atOnce: 30 },
  );
  await withQueue(unit, async (queue) => {
    for (let n = 1; n <= 40; n += 1) await queue.enqueue(database.sql, unit, { n }, { key: String(n) });
    queue.wake(unit.name);
    await until(() => ran === 40);
  });
});

test('a unit causes no more transactions if there are many workers', async () => {
  let ran = 0;
  const unit = unitOf(
    'single',
    async () => {
      ran += 1;
    },
    { atOnce: 50 },
  );
  const before = await transactions();
  await withQueue(unit, async (queue) => {
    for (let n = 1; n <= 50; n += 1) {
      await queue.enqueue(database.sql, unit, { n }, { key: String(n) });
      queue.wake(unit.name);
      await until(() => ran === n);
    }
  });
  // The transactions of the queue's connections are counted when these have ended.
  const perUnit = ((await transactions()) - before) / 50;
  assert.ok(perUnit < 50, `${perUnit} transactions for each unit`);
});

/** Stops pg-boss's own update of the running keys, which it would do every 15 seconds. */
async function withoutMonitor(unit: UnitOfWork<Data>): Promise<void> {
  await withQueue(unit, async () => {});
  await database.sql`UPDATE work.queue SET monitor_claim_on = now() + interval '1 day' WHERE name = ${unit.name}`;
}

test('a unit starts soon after the last one with its key has ended, also if that took long', async () => {
  const ran: number[] = [];
  const unit = unitOf('again', async ({ n }) => void ran.push(n));
  await withoutMonitor(unit);
  // pg-boss records this for units that run while it checks.
  await database.sql`UPDATE work.queue SET singletons_active = ${['a']} WHERE name = 'again'`;
  await withQueue(unit, async (queue) => {
    await queue.enqueue(database.sql, unit, { n: 1 }, { key: 'a' });
    const deadline = Date.now() + 50_000;
    await until(() => ran.length === 1 || Date.now() > deadline);
    assert.deepEqual(ran, [1]);
  });
});

test('a unit that waits for the end of another one with its key does not hold up units with other keys', async () => {
  const ran: number[] = [];
  const release = Promise.withResolvers<void>();
  const unit = unitOf('beside', async ({ n }) => {
    ran.push(n);
    if (n === 1) await release.promise;
  });
  await withoutMonitor(unit);
  await withQueue(unit, async (queue) => {
    const enqueue = (n: number, key: string) => queue.enqueue(database.sql, unit, { n }, { key });
    await enqueue(1, 'a');
    await until(() => ran.length === 1);
    await enqueue(2, 'a');
    await enqueue(3, 'b');
    const deadline = Date.now() + 50_000;
    await until(() => ran.length === 2 || Date.now() > deadline);
    assert.deepEqual(ran, [1, 3]);
    release.resolve();
    await until(() => ran.length === 3);
    assert.deepEqual(ran, [1, 3, 2]);
  });
});

const takenWork = () => database.sql`SELECT kind, key, times FROM taken_work ORDER BY kind, key`;

test('a unit on which three nodes died is given up without being run, for a while', async () => {
  const ran: number[] = [];
  const givenUp: string[] = [];
  const unit = unitOf('cut-off', async ({ n }) => void ran.push(n), {
    onGivenUp: async ({ n }, error) => void givenUp.push(`${n} ${(error as Error).message}`),
  });
  // The state that dead nodes leave behind.
  await database.sql`
    INSERT INTO taken_work (kind, key, node, times, taken_at) VALUES
      ('cut-off', 'twice', gen_random_uuid(), 2, now() - interval '1 minute'), ('cut-off', 'thrice', gen_random_uuid(), 3, now() - interval '1 minute'),
      ('cut-off', 'long ago', gen_random_uuid(), 3, now() - interval '7 hours')`;
  await withQueue(unit, async (queue) => {
    for (const [n, key] of ['twice', 'thrice', 'long ago'].entries())
      await queue.enqueue(database.sql, unit, { n }, { key });
    queue.wake(unit.name);
    await settled(queue);
  });
  assert.deepEqual(ran.toSorted(), [0, 2]);
  assert.deepEqual(givenUp, [
    '1 given up: the server ended again and again while it worked on this; its log says why',
  ]);
  assert.deepEqual([...(await takenWork())], [{ kind: 'cut-off', key: 'thrice', times: 3 }]);
  await database.sql`DELETE FROM taken_work`;
});

test('a node stores what it works on, and deletes that whatever the outcome', async () => {
  const noted: unknown[] = [];
  const unit = unitOf('noted', async ({ n }, { number }) => {
    noted.push(...(await takenWork()).filter(({ key }) => key === String(n)));
    if (n === 1 && number === 1) throw new Error('an attempt that fails');
    if (n === 3) throw new NonRetryable('in vain');
  });
  await withQueue(unit, async (queue) => {
    for (const n of [0, 1, 3]) await queue.enqueue(database.sql, unit, { n }, { key: String(n) });
    queue.wake(unit.name);
    await settled(queue);
  });
  assert.deepEqual(
    noted.map((note) => (note as { key: string; times: number }).times),
    noted.map(() => 1),
  );
  assert.equal(noted.length, 4);
  assert.deepEqual([...(await takenWork())], []);
});
