import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTestDatabase, type TestDatabase } from '../../../test/postgres.ts';
import { AppError } from '../../lib/app-error.ts';
import { createLog } from '../../lib/log.ts';
import { DatabaseUnavailable } from '../database.ts';
import { createLaggingReads, type ServedBy } from './lagging-reads.ts';
import { type ReplicaServer, readIdentity, readPrimaryPosition, replicaServer } from './replica-server.ts';

// The choice between replicas, with a test double of a replica; test/replica checks the same with real replication.
let own: TestDatabase;
let identity: string;
before(async () => {
  own = await createTestDatabase({ empty: true });
  identity = await readIdentity(own.database.sql);
});
after(() => own.drop());

const far = 2n ** 62n;
const { signal } = new AbortController();

/** A replica that reports the state that a test sets, and a reader that knows where it read. */
async function newReads(options: { maxLagMs?: number } = {}) {
  const state = {
    isStandby: true,
    identity,
    replayed: far,
    isDown: false,
    position: 1n as bigint | undefined,
  };
  const copy = { ...own.database };
  const server: ReplicaServer = {
    database: copy,
    async inspect() {
      if (state.isDown) throw new DatabaseUnavailable('down');
      return state;
    },
    positionAfterRead: async () => state.position,
  };
  const lines: string[] = [];
  const served: ServedBy[] = [];
  const reads = createLaggingReads({
    primary: own.database,
    replicas: [server],
    maxLagMs: options.maxLagMs ?? 60_000,
    log: createLog('info', { write: (line) => lines.push(line) }),
    onServed: (by) => served.push(by),
  });
  const where = async (database: unknown) => (database === copy ? 'replica' : 'primary');
  return {
    state,
    reads,
    copy,
    served,
    lines,
    where,
    watch: () => reads.schedules[0]!.run(signal),
    readAt: async (freshness: Parameters<typeof reads.read>[0]) =>
      (await reads.read(freshness, where)).result,
  };
}

test('a replica is read from once a check has found it usable, and never for the newest data', async () => {
  const { watch, readAt } = await newReads();
  assert.equal(await readAt('may_lag'), 'primary');
  await watch();
  assert.equal(await readAt('may_lag'), 'replica');
  assert.equal(await readAt('newest'), 'primary');
});

test('a replica that lags too far, is down, was promoted or copies another database is not read from until it is usable again', async () => {
  const { state, watch, readAt, lines } = await newReads();
  const good = { ...state };
  for (const [change, reason] of [
    [{ replayed: 0n }, 'behind'],
    [{ isDown: true }, 'unreachable'],
    [{ isStandby: false }, 'promoted'],
    [{ identity: 'another' }, 'other_database'],
  ] as const) {
    Object.assign(state, change);
    await watch();
    assert.equal(await readAt('may_lag'), 'primary', reason);
    assert.match(lines.at(-1)!, new RegExp(`"reason":"${reason}"`));
    Object.assign(state, good);
    await watch();
    assert.equal(await readAt('may_lag'), 'replica');
    assert.match(lines.at(-1)!, /a replica is used/);
  }
});

test('a usable replica is not read from once the limit has passed without a check', async () => {
  const { watch, readAt, reads } = await newReads({ maxLagMs: 200 });
  await watch();
  while (reads.replicas[0]!.lagMs() <= 200) await sleep(20);
  assert.equal(await readAt('may_lag'), 'primary');
});

test('a reader that has seen a position is only sent to a server that includes it', async () => {
  const { state, watch, readAt, served } = await newReads();
  await watch();
  assert.equal(await readAt({ atLeast: String(far + 5n) }), 'primary');
  assert.equal(served.at(-1), 'primary_replica_behind');
  assert.equal(await readAt({ atLeast: String(far) }), 'replica');
  state.replayed = far + 5n;
  assert.equal(await readAt({ atLeast: String(far + 5n) }), 'replica', 'it is asked again');
});

test('a read on the primary returns a position of the primary, and none before replicas are watched', async () => {
  const { watch, reads, where } = await newReads();
  assert.equal(await (await reads.read('newest', where)).position(), undefined);
  await watch();
  const before = await readPrimaryPosition(own.database.sql);
  const position = await (await reads.read('newest', where)).position();
  assert.ok(BigInt(position!) >= before);
});

test('a read that fails on a replica is served by the primary', async () => {
  const { state, reads, watch, copy, served, readAt } = await newReads();
  await watch();
  const failing = (error: Error) => async (database: unknown) => {
    if (database === copy) throw error;
    return 'primary';
  };
  const conflict = Object.assign(new Error('conflict with recovery'), { code: '40001' });
  for (const error of [conflict, new AppError('METRICS_PREPARING', 'not there yet'), new Error('no table')]) {
    assert.equal((await reads.read('may_lag', failing(error))).result, 'primary');
    assert.equal(served.at(-1), 'primary_replica_failed');
    assert.equal(await readAt('may_lag'), 'replica', 'it stays in use');
  }
  assert.equal((await reads.read('may_lag', failing(new DatabaseUnavailable('lost')))).result, 'primary');
  assert.equal(await readAt('may_lag'), 'primary', 'until the next check');
  await watch();
  const late = Object.assign(new Error('statement timeout'), { code: '57014' });
  await assert.rejects(reads.read('may_lag', failing(late)), /statement timeout/);
  state.position = undefined;
  assert.equal(await readAt('may_lag'), 'primary', 'it was promoted while it was read');
});

test('a server that is no replica is recognized as such', async () => {
  const server = replicaServer(own.database);
  const { isStandby, identity: found } = await server.inspect();
  assert.deepEqual([isStandby, found], [false, identity]);
  assert.equal(await server.positionAfterRead(), undefined);
});
