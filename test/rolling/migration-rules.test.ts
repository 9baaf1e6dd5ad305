import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readMigrations } from '../../src/db/schema/migrations.ts';
import { faultsOf } from './migration-rules.ts';

/** Migrations up to this version required all nodes to be stopped; they never change. */
const lastBeforeRules = 37;

const faultsIn = (sql: string) => faultsOf({ version: 99, name: 'test', sql });

test('no migration blocks writers of a large table, or removes what the previous version uses', async () => {
  const migrations = (await readMigrations()).slice(lastBeforeRules);
  assert.deepEqual(migrations.flatMap(faultsOf), []);
});

test('statements that block writers of a table or rewrite it are recognized', () => {
  for (const sql of [
    'CREATE INDEX learnings_by_x ON learnings (x);',
    'create unique index a on only members (x)',
    'ALTER TABLE members ADD COLUMN x text NOT NULL',
    'ALTER TABLE members ADD x uuid NOT NULL DEFAULT gen_random_uuid()',
    'ALTER TABLE members ALTER COLUMN x TYPE bigint',
    'ALTER TABLE members ALTER x SET NOT NULL',
    'ALTER TABLE members ADD CHECK (x > 0)',
    'ALTER TABLE members ADD CONSTRAINT c FOREIGN KEY (x) REFERENCES people',
    'ALTER TABLE members ADD CONSTRAINT u UNIQUE (x)',
    'UPDATE members SET x = 1;',
    'WITH a AS (SELECT 1) DELETE FROM members',
  ])
    assert.equal(faultsIn(sql).length, 1, sql);
});

test('removals are only allowed in contracting migrations', () => {
  for (const sql of [
    'DROP TABLE members',
    'ALTER TABLE members DROP COLUMN x',
    'ALTER TABLE members RENAME COLUMN x TO y',
    'ALTER TABLE organizations RENAME TO tenants',
  ]) {
    assert.equal(faultsIn(sql).length, 1, sql);
    assert.deepEqual(faultsIn(`-- contracting: needs nodes of schema version 38\n${sql}`), []);
  }
});

test('additions to the schema are allowed', () => {
  for (const sql of [
    'CREATE TABLE things (id uuid PRIMARY KEY, x int NOT NULL); CREATE INDEX things_by_x ON things (x);',
    'ALTER TABLE members ADD COLUMN x text, ADD COLUMN y integer NOT NULL DEFAULT 0',
    'ALTER TABLE members ADD COLUMN x boolean DEFAULT false NOT NULL -- DROP TABLE members',
    'ALTER TABLE members ADD CONSTRAINT c CHECK (x > 0) NOT VALID',
    'ALTER TABLE members VALIDATE CONSTRAINT c',
    'CREATE INDEX webhooks_by_url ON webhooks (url); UPDATE webhooks SET url = url;',
    "COMMENT ON COLUMN members.x IS 'drop table; update members set x = 1'",
    'DROP INDEX IF EXISTS members_by_name',
  ])
    assert.deepEqual(faultsIn(sql), [], sql);
});
