import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { patience } from '../../test/patience.ts';
import { createTestDatabase, type TestDatabase } from '../../test/postgres.ts';
import { type Database, openDatabase, type Tx } from './database.ts';
import { readBeside } from './same-moment.ts';

describe('reading beside a transaction', () => {
  let testDatabase: TestDatabase;
  before(async () => {
    testDatabase = await createTestDatabase({ empty: true });
    await testDatabase.database.sql`create table notes (text text not null)`;
  });
  after(() => testDatabase.drop());

  const sessionOf = async (tx: Tx) => (await tx`select pg_backend_pid() as pid`)[0]!.pid as number;
  const countOf = async (tx: Tx) => (await tx`select 1 from notes`).length;
  const snapshot = { isolation: 'repeatable read', readOnly: true } as const;

  test('it sees what the transaction sees, on another connection, whatever is committed meanwhile', async () => {
    const { database } = testDatabase;
    const seen = await database.transaction(async (tx) => {
      const own = { session: await sessionOf(tx), count: await countOf(tx) };
      await database.sql`insert into notes values ('later')`;
      const beside = await readBeside(database, tx, async (other) => ({
        session: await sessionOf(other),
        count: await countOf(other),
      }));
      return { own, beside };
    }, snapshot);
    assert.notEqual(seen.beside.session, seen.own.session);
    assert.equal(seen.beside.count, seen.own.count);
    assert.equal(await database.transaction(countOf), seen.own.count + 1);
  });

  /** Whether the last of several concurrent transactions reads on another connection. */
  async function readsApart(database: Database, transactionsAtOnce: number): Promise<boolean> {
    if (transactionsAtOnce > 1)
      return database.transaction(() => readsApart(database, transactionsAtOnce - 1));
    return database.transaction(
      async (tx) => (await readBeside(database, tx, sessionOf)) !== (await sessionOf(tx)),
      snapshot,
    );
  }

  test('it takes no connection while fewer than half of them are free, so that nothing holds one while it waits for another', async () => {
    const database = openDatabase(testDatabase.target, { maxConnections: 8, ...patience });
    after(() => database.close());
    assert.equal(database.connections().transactions.size, 4);
    assert.equal(await readsApart(database, 2), true);
    assert.equal(await readsApart(database, 3), false);
    assert.equal(await readsApart(database, 4), false);
  });
});
