import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, afterEach, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabaseProxy } from '../../../../test/database-proxy.ts';
import { fillInventory } from '../../../../test/fill-inventory.ts';
import { startTestApp } from '../../../../test/harness.ts';
import { patience } from '../../../../test/patience.ts';
import { createTestDatabase } from '../../../../test/postgres.ts';
import { type ScannedOrganization, scannedOrganization } from '../../../../test/scanned-organization.ts';
import { openDatabase } from '../../../db/database.ts';

/** The SQL command that reads the next batch of a download. */
const nextRead = 'FETCH';

describe('a download whose connection to the database is lost between two reads', async () => {
  const { database: direct, target, drop } = await createTestDatabase();
  const proxy = await openDatabaseProxy(target);
  const database = openDatabase(proxy.target, patience);
  after(async () => {
    await database.close();
    await proxy.close();
    await drop();
  });
  const app = await startTestApp({ database });
  const org = await scannedOrganization(app);
  await fillInventory(direct.sql, org.orgId, 1_000, 0);
  afterEach(() => proxy.cutAt('nothing that anybody sends', { forward: true }));

  for (const format of ['csv', 'sarif']) {
    test(`is read again from its beginning, and complete: ${format}`, async () => {
      const whole = await org.get(`?format=${format}`);
      assert.equal(whole.status, 200);
      proxy.cutAt(nextRead, { forward: false, skip: 2 });
      const { status, text } = await org.get(`?format=${format}`);
      assert.deepEqual({ status, isWhole: text === whole.text }, { status: 200, isWhole: true });
    });

    test(`is refused with 503 if it is lost every time, and never cut short: ${format}`, async () => {
      proxy.cutAt(nextRead, { forward: false, skip: 2, always: true });
      const { status, json, headers } = await org.get(`?format=${format}`);
      assert.deepEqual([status, json?.error.code], [503, 'SERVICE_UNAVAILABLE']);
      assert.match(headers['retry-after']!, /^[1-9]\d*$/);
    });
  }

  test('is not taken for complete either when an administrator ends its session', async () => {
    const ending = (async () => {
      for (let ended = 0; ended < 1; await sleep(1)) {
        const gone = await direct.sql`
          SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND pid <> pg_backend_pid() AND query LIKE ${`${nextRead}%`}`;
        ended += gone.length;
      }
    })();
    let isEnded = false;
    void ending.then(() => {
      isEnded = true;
    });
    do {
      const { status, text } = await org.get('?format=csv');
      if (status === 200) assert.equal(text.split('\r\n').length, 1_002);
      else assert.equal(status, 503, text);
    } while (!isEnded);
  });
});

describe('downloads that nobody reads', async () => {
  const { target, drop } = await createTestDatabase();
  /** Four of the connections are for transactions. */
  const database = openDatabase(target, { maxConnections: 8, ...patience });
  after(async () => {
    await database.close();
    await drop();
  });
  const app = await startTestApp({ database });
  await app.app.server.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.app.server.server.address() as AddressInfo;

  /** Requests a download and does not read the response. */
  async function stall(org: ScannedOrganization): Promise<http.IncomingMessage> {
    const asked = http.get({
      host: '127.0.0.1',
      port,
      path: '/v1/security/scans/code?format=csv',
      headers: { 'x-service-api-key': org.key },
      agent: false,
    });
    const [answer] = (await once(asked, 'response')) as [http.IncomingMessage];
    after(() => answer.destroy());
    return answer;
  }

  test('hold no connection to the database, however many there are', async () => {
    const org = await scannedOrganization(app);
    await fillInventory(database.sql, org.orgId, 5_000, 2_000);
    for (let count = 0; count < 6; count += 1) {
      const answer = await stall(org);
      assert.equal(answer.statusCode, 200);
    }
    assert.equal(database.connections().transactions.inUse, 0);
    const open = await database.sql`
      SELECT state FROM pg_stat_activity WHERE datname = current_database() AND xact_start IS NOT NULL
        AND pid <> pg_backend_pid()`;
    assert.deepEqual([...open], []);
    assert.equal((await org.get('?format=sarif')).status, 200);
  });

  test('and those that wait for the database leave connections for everything else', async () => {
    const org = await scannedOrganization(app);
    await app.resetLimits();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { promise: locked, resolve: tellLocked } = Promise.withResolvers<void>();
    const holding = database.transaction(async (tx) => {
      await tx`LOCK TABLE security_findings IN ACCESS EXCLUSIVE MODE`;
      tellLocked();
      await released;
    });
    await locked;
    const downloads = Array.from({ length: 8 }, () => app.get('/v1/security/scans/code?format=csv', org.key));
    while (database.connections().transactions.inUse < 3) await sleep(20);
    const other = await scannedOrganization(app);
    assert.ok(other.key);
    release();
    await holding;
    for (const answer of await Promise.all(downloads)) assert.equal(answer.status, 200, answer.text);
  });
});
