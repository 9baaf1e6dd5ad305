import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { type DatabaseProxy, openDatabaseProxy } from '../../test/database-proxy.ts';
import { patience } from '../../test/patience.ts';
import { createTestDatabase, type TestDatabase } from '../../test/postgres.ts';
import { openTlsFront, type TlsFront } from '../../test/tls-front.ts';
import {
  type ConnectionTarget,
  type Database,
  DatabaseUnavailable,
  isUnavailable,
  openDatabase,
} from './database.ts';

const databaseThatGoesAway = (isEncrypted: boolean) => () => {
  let testDatabase: TestDatabase;
  let proxy: DatabaseProxy;
  let front: TlsFront | undefined;
  let target: ConnectionTarget;
  let database: Database;

  before(async () => {
    testDatabase = await createTestDatabase({ empty: true });
    await testDatabase.database.sql`create table notes (text text not null)`;
  });
  after(() => testDatabase.drop());

  beforeEach(async () => {
    await testDatabase.database.sql`truncate notes`;
    proxy = await openDatabaseProxy(testDatabase.target);
    if (isEncrypted) front = await openTlsFront(proxy.target);
    target = front === undefined ? proxy.target : { url: front.url('require') };
    database = openDatabase(target, { maxConnections: 4, ...patience });
  });
  afterEach(async () => {
    await database.close();
    await front?.close();
    await proxy.close();
  });

  const insert = (text: string) => database.transaction((tx) => tx`insert into notes values (${text})`);
  const texts = async () => (await testDatabase.database.sql`select text from notes`).map((row) => row.text);

  test('fails statements and transactions as unavailable, and serves them again once it is back', async () => {
    await Promise.all([database.ping(), insert('before')]);
    await proxy.goAway();
    await assert.rejects(database.ping(), DatabaseUnavailable);
    await assert.rejects(insert('meanwhile'), DatabaseUnavailable);
    const many = await Promise.allSettled(Array.from({ length: 100 }, () => database.sql`select 1`));
    assert.ok(many.every((one) => one.status === 'rejected' && isUnavailable(one.reason)));
    await proxy.comeBack();
    await Promise.all([database.ping(), insert('after')]);
    assert.deepEqual(await texts(), ['before', 'after']);
  });

  test('leaves no connection behind that counts as open', async () => {
    await Promise.all([database.ping(), insert('before')]);
    assert.ok(database.connections().open >= 2);
    await proxy.goAway();
    while (database.connections().open > 0) await new Promise(setImmediate);
  });

  test('fails the statements that were waiting for a reply', async () => {
    await database.ping();
    const waiting = assert.rejects(async () => await database.sql`select pg_sleep(60)`, isUnavailable);
    await database.sql`select 1`;
    await proxy.goAway();
    await waiting;
  });

  /** Keeps connections of each kind busy. Resolves once they are, with the outcomes of their statements. */
  async function keepBusy() {
    const statement = `select pg_sleep(60)::text as "${randomUUID()}"`;
    const slow = [
      database.sql.unsafe(statement).then(() => {}),
      database.sql.unsafe(statement).then(() => {}),
      database.readRows(statement, [], () => {}),
    ];
    const outcomes = Promise.allSettled(slow);
    const { sql } = testDatabase.database;
    let pids: number[] = [];
    while (pids.length < slow.length) {
      const rows =
        await sql`select pid from pg_stat_activity where query = ${statement} and state = 'active'`;
      pids = rows.map(({ pid }) => pid);
    }
    return { outcomes, end: () => sql`select pg_terminate_backend(pid) from unnest(${pids}::int[]) as pid` };
  }
  const isFailed = (one: PromiseSettledResult<unknown>) =>
    one.status === 'rejected' && isUnavailable(one.reason);
  const askAll = () =>
    Promise.allSettled([database.ping(), database.ping(), database.readRows('select 1', [], () => {})]);

  test('fails the statements whose connections the server ended, and none after them', async () => {
    const { outcomes, end } = await keepBusy();
    await end();
    assert.ok((await outcomes).every(isFailed));
    assert.ok((await askAll()).every(({ status }) => status === 'fulfilled'));
  });

  test('fails statements while it recovers from a crash, on the connections that were busy, too', async () => {
    const { outcomes } = await keepBusy();
    proxy.recover(true);
    assert.ok((await outcomes).every(isFailed));
    for (let round = 0; round < 3; round += 1) assert.ok((await askAll()).every(isFailed));
    proxy.recover(false);
    assert.ok((await askAll()).every(({ status }) => status === 'fulfilled'));
  });

  test('fails statements while something in between accepts connections and closes them', async () => {
    proxy.hangUp();
    await assert.rejects(database.ping(), DatabaseUnavailable);
    await assert.rejects(insert('never'), DatabaseUnavailable);
  });

  test('a connection that is open but silent is given up, and a new one serves the next statement', async () => {
    const patient = openDatabase(target, { maxConnections: 4, ...patience, maxSilenceMs: 10_000 });
    const ask = () =>
      Promise.allSettled([patient.sql`select 1`, patient.readRows('select 1', [], () => {}), patient.ping()]);
    assert.ok((await ask()).every(({ status }) => status === 'fulfilled'));
    proxy.fallSilent();
    const outcomes = await ask();
    assert.ok(outcomes.every((one) => one.status === 'rejected' && isUnavailable(one.reason)));
    assert.ok((await ask()).every(({ status }) => status === 'fulfilled'));
    await patient.close();
  });

  test('a transaction gives up a connection that is silent, but for a long one', async () => {
    const patient = openDatabase(target, {
      maxConnections: 4,
      ...patience,
      maxLossMs: 0,
      maxSilenceMs: 10_000,
    });
    const begun = Promise.withResolvers<void>();
    const long = patient.transaction(
      async (tx) => {
        await tx`select 1`;
        begun.resolve();
        await tx`select pg_sleep(60)`;
      },
      { isLong: true },
    );
    let isLongOver = false;
    const outcome = assert.rejects(long, DatabaseUnavailable).finally(() => {
      isLongOver = true;
    });
    await begun.promise;
    const short = patient.transaction(async (tx) => {
      await tx`select 1`;
      proxy.fallSilent();
      await tx`select 1`;
    });
    await assert.rejects(short, DatabaseUnavailable);
    assert.equal(isLongOver, false);
    await proxy.goAway();
    await outcome;
    await patient.close();
  });

  for (const pieces of [1, 2]) {
    test(`a new connection that is lost after ${pieces} writes fails its own statements and nothing else`, async () => {
      proxy.cutNewAfter(pieces);
      const asked = [
        database.sql`select 1`,
        database.readRows('select 1', [], () => {}),
        database.transaction((tx) => tx`select 1`),
      ];
      const outcomes = await Promise.allSettled(asked);
      assert.ok(outcomes.every((one) => one.status === 'rejected' && isUnavailable(one.reason)));
      proxy.cutNewAfter(Number.POSITIVE_INFINITY);
      await Promise.all([database.ping(), database.readRows('select 1', [], () => {}), insert('after')]);
    });
  }

  test('a transaction whose connection is lost before commit is retried and takes effect once', async () => {
    await insert('before');
    proxy.cutAt('insert into notes values', { forward: true });
    await insert('again');
    assert.deepEqual(await texts(), ['before', 'again']);
  });

  test('a connection lost between two statements leaves nothing of the first attempt behind', async () => {
    let attempts = 0;
    await database.transaction(async (tx) => {
      attempts += 1;
      await tx`insert into notes values (${`first of ${attempts}`})`;
      if (attempts === 1) {
        const [self] = await tx`select pg_backend_pid() as pid`;
        await testDatabase.database.sql`select pg_terminate_backend(${self?.pid})`;
        // Waits beyond the moment when the loss is noticed, so that postgres.js would have reconnected.
        await assert.rejects(async () => await tx`select pg_sleep(10)`, isUnavailable);
        await database.ping();
      }
      await tx`insert into notes values (${`second of ${attempts}`})`;
    });
    assert.deepEqual(await texts(), ['first of 2', 'second of 2']);
  });

  test('a connection lost during commit is reported and not retried, since the commit may have succeeded', async () => {
    // Match the whole statement, because the startup message of a new connection contains "read committed".
    proxy.cutAt('commit\0', { forward: true });
    await assert.rejects(insert('perhaps'), DatabaseUnavailable);
    proxy.cutAt('commit\0', { forward: false });
    await assert.rejects(insert('not'), DatabaseUnavailable);
    await database.ping();
    assert.deepEqual(await texts(), ['perhaps']);
  });

  test('transactions beyond the number of connections wait for their turn', async () => {
    const release = Promise.withResolvers<void>();
    const holders = [1, 2].map(() => database.transaction(async () => await release.promise));
    const waiting = insert('waited');
    release.resolve();
    await Promise.all([...holders, waiting]);
    assert.deepEqual(await texts(), ['waited']);
  });

  test('after close every call is rejected as unavailable', async () => {
    await database.close();
    await assert.rejects(database.ping(), DatabaseUnavailable);
    await assert.rejects(insert('late'), DatabaseUnavailable);
  });
};

describe('a database that goes away', databaseThatGoesAway(false));
describe('a database that goes away, reached over TLS', databaseThatGoesAway(true));

test('only errors of a database that is down count as unavailable', () => {
  const withCode = (code: string, more = {}) => Object.assign(new Error(code), { code, ...more });
  for (const code of ['57P01', '53300', '08006', 'CONNECT_TIMEOUT', 'CONNECTION_CLOSED']) {
    assert.equal(isUnavailable(withCode(code)), true, code);
  }
  assert.equal(isUnavailable(withCode('ECONNREFUSED', { query: 'select 1' })), true);
  for (const code of ['42601', '23505', '28P01', '3D000', 'ECONNREFUSED', 'ENOENT']) {
    assert.equal(isUnavailable(withCode(code)), false, code);
  }
  assert.equal(isUnavailable(undefined), false);
});
