import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import { createTestDatabase } from '../postgres.ts';
import { type FormerStatements, fixture, prepare } from './former-statements.ts';

const own = await createTestDatabase();
after(() => own.drop());

test('every statement of the previous version is valid with the schema of this version', async () => {
  const { statements } = JSON.parse(await readFile(fixture, 'utf8')) as FormerStatements;
  assert.ok(statements.length > 300);
  const faults: string[] = [];
  for (const statement of statements) {
    const fault = await prepare(own.database, statement);
    if (fault !== undefined) faults.push(`${fault}: ${statement.text}`);
  }
  assert.deepEqual(faults, []);
});

test('an invalid statement is noticed', async () => {
  const statement = { text: 'SELECT id FROM organizations WHERE name = $1', types: [25] };
  assert.equal(await prepare(own.database, statement), undefined);
  await own.database.sql`ALTER TABLE organizations RENAME COLUMN name TO title`;
  assert.match((await prepare(own.database, statement))!, /column "name" does not exist/);
});
