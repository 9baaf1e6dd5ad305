import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createTestDatabase, urlOf } from '../test/postgres.ts';
import { migrate, schemaVersion } from './db/schema/migrate.ts';
import { newestVersion, readMigrations } from './db/schema/migrations.ts';
import { openInstallationDatabase } from './open-database.ts';
import type { Settings } from './settings.ts';

const migrations = await readMigrations();
const newest = newestVersion(migrations);

/** A database with the first migrations, and a function that opens it like a starting server and returns what was logged. */
async function createPartlyMigrated(context: TestContext, count: number) {
  const { database, target, drop } = await createTestDatabase({ empty: true });
  context.after(drop);
  await migrate(database, migrations.slice(0, count));
  const start = async () => {
    const messages: string[] = [];
    const opened = await openInstallationDatabase(
      { databaseUrl: urlOf(target), databaseWaitMs: 0, replicaUrls: [] as readonly string[] } as Settings,
      (text) => messages.push(text),
    );
    await opened.close();
    return messages;
  };
  return { database, start };
}

test('a start that migrates a database announces it first, and other starts do not', async (context) => {
  const { database, start } = await createPartlyMigrated(context, migrations.length - 1);
  await database.sql`update schema_migrations set applied_at = applied_at - interval '1 day'`;
  const [message, ...others] = await start();
  assert.match(message!, new RegExp(`from schema version ${newest - 1} to ${newest};`));
  assert.deepEqual(others, []);
  assert.equal(await schemaVersion(database.sql), newest);
  assert.deepEqual(await start(), []);
});

test('a database that another node is creating at the same time is migrated without logging', async (context) => {
  const { database, start } = await createPartlyMigrated(context, 2);
  assert.deepEqual(await start(), []);
  assert.equal(await schemaVersion(database.sql), newest);
});
