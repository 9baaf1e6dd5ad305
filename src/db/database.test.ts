import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openDatabaseProxy } from '../../test/database-proxy.ts';
import { patience } from '../../test/patience.ts';
import { createTestDatabase, type TestDatabase } from '../../test/postgres.ts';
import { type Database, openDatabase } from './database.ts';

describe('database', () => {
  let testDatabase: TestDatabase;
  let database: Database;

  before(async () => {
    testDatabase = await createTestDatabase({ empty: true });
    database = testDatabase.database;
    await database.sql`create table notes (id int primary key, text text not null)`;
  });
  after(() => testDatabase.drop());

  const texts = async () => (await database.sql`select text from notes order by id`).map((row) => row.text);

  test('int8 is returned as a number, and one that a number cannot represent exactly is an error', async () => {
    const [row] = await database.sql`select 9007199254740991::int8 as large, array[1, 2]::int8[] as list`;
    assert.deepEqual({ ...row }, { large: 9007199254740991, list: [1, 2] });
    await assert.rejects(async () => await database.sql`select 9007199254740992::int8`, /too large/);
    assert.equal((await database.sql`select 1 as one`)[0]?.one, 1);
  });

  test('arrays of every type in use survive a round trip', async () => {
    const at = new Date('2026-01-31T23:59:59.999Z');
    const id = '0199d1c6-0000-7000-8000-000000000001';
    const texts = ['plain', '', 'with "quotes", {braces} and \\', 'NULL', null];
    const [row] = await database.sql`
      select ${texts}::text[] as texts, ${[id]}::uuid[] as ids, ${[1, -2]}::int[] as ints, ${[]}::text[] as none,
        ${[9007199254740991]}::int8[] as longs, ${[0.5]}::float8[] as floats, array[true, false] as booleans,
        array[${at}::timestamptz] as times, null::text[] as absent`;
    assert.deepEqual(
      { ...row },
      {
        texts,
        ids: [id],
        ints: [1, -2],
        none: [],
        longs: [9007199254740991],
        floats: [0.5],
        booleans: [true, false],
        times: [at],
        absent: null,
      },
    );
  });

  test('timestamps are returned as Date, calendar dates as text', async () => {
    const at = new Date('2026-01-31T23:59:59.999Z');
    const [row] = await database.sql`select ${at}::timestamptz as at, ${'2026-02-28'}::date as day`;
    assert.deepEqual({ ...row }, { at, day: '2026-02-28' });
  });

  test('rows that are read one by one have all their bytes, even large ones and on several connections at once', async () => {
    const read = async (size: number, fill: string) => {
      const rows: string[] = [];
      const statement =
        'SELECT n::bigint, CASE WHEN n % 2 = 0 THEN repeat($2::text, $1::int) END FROM generate_series(1, 40) AS n';
      await database.readRows(statement, [size, fill], (row) => {
        const text = row.text(1);
        const copied = Buffer.alloc(Math.max(0, row.size(1)));
        if (text !== null) row.copy(1, copied, 0);
        const isIntact = copied.toString() === text && copied.every((byte) => byte === row.firstByte(1));
        rows.push(
          `${row.integer(0)}:${text === null ? row.text(1) : `${text.length}${isIntact ? fill : '!'}`}`,
        );
      });
      assert.deepEqual(
        rows,
        Array.from(
          { length: 40 },
          (_, index) => `${index + 1}:${index % 2 === 0 ? 'null' : `${size}${fill}`}`,
        ),
      );
    };
    const sizes = [0, 1, 100, 9_000, 300_000, 2_000_000];
    await Promise.all(
      sizes.flatMap((size, index) => [read(size, 'abcdef'[index]!), read(size + 1, 'ghijkl'[index]!)]),
    );
  });

  test('a failed row statement is reported, and the connection serves the next one', async () => {
    await assert.rejects(
      database.readRows('SELECT 1 / (3 - n) FROM generate_series(1, 5) AS n', [], () => {}),
      { code: '22012' },
    );
    const rows: number[] = [];
    const withoutParameters = 'SELECT n FROM generate_series(1::bigint, 5) AS n';
    await database.readRows(withoutParameters, [], (row) => void rows.push(row.integer(0)));
    assert.deepEqual(rows, [1, 2, 3, 4, 5]);
  });

  test('an error thrown by a row callback is reported after the statement, and the connection serves the next one', async () => {
    let seen = 0;
    const reading = database.readRows('SELECT n FROM generate_series(1, 5000) AS n', [], () => {
      seen += 1;
      if (seen === 3) throw new Error('enough');
    });
    await assert.rejects(reading, /enough/);
    assert.equal(seen, 3);
    let rows = 0;
    await database.readRows('SELECT n FROM generate_series(1, 5) AS n', [], () => {
      rows += 1;
    });
    assert.equal(rows, 5);
  });

  test('a row statement is planned once, whatever its values', async () => {
    const modes: string[] = [];
    await database.readRows('SHOW plan_cache_mode', [], (row) => void modes.push(String(row.text(0))));
    assert.deepEqual(modes, ['force_generic_plan']);
  });

  test('a transaction takes effect completely or not at all', async () => {
    const kept = await database.transaction(async (tx) => {
      await tx`insert into notes values (1, 'kept')`;
      return 'result';
    });
    assert.equal(kept, 'result');
    await assert.rejects(
      database.transaction(async (tx) => {
        await tx`insert into notes values (2, 'gone')`;
        throw new Error('stop');
      }),
      /stop/,
    );
    assert.deepEqual(await texts(), ['kept']);
  });

  test('a failed statement fails the transaction even if its error is swallowed', async () => {
    await assert.rejects(
      database.transaction(async (tx) => {
        await tx`insert into notes values (3, 'gone')`;
        await tx`insert into notes values (3, 'twice')`.catch(() => {});
      }),
      { code: '23505' },
    );
    assert.deepEqual(await texts(), ['kept']);
  });

  test('a failed savepoint rolls back only its own part', async () => {
    await database.transaction(async (tx) => {
      await tx`insert into notes values (4, 'outside')`;
      const inner = tx.savepoint(async (sp) => {
        await sp`insert into notes values (5, 'inside')`;
        await sp`insert into notes values (5, 'twice')`;
      });
      await assert.rejects(inner, { code: '23505' });
      await tx.savepoint('named', (sp) => sp`insert into notes values (6, 'second')`);
    });
    assert.deepEqual(await texts(), ['kept', 'outside', 'second']);
  });

  test('a statement sent after the end of its transaction is rejected', async () => {
    let leaked: (() => Promise<unknown>) | undefined;
    await database.transaction(async (tx) => {
      leaked = async () => await tx`insert into notes values (7, 'late')`;
    });
    await assert.rejects(async () => await leaked?.(), /after its transaction had ended/);
  });

  test('fragments, lists and bulk inserts work inside a transaction, too', async () => {
    const rows = await database.transaction(async (tx) => {
      await tx`insert into notes ${tx([
        { id: 8, text: 'a' },
        { id: 9, text: 'b' },
      ])}`;
      const condition = tx`id in ${tx([8, 9])}`;
      return await tx`delete from notes where ${condition} returning text`;
    });
    assert.deepEqual(rows.map((row) => row.text).sort(), ['a', 'b']);
  });

  test('statements of one transaction may be sent at once', async () => {
    const sums = await database.transaction((tx) =>
      Promise.all(
        Array.from({ length: 50 }, (_, n) => tx`select ${n}::int + txid_current() - txid_current() as n`),
      ),
    );
    assert.deepEqual(
      sums.map(([row]) => row?.n),
      Array.from({ length: 50 }, (_, n) => n),
    );
  });

  test('statements and transactions use read committed, whatever the default of the database is', async () => {
    const [{ name }] = await database.sql<[{ name: string }]>`select current_database() as name`;
    await database.sql`alter database ${database.sql(name)} set default_transaction_isolation = 'serializable'`;
    const other = openDatabase(testDatabase.target, { maxConnections: 8, ...patience });
    try {
      await other.sql`create table counted (value int not null)`;
      await other.sql`insert into counted values (0)`;
      const count = () => other.sql`update counted set value = value + 1`;
      await Promise.all(Array.from({ length: 40 }, count));
      assert.equal((await other.sql`select value from counted`)[0]?.value, 40);
      const [row] = await other.transaction((tx) => tx`show transaction_isolation`);
      assert.equal(row?.transaction_isolation, 'read committed');
    } finally {
      await other.close();
      await database.sql`alter database ${database.sql(name)} reset default_transaction_isolation`;
    }
  });

  test('TLS is not requested on a socket named by a URL', async () => {
    const proxy = await openDatabaseProxy(testDatabase.target);
    const { user, socketDirectory, port, database: name } = proxy.target;
    const url = `postgres://${user}@${encodeURIComponent(socketDirectory)}:${port}/${name}?sslmode=prefer`;
    const other = openDatabase({ url }, { maxConnections: 8, ...patience });
    try {
      const rows: number[] = [];
      await other.readRows('SELECT 7::bigint', [], (row) => void rows.push(row.integer(0)));
      assert.deepEqual(rows, [7]);
    } finally {
      await other.close();
      await proxy.close();
    }
  });

  test('a read-only transaction cannot write', async () => {
    await assert.rejects(
      database.transaction((tx) => tx`delete from notes`, { readOnly: true, isolation: 'repeatable read' }),
      { code: '25006' },
    );
  });

  test('serialization failures are retried until every transaction has taken effect', async () => {
    await database.sql`create table counter (value int not null)`;
    await database.sql`insert into counter values (0)`;
    let runs = 0;
    const allHaveRead = Promise.withResolvers<void>();
    const increment = () =>
      database.transaction(
        async (tx) => {
          const [row] = await tx`select value from counter`;
          if (++runs === 3) allHaveRead.resolve();
          await allHaveRead.promise;
          await tx`update counter set value = ${row?.value + 1}`;
        },
        { isolation: 'serializable' },
      );
    await Promise.all([increment(), increment(), increment()]);
    assert.equal((await database.sql`select value from counter`)[0]?.value, 3);
    assert.ok(runs > 3, 'there must have been a conflict');
  });

  test('a conflict is retried even if the work hid it behind another statement', async () => {
    let runs = 0;
    await database.transaction(async (tx) => {
      runs += 1;
      if (runs === 1) {
        await tx`do $$ begin raise exception 'conflict' using errcode = '40001'; end $$`.catch(() => {});
      }
      await tx`select 1`;
    });
    assert.equal(runs, 2);
  });

  test('deadlocks are retried', async () => {
    await database.sql`create table pair (id int primary key, value int not null)`;
    await database.sql`insert into pair values (1, 0), (2, 0)`;
    const bothHoldOne = Promise.withResolvers<void>();
    let holding = 0;
    const update = (first: number, second: number) =>
      database.transaction(async (tx) => {
        await tx`update pair set value = value + 1 where id = ${first}`;
        if (++holding === 2) bothHoldOne.resolve();
        await bothHoldOne.promise;
        await tx`update pair set value = value + 1 where id = ${second}`;
      });
    await Promise.all([update(1, 2), update(2, 1)]);
    assert.deepEqual(
      (await database.sql`select value from pair`).map((row) => row.value),
      [2, 2],
    );
  });
});
