import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestDatabase, urlOf } from '../test/postgres.ts';
import { migrate, schemaVersion } from './db/schema/migrate.ts';
import { newestVersion, readMigrations } from './db/schema/migrations.ts';
import { openInstallationDatabase } from './open-database.ts';
import type { Settings } from './settings.ts';

test('a start that migrates a database announces it first, and other starts do not', async () => {
  const migrations = await readMigrations();
  const newest = newestVersion(migrations);
  const { database, target, drop } = await createTestDatabase({ empty: true });
  await migrate(database, migrations.slice(0, -1));
  const databaseUrl = urlOf(target);
  const start = async () => {
    const messages: string[] = [];
    const opened = await openInstallationDatabase(
      { databaseUrl, replicaUrls: [] as readonly string[] } as Settings,
      (text) => messages.push(text),
    );
    await opened.close();
    return messages;
  };
  const [message, ...others] = await start();
  assert.match(message!, new RegExp(`from schema version ${newest - 1} to ${newest};`));
  assert.deepEqual(others, []);
  assert.equal(await schemaVersion(database.sql), newest);
  assert.deepEqual(await start(), []);
  await drop();
});
