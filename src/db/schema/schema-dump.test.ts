import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { createTestDatabase } from '../../../test/postgres.ts';
import { dumpSchema } from './schema-dump.ts';

async function dumpOf(statements: string[]): Promise<string> {
  const { database, drop } = await createTestDatabase({ empty: true });
  try {
    for (const statement of statements) await database.sql.unsafe(statement);
    return await dumpSchema(database.sql);
  } finally {
    await drop();
  }
}

test('the committed schema.sql matches the migrations; if not, run `npm run generate`', async () => {
  const { database, drop } = await createTestDatabase();
  try {
    const committed = await readFile(path.join(import.meta.dirname, 'schema.sql'), 'utf8');
    assert.equal(committed, await dumpSchema(database.sql));
  } finally {
    await drop();
  }
});

test('the dump contains every kind of schema object, ordered by name', async () => {
  const dump = await dumpOf([
    `create type mood as enum ('sad', 'happy')`,
    `create domain percent as int not null default 0 check (value between 0 and 100)`,
    `create unlogged table parents (
      id int generated always as identity, "Name" text collate "C" not null default 'none', mood mood,
      share percent, length int generated always as (length("Name")) stored, dropped int,
      constraint parents_pkey primary key (id), check (length("Name") < 10)) with (fillfactor = 80)`,
    `alter table parents drop column dropped`,
    `create table children (id int primary key, parent int not null, blob bytea)`,
    `alter table children alter blob set storage external`,
    `create unique index children_parent on children (parent desc) include (id) where parent > 0`,
    `create table parts (day date not null, n int) partition by range (day)`,
    `create table parts_old partition of parts for values from (minvalue) to ('2026-01-01')`,
    `create index parts_n on parts (n)`,
    `create function twice(n int) returns int language sql immutable as 'select 2 * n'`,
    `create view one as select 1 as one`,
    `comment on column parents.mood is 'today''s'`,
  ]);
  assert.equal(
    dump,
    `-- The schema after all migrations, written by \`npm run generate\`.

create type mood as enum ('sad', 'happy');

create domain percent as integer default 0 not null CHECK (VALUE >= 0 AND VALUE <= 100);

CREATE OR REPLACE FUNCTION twice(n integer)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
AS $function$select 2 * n$function$;

create table children (
  id integer not null,
  parent integer not null,
  blob bytea storage external,
  constraint children_pkey PRIMARY KEY (id)
);

create unlogged table parents (
  id integer generated always as identity not null,
  "Name" text collate "C" default 'none'::text not null,
  mood mood,
  share percent,
  length integer generated always as (length("Name")) stored,
  constraint parents_pkey PRIMARY KEY (id),
  constraint "parents_Name_check" CHECK (length("Name") < 10)
) with (fillfactor=80);

create table parts (
  day date not null,
  n integer
) partition by RANGE (day);

create table parts_old partition of parts FOR VALUES FROM (MINVALUE) TO ('2026-01-01');

CREATE UNIQUE INDEX children_parent ON children USING btree (parent DESC) INCLUDE (id) WHERE parent > 0;

CREATE INDEX parts_n ON parts USING btree (n);

create view one as
 SELECT 1 AS one;

comment on column parents.mood is 'today''s';
`,
  );
});

test('the dump does not depend on the order in which objects were created', async () => {
  const statements = [
    'create table a (id int primary key)',
    'create table b (id int primary key)',
    'create index b_one on b (id)',
    'create index a_two on a (id)',
  ];
  assert.equal(
    await dumpOf(statements),
    await dumpOf([statements[1]!, statements[2]!, statements[0]!, statements[3]!]),
  );
});
