import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { patience } from '../../../test/patience.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/postgres.ts';
import { type ConnectionTarget, openDatabase } from '../database.ts';
import { canUseSchema, lockSchema, migrate, schemaVersion } from './migrate.ts';
import { type Migration, readMigrations } from './migrations.ts';

const FIRST: Migration = { version: 1, name: 'notes', sql: 'create table notes (id int primary key)' };
const SECOND: Migration = {
  version: 2,
  name: 'two_statements',
  sql: 'alter table notes add text text;\ninsert into notes values (1);\n',
};

/** The same database with one more URL parameter. */
function withParameter(target: ConnectionTarget, parameter: string): ConnectionTarget {
  if ('url' in target) return { url: `${target.url}${target.url.includes('?') ? '&' : '?'}${parameter}` };
  const { user, socketDirectory, port, database } = target;
  return {
    url: `postgres://${user}@${encodeURIComponent(socketDirectory)}:${port}/${database}?${parameter}`,
  };
}

describe('migrate', () => {
  let fresh: TestDatabase;
  beforeEach(async () => {
    fresh = await createTestDatabase({ empty: true });
  });
  afterEach(() => fresh.drop());

  test('applies every migration once and reports which', async () => {
    const { database } = fresh;
    assert.equal(await schemaVersion(database.sql), 0);
    assert.deepEqual(await migrate(database, [FIRST]), { applied: ['0001_notes'] });
    assert.deepEqual(await migrate(database, [FIRST, SECOND]), { applied: ['0002_two_statements'] });
    assert.deepEqual(await migrate(database, [FIRST, SECOND]), { applied: [] });
    assert.equal(await schemaVersion(database.sql), 2);
  });

  test('several processes at once apply every migration exactly once', async () => {
    const others = Array.from({ length: 4 }, () =>
      openDatabase(fresh.target, { maxConnections: 2, ...patience }),
    );
    const results = await Promise.all(others.map((database) => migrate(database, [FIRST, SECOND])));
    await Promise.all(others.map((database) => database.close()));
    assert.deepEqual(results.flatMap(({ applied }) => applied).sort(), ['0001_notes', '0002_two_statements']);
    assert.equal((await fresh.database.sql`select from notes`).length, 1);
  });

  test('a start that has nothing to migrate does not wait for a process that is changing the schema', {
    timeout: 300_000,
  }, async () => {
    await migrate(fresh.database, [FIRST]);
    await fresh.database.transaction(async (tx) => {
      await lockSchema(tx);
      await tx`lock table schema_migrations in share row exclusive mode`;
      assert.deepEqual(await migrate(fresh.database, [FIRST]), { applied: [] });
    });
  });

  test('however closely several processes race on an empty database, none of them fails', async () => {
    const racers = Array.from({ length: 16 }, () =>
      openDatabase(fresh.target, { maxConnections: 2, ...patience }),
    );
    for (let round = 0; round < 25; round += 1) {
      const results = await Promise.all(racers.map((database) => migrate(database, [FIRST])));
      assert.deepEqual(
        results.flatMap(({ applied }) => applied),
        ['0001_notes'],
      );
      await fresh.database.sql`drop table schema_migrations, notes`;
    }
    await Promise.all(racers.map((database) => database.close()));
  });

  test('tables in another schema are not overlooked, and the URL can name it', async () => {
    const { sql } = fresh.database;
    await sql`create schema elsewhere`;
    for (const parameter of ['search_path=elsewhere', 'options=-c%20search_path%3Delsewhere']) {
      const named = openDatabase(withParameter(fresh.target, parameter), { maxConnections: 2, ...patience });
      await migrate(named, [FIRST, SECOND]);
      await named.close();
    }
    assert.equal((await sql`select from elsewhere.notes`).length, 1);
    await assert.rejects(migrate(fresh.database, [FIRST]), {
      name: 'SchemaError',
      message: /are in the schema elsewhere; add search_path=elsewhere to the parameters of DATABASE_URL/,
    });
  });

  test('a migration that fails leaves nothing behind', async () => {
    const broken = { ...SECOND, sql: 'insert into notes values (1); insert into missing values (1)' };
    await assert.rejects(migrate(fresh.database, [FIRST, broken]), { code: '42P01' });
    assert.equal(await schemaVersion(fresh.database.sql), 1);
    assert.equal((await fresh.database.sql`select from notes`).length, 0);
    await migrate(fresh.database, [FIRST, SECOND]);
  });

  test('a database of a newer version is used if it was only added to, by nodes that run or start beside newer ones', async () => {
    await migrate(fresh.database, [FIRST]);
    assert.equal(await canUseSchema(fresh.database.sql, [FIRST, SECOND]), false);
    await migrate(fresh.database, [FIRST, SECOND]);
    assert.deepEqual(await migrate(fresh.database, [FIRST]), { applied: [] });
    assert.equal(await canUseSchema(fresh.database.sql, [FIRST]), true);
    const changed = { ...FIRST, sql: `${FIRST.sql};` };
    await assert.rejects(migrate(fresh.database, [changed]), /a different text of migration 1/);
  });

  test('a newer database whose schema has lost something since is rejected with one sentence', async () => {
    const contracting = {
      ...SECOND,
      sql: '-- contracting: needs nodes of schema version 2\nalter table notes drop column id',
    };
    await migrate(fresh.database, [FIRST, contracting]);
    assert.equal(await canUseSchema(fresh.database.sql, [FIRST]), false);
    assert.equal(await canUseSchema(fresh.database.sql, [FIRST, contracting]), true);
    await assert.rejects(migrate(fresh.database, [FIRST]), {
      name: 'SchemaError',
      message: /has schema version 2, but this version of Postil only supports versions up to 1/,
    });
  });

  test('a database created by a different text of a migration is rejected with one sentence', async () => {
    await migrate(fresh.database, [FIRST]);
    const changed = { ...FIRST, sql: `${FIRST.sql};` };
    await assert.rejects(migrate(fresh.database, [changed, SECOND]), {
      name: 'SchemaError',
      message: /a different text of migration 1 \(notes\)/,
    });
    assert.equal(await schemaVersion(fresh.database.sql), 1);
  });

  test('the line endings of a checked-out file do not matter', async () => {
    await migrate(fresh.database, [FIRST, SECOND]);
    const windows = { ...SECOND, sql: SECOND.sql.replaceAll('\n', '\r\n') };
    assert.deepEqual(await migrate(fresh.database, [FIRST, windows]), { applied: [] });
  });
});

describe('readMigrations', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'postil-migrations-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  test('reads our own migrations, numbered without a gap', async () => {
    const migrations = await readMigrations();
    assert.deepEqual(
      migrations.map(({ version }) => version),
      migrations.map((_, index) => index + 1),
    );
    assert.ok(migrations.length > 0);
  });

  test('rejects a gap, a duplicate number and a malformed name', async () => {
    await writeFile(path.join(folder, '0001_one.sql'), '');
    await writeFile(path.join(folder, '0003_three.sql'), '');
    await assert.rejects(readMigrations(folder), /Migration 3 \(three\) should be number 2/);
    await writeFile(path.join(folder, '0001_other.sql'), '');
    await assert.rejects(readMigrations(folder), /should be number 2/);
    await writeFile(path.join(folder, '2-two.sql'), '');
    await assert.rejects(readMigrations(folder), /not named like/);
  });
});
