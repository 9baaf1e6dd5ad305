import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { EmbeddedFolders } from '../../../test/embedded-folder.ts';
import { patience } from '../../../test/patience.ts';
import { createTestDatabase } from '../../../test/postgres.ts';
import { openDatabase } from '../database.ts';
import { inspectDatabase, inspectDataFolder } from './inspect-database.ts';

describe('inspection', () => {
  const folders = new EmbeddedFolders();
  before(() => folders.open());
  after(() => folders.close());

  test('a migrated database is at the newest schema version', async () => {
    const { database, drop } = await createTestDatabase();
    const facts = await inspectDatabase(database.sql).finally(drop);
    assert.equal(facts.schemaVersion, facts.newestSchemaVersion);
    assert.equal(facts.encoding, 'UTF8');
    assert.equal(facts.isReadOnly, false);
    assert.equal(facts.isBehindPooler, false);
    assert.ok(facts.sizeBytes > 0 && facts.connectionsUsed > 0 && facts.connectionsMax > 0);
    assert.equal(typeof facts.clockAheadMs, 'number');
  });

  test('a clock that is an hour off is distinguished from an answer that took an hour', async ({ mock }) => {
    const { database, drop } = await createTestDatabase();
    const now = Date.now;
    const hourMs = 3_600_000;
    let shiftMs = -hourMs;
    mock.method(Date, 'now', () => now() + shiftMs);
    const slow = inspectDatabase(database.sql);
    shiftMs = 0;
    assert.equal((await slow).clockAheadMs, 0);
    shiftMs = hourMs;
    assert.ok((await inspectDatabase(database.sql)).clockAheadMs < -0.9 * hourMs);
    shiftMs = -hourMs;
    assert.ok((await inspectDatabase(database.sql)).clockAheadMs > 0.9 * hourMs);
    mock.restoreAll();
    await drop();
  });

  test('inspecting a data folder shows whether it exists, is private and is in use', async () => {
    const directory = await folders.absent();
    const absent = await inspectDataFolder(directory);
    assert.deepEqual([absent.exists, absent.isRunning, absent.postgresVersion], [false, false, undefined]);
    const postgres = await folders.start(directory, { durable: true });
    const used = await inspectDataFolder(directory);
    assert.deepEqual([used.exists, used.isPrivate, used.isRunning], [true, true, true]);
    assert.ok(used.freeBytes > 0 && Number(used.postgresVersion) >= 18);
    const database = openDatabase(postgres.target, patience);
    const { isDurable, schemaVersion } = await inspectDatabase(database.sql).finally(database.close);
    assert.deepEqual({ isDurable, schemaVersion }, { isDurable: true, schemaVersion: 0 });
  });
});
