import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import tls from 'node:tls';
import { patience } from '../../test/patience.ts';
import { createTestDatabase } from '../../test/postgres.ts';
import { freePorts, openTcpProxy, type TcpProxy } from '../../test/tcp-proxy.ts';
import { openTlsFront } from '../../test/tls-front.ts';
import { createWorkQueue } from '../work/work-queue.ts';
import {
  type Database,
  DatabaseUnavailable,
  isUnavailable,
  openDatabase,
  StandbyRefused,
} from './database.ts';
import { inspectDatabase } from './schema/inspect-database.ts';

const { target, drop } = await createTestDatabase();
after(drop);
assert.ok('socketDirectory' in target);
const { user, database: name } = target;
const place = { path: `${target.socketDirectory}/.s.PGSQL.${target.port}` };

/** A proxy of the database that acts as one of several hosts. */
async function newHost(change?: (answer: Buffer) => Buffer): Promise<TcpProxy> {
  const host = await openTcpProxy(place, change);
  after(() => host.close());
  return host;
}

const urlOf = (ports: readonly number[], more = '') =>
  `postgres://${user}:none@${ports.map((port) => `127.0.0.1:${port}`).join()}/${name}${more}`;

function open(url: string): Database {
  const database = openDatabase({ url }, { maxConnections: 6, ...patience });
  after(() => database.close());
  return database;
}

const askEach = (database: Database) =>
  Promise.all([
    database.ping(),
    database.readRows('SELECT 1::text', [], () => {}),
    database.transaction((tx) => tx`SELECT 1`),
    database.ownSession((session) => session`SELECT 1`),
  ]);

test('connections of every kind go to the serving host, and to the next one when it is gone', async () => {
  const [nobody] = await freePorts(1);
  const [first, second] = [await newHost(), await newHost()];
  const database = open(urlOf([nobody!, first.port], '?target_session_attrs=read-write'));
  await askEach(database);
  const other = open(urlOf([first.port, second.port]));
  second.cut();
  await askEach(other);
  second.mend();
  first.close();
  while (other.connections().open > 0) await new Promise(setImmediate);
  await askEach(other);
  await assert.rejects(database.ping(), DatabaseUnavailable);
});

test('a server that has gone silent altogether is given up by connections of every kind', async () => {
  const host = await newHost();
  const database = openDatabase(
    { url: urlOf([host.port]) },
    { maxConnections: 6, ...patience, maxLossMs: 0, probing: { afterMs: 100, maxMs: 10_000 } },
  );
  after(() => database.close());
  await askEach(database);
  const waiting = [
    database.sql`SELECT pg_sleep(600)`,
    database.readRows('SELECT pg_sleep(600)::text', [], () => {}),
    database.transaction((tx) => tx`SELECT pg_sleep(600)`),
    database.transaction((tx) => tx`SELECT pg_sleep(600)`, { isLong: true }),
    database.ownSession((session) => session`SELECT pg_sleep(600)`),
  ].map((one) => Promise.resolve(one).then(() => {}));
  const outcomes = Promise.allSettled(waiting);
  await sleep(1_000);
  // The server answers probes, so connections that wait are not given up.
  assert.equal(await Promise.race([outcomes, 'waiting']), 'waiting');
  host.cut();
  for (const one of await outcomes)
    assert.ok(one.status === 'rejected' && isUnavailable(one.reason), JSON.stringify(one));
  host.mend();
  await askEach(database);
});

test('all connections to a silent primary are closed as soon as another host is the primary', async () => {
  /** Changes the answer to "is it a standby", a row of one column, from "f" to "t". */
  const yes = (answer: Buffer) => {
    const row = Buffer.from('D\0\0\0\x0b\0\x01\0\0\0\x01f', 'latin1');
    const at = answer.indexOf(row);
    if (at >= 0) answer.write('t', at + row.length - 1);
    return answer;
  };
  let isStandby = true;
  const first = await newHost();
  const second = await newHost((answer) => (isStandby ? yes(answer) : answer));
  const database = openDatabase(
    { url: urlOf([first.port, second.port]) },
    { maxConnections: 6, ...patience, probing: { afterMs: 100, maxMs: 3_600_000 } },
  );
  after(() => database.close());
  await askEach(database);
  let attempts = 0;
  const waiting = Promise.allSettled([
    database.transaction((tx) => tx`SELECT pg_sleep(${attempts++ === 0 ? 600 : 0})`),
    database.ownSession((session) => session`SELECT pg_sleep(600)`),
  ]);
  await sleep(1_000);
  assert.equal(await Promise.race([waiting, 'waiting']), 'waiting', 'while it answers');
  first.cut();
  await sleep(1_500);
  assert.equal(await Promise.race([waiting, 'waiting']), 'waiting', 'while there is no other one');
  isStandby = false;
  const [transaction, session] = await waiting;
  assert.ok(session.status === 'rejected' && isUnavailable(session.reason));
  // Nothing was committed, so the transaction is retried on the other host.
  assert.deepEqual([transaction.status, attempts], ['fulfilled', 2]);
  await askEach(database);
});

test('the queue goes to the serving host, too', async () => {
  const [nobody] = await freePorts(1);
  const host = await newHost();
  const queue = createWorkQueue({
    target: { url: urlOf([nobody!, host.port]) },
    units: () => [],
    onError: (error) => assert.fail(error as Error),
  });
  const database = open(urlOf([host.port]));
  await queue.startNow(database.sql, 'nothing');
  await queue.stop();
});

test('the queue verifies the certificate of the serving host', async () => {
  const [nobody] = await freePorts(1);
  const front = await openTlsFront(target);
  after(() => front.close());
  const url = front.url('verify-full', `127.0.0.1:${nobody},localhost`);
  const usual = tls.getCACertificates('default');
  tls.setDefaultCACertificates([front.certificate]);
  const queue = createWorkQueue({
    target: { url },
    units: () => [],
    onError: (error) => assert.fail(error as Error),
  });
  try {
    await queue.startNow(open(url).sql, 'nothing');
  } finally {
    await queue.stop();
    tls.setDefaultCACertificates(usual);
  }
});

/** Keeps the length of the message: only the value "on" matters. */
const claimStandby = (answer: Buffer) => {
  const at = answer.indexOf('in_hot_standby\0off\0');
  if (at < 0) return answer;
  const length = answer.readInt32BE(at - 4);
  const changed = Buffer.from(answer);
  changed.writeInt32BE(length - 1, at - 4);
  return Buffer.concat([
    changed.subarray(0, at),
    Buffer.from('in_hot_standby\0on\0'),
    changed.subarray(at + 'in_hot_standby\0off\0'.length),
  ]);
};

test('a standby is refused by connections of every kind, unless a replica is meant', async () => {
  const host = await newHost(claimStandby);
  const database = open(urlOf([host.port]));
  const asked = await Promise.allSettled([
    database.sql`SELECT 1`,
    database.readRows('SELECT 1::text', [], () => {}),
    database.transaction((tx) => tx`SELECT 1`),
    database.ownSession((session) => session`SELECT 1`),
  ]);
  for (const one of asked) {
    assert.ok(one.status === 'rejected');
    const found = [one.reason, one.reason.cause, one.reason.cause?.cause];
    assert.ok(found.some((error) => error instanceof StandbyRefused));
  }
  const replica = openDatabase(
    { url: urlOf([host.port]) },
    { maxConnections: 6, ...patience, isReplica: true },
  );
  await askEach(replica);
  await replica.close();
});

test('through a pooler, what the greeting says does not count, and no statement is prepared or setting sent', async () => {
  const host = await newHost(claimStandby);
  const database = open(urlOf([host.port], '?pooling=transaction'));
  await askEach(database);
  const rows = await database.transaction(async (tx) => {
    await tx`SELECT ${'a parameter'}::text`;
    return await tx`SELECT name FROM pg_prepared_statements`;
  });
  assert.deepEqual([...rows], []);
  const { isBehindPooler, missingSettings } = await inspectDatabase(database.sql);
  assert.equal(isBehindPooler, false, 'in this test there is none');
  assert.ok(missingSettings.includes("ALTER ROLE CURRENT_USER SET lock_timeout = '15000'"));
  assert.ok(!missingSettings.some((statement) => statement.includes('TimeZone')));
});

test('a transaction that finds the database read-only closes its connection, so that the next one sees the change', async () => {
  const host = await newHost();
  const database = openDatabase({ url: urlOf([host.port]) }, { maxConnections: 2, ...patience });
  after(() => database.close());
  const admin = open(urlOf([host.port]));
  await admin.sql.unsafe(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
  const write = () => database.transaction((tx) => tx`CREATE TABLE written ()`);
  await assert.rejects(write(), { code: '25006' });
  await admin.sql.unsafe(`ALTER DATABASE ${name} SET default_transaction_read_only = off`);
  await write();
});
