import assert from 'node:assert/strict';
import { mkdtemp, open, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { createTestDatabase, type TestDatabase } from '../../../test/postgres.ts';
import fc from '../../../test/properties.ts';
import { migrate } from '../schema/migrate.ts';
import type { Migration } from '../schema/migrations.ts';
import { dumpSchema } from '../schema/schema-dump.ts';
import { restore } from './restore-backup.ts';
import { backup } from './write-backup.ts';

const FIRST: Migration = {
  version: 1,
  name: 'everything',
  sql: `
    create table authors (id int generated always as identity primary key, name text not null unique,
      favourite int, boss int references authors);
    create table books (id int primary key, author int not null references authors, title text,
      title_length int generated always as (length(title)) stored);
    alter table authors add foreign key (favourite) references books;
    create table samples (id int primary key, text text, number float8, exact numeric, at timestamptz, day date,
      flag boolean, bytes bytea, document jsonb, raw json, list text[]);
    create table events (day date not null, note text) partition by range (day);
    create table events_rest partition of events default;
    create unlogged table scratch (id int);
    create table clock (value int8 not null);
    insert into clock values (0);`,
};
const SECOND: Migration = { version: 2, name: 'later', sql: `alter table books add later int default 7` };

describe('backup and restore', () => {
  let folder: string;
  let source: TestDatabase;
  let file: string;
  const opened: TestDatabase[] = [];

  const emptyDatabase = async () => {
    const fresh = await createTestDatabase({ empty: true });
    opened.push(fresh);
    return fresh.database;
  };

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'postil-backup-'));
    file = path.join(folder, 'whole.backup');
    source = await createTestDatabase({ empty: true });
    opened.push(source);
    const { sql } = source.database;
    await migrate(source.database, [FIRST]);
    await sql`insert into authors (name) values ('first'), ('second')`;
    await sql`update authors set boss = 2 where id = 1`;
    await sql`insert into books (id, author, title) select n, 1 + n % 2, 'book ' || n from generate_series(1, 5000) n`;
    await sql`update authors set favourite = 17`;
    await sql`create table events_2026 partition of events for values from ('2026-01-01') to ('2027-01-01')`;
    await sql`insert into events values ('2026-05-05', 'inside'), ('2020-01-01', 'rest')`;
    await sql`insert into scratch values (1)`;
    await sql`update clock set value = 42`;
    await backup(source.database, file);
  });
  after(async () => {
    await Promise.all(opened.map((database) => database.drop()));
    await rm(folder, { recursive: true });
  });

  test('a table of any size is followed by the next one', async () => {
    const database = await emptyDatabase();
    await migrate(database, [FIRST]);
    await database.sql`insert into authors (name) values ('only')`;
    for (let step = 1; step <= 30; step += 1) {
      await database.sql`insert into books (id, author, title)
        select ${step} * 1000 + n, 1, repeat('x', 1000) from generate_series(1, 37) n`;
      const { rows } = await backup(database, path.join(folder, `size-${step}.backup`));
      assert.equal(rows, step * 37 + 2);
    }
  });

  const titles = async (database: TestDatabase['database']) =>
    (await database.sql`select id, author, title, title_length from books order by id`).map((row) => ({
      ...row,
    }));

  test('a restored database has the same rows, schema, partitions and sequences', async () => {
    const target = await emptyDatabase();
    assert.deepEqual(await restore(target, file, { migrations: [FIRST] }), { rows: 5005, schemaVersion: 1 });
    assert.equal(await dumpSchema(target.sql), await dumpSchema(source.database.sql));
    assert.deepEqual(await titles(target), await titles(source.database));
    assert.equal((await target.sql`select value from clock`)[0]?.value, 42);
    assert.equal((await target.sql`select note from events_2026`)[0]?.note, 'inside');
    assert.equal((await target.sql`select from scratch`).length, 0);
    const [next] = await target.sql`insert into authors (name) values ('third') returning id`;
    assert.equal(next?.id, 3);
  });

  test('every value survives unchanged', async () => {
    const { sql } = source.database;
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\0', '\\.\n')),
          { maxLength: 20 },
        ),
        fc.double(),
        fc.uint8Array(),
        fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('2100-01-01') }),
        fc.jsonValue({ noUnicodeString: false }),
        async (texts, number, bytes, at, value) => {
          const document = JSON.parse(JSON.stringify(value).replaceAll('\\u0000', ''));
          await sql`delete from samples`;
          await sql`insert into samples (id, text) select n, t from unnest(${texts}::text[]) with ordinality as x (t, n)`;
          await sql`insert into samples values (1000, '\\.', ${number}, 1.10, ${at}, '2026-02-28', true,
            ${Buffer.from(bytes)}, ${sql.json(document)}, '{"a" :  1}', ${texts})`;
          await sql`insert into samples (id) values (1001)`;
          const target = await emptyDatabase();
          const copy = path.join(folder, `sample-${opened.length}.backup`);
          await backup(source.database, copy);
          await restore(target, copy, { migrations: [FIRST] });
          const all = (db: typeof sql) => db`select samples::text as row from samples order by id`.values();
          assert.deepEqual([...(await all(target.sql))], [...(await all(sql))]);
        },
      ),
      { numRuns: 5 },
    );
    await sql`delete from samples`;
  });

  test('a backup of an older schema is restored and migrated to the newest version', async () => {
    const target = await emptyDatabase();
    assert.equal((await restore(target, file, { migrations: [FIRST, SECOND] })).schemaVersion, 2);
    assert.equal((await target.sql`select later from books where id = 1`)[0]?.later, 7);
  });

  test('a database that was only migrated counts as empty, even if its schema is newer', async () => {
    const target = await emptyDatabase();
    await migrate(target, [FIRST, SECOND]);
    await target.sql`update clock set value = 3`;
    await restore(target, file, { migrations: [FIRST, SECOND] });
    assert.equal((await target.sql`select value from clock`)[0]?.value, 42);
    assert.equal((await target.sql`select from books`).length, 5000);
  });

  test('a database with content is rejected and keeps it', async () => {
    const target = await emptyDatabase();
    await migrate(target, [FIRST]);
    await target.sql`insert into authors (name) values ('kept')`;
    await assert.rejects(restore(target, file, { migrations: [FIRST] }), {
      name: 'BackupError',
      message: /^The database is not empty \(see the table authors\)/,
    });
    assert.deepEqual(
      (await target.sql`select name from authors`).map((row) => row.name),
      ['kept'],
    );
  });

  test('a database with foreign tables is rejected and keeps them', async () => {
    const target = await emptyDatabase();
    await migrate(target, [FIRST]);
    await target.sql`create table foreign_table (id int)`;
    await assert.rejects(restore(target, file, { migrations: [FIRST] }), /has a table foreign_table/);
    await target.sql`select from foreign_table`;
  });

  test('a backup from a newer version is rejected', async () => {
    const target = await emptyDatabase();
    await migrate(target, [FIRST, SECOND]);
    const newer = path.join(folder, 'newer.backup');
    await backup(target, newer);
    await assert.rejects(restore(await emptyDatabase(), newer, { migrations: [FIRST] }), {
      name: 'SchemaError',
      message: /^The backup has schema version 2, but/,
    });
  });

  describe('a file that is not intact changes nothing:', () => {
    const assertRejected = async (change: (copy: string) => Promise<unknown>, sentence: RegExp) => {
      const copy = path.join(folder, 'changed.backup');
      await writeFile(copy, await readFile(file));
      await change(copy);
      const target = await emptyDatabase();
      await assert.rejects(restore(target, copy, { migrations: [FIRST] }), {
        name: 'BackupError',
        message: sentence,
      });
      assert.equal((await target.sql`select from pg_tables where schemaname = current_schema()`).length, 0);
    };
    const edited = (edit: (text: string) => string) => async (copy: string) =>
      writeFile(copy, gzipSync(edit(gunzipSync(await readFile(copy)).toString())));

    test('truncated in the middle', () =>
      assertRejected(
        async (copy) => truncate(copy, Math.floor((await stat(copy)).size / 2)),
        /damaged: it ends too early\.$/,
      ));
    test('truncated between two rows and compressed again', () =>
      assertRejected(
        edited((text) => text.slice(0, text.indexOf('book 100\n') + 9)),
        /damaged: it ends too early\.$/,
      ));
    test('with a flipped bit', () =>
      assertRejected(async (copy) => {
        const handle = await open(copy, 'r+');
        const { size } = await handle.stat();
        await handle
          .write(Buffer.from([0x55, 0xaa, 0x55]), 0, 3, Math.floor(size / 2))
          .finally(() => handle.close());
      }, /damaged/));
    test('with a row changed', () =>
      assertRejected(
        edited((text) => text.replace('book 100\n', 'book 666\n')),
        /its checksum is wrong/,
      ));
    test('with a missing row', () =>
      assertRejected(
        edited((text) => text.replace(/^.*book 100\n/m, '')),
        /its checksum is wrong/,
      ));
    test('with trailing data', () =>
      assertRejected(
        edited((text) => `${text}more`),
        /continues after its end/,
      ));
    // Since gzip compresses repetitive data a thousandfold, a small file could keep us busy for hours.
    const endless = (start: string, filling: string) => async (copy: string) => {
      const member = gzipSync(Buffer.alloc(1024 * 1024, filling));
      await writeFile(copy, Buffer.concat([gzipSync(start), ...Array(1500).fill(member)]));
    };
    const headerOf = async () =>
      gunzipSync(await readFile(file))
        .toString()
        .split('\n', 1)[0];
    test('that decompresses to an endless header', () =>
      assertRejected(endless('', ' '), /is not a Postil backup/));
    test('that decompresses to an endless row', async () =>
      assertRejected(endless(`${await headerOf()}\n`, 'x'), /far more than its size allows/));
    test('that decompresses to endless rows', async () =>
      assertRejected(endless(`${await headerOf()}\n`, 'row of a table\n'), /far more than its size allows/));
    test('that is empty', () => assertRejected((copy) => writeFile(copy, ''), /damaged: it ends too early/));
    test('that is something else', () =>
      assertRejected((copy) => writeFile(copy, gzipSync('{"format":"other"}\n')), /not a Postil backup/));
    test('that is not compressed', () =>
      assertRejected((copy) => writeFile(copy, 'letter'), /cannot be decompressed/));
    test('that does not exist', () => assertRejected((copy) => rm(copy), /cannot be read \(ENOENT\)/));
  });

  test('rows that PostgreSQL does not accept are rejected with its message, and nothing changes', async () => {
    const target = await emptyDatabase();
    const narrower = {
      ...FIRST,
      sql: FIRST.sql.replace('title text', "title text check (title <> 'book 5000')"),
    };
    const { createHash } = await import('node:crypto');
    const checksum = (sql: string) => createHash('sha256').update(sql).digest('hex');
    const [header = '', ...rest] = gunzipSync(await readFile(file))
      .toString()
      .split('\n');
    const body = [header.replace(checksum(FIRST.sql), checksum(narrower.sql)), ...rest.slice(0, -2), ''].join(
      '\n',
    );
    const { rows } = JSON.parse(rest.at(-2) ?? '');
    const copy = path.join(folder, 'refused.backup');
    await writeFile(copy, gzipSync(`${body}${JSON.stringify({ rows, sha256: checksum(body) })}\n`));
    await assert.rejects(restore(target, copy, { migrations: [narrower] }), {
      name: 'BackupError',
      message: /does not accept the rows of the table books .* violates check constraint/,
    });
    assert.equal((await target.sql`select from pg_tables where schemaname = current_schema()`).length, 0);
  });

  test('a backup is readable by its owner only, and leaves no other file behind', async () => {
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    assert.ok(!(await readdir(folder)).some((name) => name.endsWith('.partial')));
  });

  test('an existing file is never overwritten', async () => {
    const before = await readFile(file);
    await assert.rejects(backup(source.database, file), {
      name: 'BackupError',
      message: /is not overwritten/,
    });
    assert.ok(before.equals(await readFile(file)));
  });

  test('a backup that cannot be written is reported in one sentence', async () => {
    await assert.rejects(backup(source.database, path.join(folder, 'missing', 'x')), {
      name: 'BackupError',
      message: /could not be written \(ENOENT\)/,
    });
    await writeFile(path.join(folder, 'other.partial'), '');
    await assert.rejects(backup(source.database, path.join(folder, 'other')), /other.partial exists/);
  });

  test('a backup is a consistent snapshot, whatever is written meanwhile', async () => {
    const copy = path.join(folder, 'moment.backup');
    let isDone = false;
    const writing = (async () => {
      for (let id = 100_000; !isDone; id++) {
        await source.database.transaction(async (tx) => {
          await tx`insert into books (id, author) values (${id}, 1)`;
          await tx`update clock set value = value + 1`;
        });
      }
    })();
    await backup(source.database, copy);
    isDone = true;
    await writing;
    const target = await emptyDatabase();
    await restore(target, copy, { migrations: [FIRST] });
    const [row] =
      await target.sql`select (select count(*) from books where id >= 100000) as books, value from clock`;
    assert.equal(row?.books, row?.value - 42);
    await source.database.sql`delete from books where id >= 100000`;
    await source.database.sql`update clock set value = 42`;
  });

  test('progress is reported for every table, up to its last row', async () => {
    const seen = new Map<string, number>();
    await backup(source.database, path.join(folder, 'progress.backup'), (table, done) =>
      seen.set(table, done),
    );
    assert.deepEqual(Object.fromEntries(seen), { authors: 2, books: 5000, clock: 1, events: 2, samples: 0 });
    seen.clear();
    await restore(await emptyDatabase(), path.join(folder, 'progress.backup'), {
      migrations: [FIRST],
      onProgress: (table, done, estimated) => {
        seen.set(table, done);
        assert.ok(done <= estimated);
      },
    });
    assert.equal(seen.get('books'), 5000);
  });

  test('progress is reported while a backup is checked, up to its last byte', async () => {
    const seen: [number, number][] = [];
    await restore(await emptyDatabase(), file, {
      migrations: [FIRST],
      onCheck: (done, total) => seen.push([done, total]),
    });
    const { size } = await stat(file);
    assert.deepEqual(seen.at(-1), [size, size]);
  });

  test('a backup of another version is rejected before its rows are read', async () => {
    const cut = path.join(folder, 'cut.backup');
    await writeFile(cut, (await readFile(file)).subarray(0, 2000));
    await assert.rejects(
      restore(await emptyDatabase(), cut, { migrations: [{ ...FIRST, sql: 'select 1' }] }),
      {
        name: 'SchemaError',
      },
    );
  });

  test('our own migrations can be backed up and restored', async () => {
    const own = await createTestDatabase();
    opened.push(own);
    const copy = path.join(folder, 'own.backup');
    await backup(own.database, copy);
    const target = await emptyDatabase();
    await restore(target, copy);
    assert.equal(await dumpSchema(target.sql), await dumpSchema(own.database.sql));
  });
});
