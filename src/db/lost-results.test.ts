import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, afterEach, beforeEach, describe, test } from 'node:test';
import { type DatabaseProxy, openDatabaseProxy } from '../../test/database-proxy.ts';
import { patience } from '../../test/patience.ts';
import { createTestDatabase } from '../../test/postgres.ts';
import { openTlsFront, type TlsFront } from '../../test/tls-front.ts';
import { backup } from './backup/write-backup.ts';
import { type Database, isUnavailable, openDatabase, type RowSource, rowsFrom } from './database.ts';
import { migrate } from './schema/migrate.ts';

/** More rows than all buffers hold, so that many are still to be sent when the first one arrives. */
const rowCount = 100_000;
const statement = `select n::text || repeat('x', 300) as text from generate_series(1, ${rowCount}) as n`;

/** All ways to receive rows one by one; add new ones here. */
const ways: Record<string, (database: Database, onRow: () => void) => Promise<unknown>> = {
  'on a connection for rows': (database, onRow) => database.readRows(statement, [], onRow),
  'in a transaction': (database, onRow) =>
    database.transaction((tx) => (rowsFrom(tx) as RowSource)(statement, [], onRow)),
  'on a connection of its own': (database, onRow) =>
    database.ownSession((session) => (rowsFrom(session) as RowSource)(statement, [], onRow)),
};

const lostResults = (isEncrypted: boolean) => async () => {
  const { database: direct, target, drop } = await createTestDatabase({ empty: true });
  after(drop);
  let proxy: DatabaseProxy;
  let front: TlsFront | undefined;
  let database: Database;
  beforeEach(async () => {
    proxy = await openDatabaseProxy(target);
    if (isEncrypted) front = await openTlsFront(proxy.target);
    database = openDatabase(front === undefined ? proxy.target : { url: front.url('require') }, patience);
  });
  afterEach(async () => {
    await database.close();
    await front?.close();
    await proxy.close();
  });

  for (const [way, read] of Object.entries(ways)) {
    test(`fail ${way}, after however many rows, when the connection is cut`, async () => {
      let rows = 0;
      const reading = read(database, () => {
        rows += 1;
        if (rows === 1) void proxy.goAway();
      });
      await assert.rejects(reading, isUnavailable);
      assert.ok(rows > 0 && rows < rowCount, `${rows} rows`);
    });

    test(`fail ${way} when the server ends the session`, async () => {
      let rows = 0;
      let ended: Promise<unknown> | undefined;
      const end = () => direct.sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and query = ${statement}`;
      // A transaction that is lost runs again, and must not succeed then either.
      const reading = read(database, () => {
        rows += 1;
        if (rows % rowCount === 1) ended = Promise.all([ended, end()]);
      });
      const outcome = await reading.then(
        () => undefined,
        (error: unknown) => error,
      );
      await ended;
      // The server may have sent the last row before its session was ended: then all rows have arrived.
      if (outcome === undefined) assert.ok(rows >= rowCount, `${rows} rows`);
      else assert.ok(isUnavailable(outcome), String(outcome));
    });
  }

  test('are no backup: it fails, and leaves no file that could be taken for one', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'postil-lost-'));
    after(() => rm(folder, { recursive: true }));
    await migrate(direct, [{ version: 1, name: 'notes', sql: 'create table notes (text text)' }]);
    await direct.sql.unsafe(`insert into notes ${statement}`);
    const writing = backup(database, path.join(folder, 'whole.backup'), (table, done) => {
      if (table === 'notes' && done > 0 && done < rowCount) void proxy.goAway();
    });
    await assert.rejects(writing);
    assert.deepEqual(await readdir(folder), []);
  });
};

describe('results that are lost on the way', lostResults(false));
describe('results that are lost on the way, over TLS', lostResults(true));
