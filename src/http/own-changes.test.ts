import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startTestApp } from '../../test/harness.ts';
import { createTestDatabase } from '../../test/postgres.ts';
import { samplePlatform } from '../../test/sample-platform.ts';
import { cookieOf, sessionWith, signInAs } from '../../test/session.ts';
import type { Database, Sql } from '../db/database.ts';
import { readIdentity } from '../db/replicas/replica-server.ts';

const own = await createTestDatabase();
after(() => own.drop());
const identity = await readIdentity(own.database.sql);

/** A replica that always reports to be up to date, and serves transactions from the same database. */
const replica: Database = {
  ...own.database,
  sql: (async () => [
    { isStandby: true, identity, replayed: String(2n ** 62n), position: '1' },
  ]) as unknown as Sql,
};
const server = await startTestApp({
  database: own.database,
  replicas: [replica],
  settings: { replicaMaxLagMs: 30_000 },
});
await server.platform(samplePlatform());
await server.app.schedules.find(({ name }) => name === 'watch-replicas')!.run(new AbortController().signal);

async function readsFromReplica(): Promise<number> {
  const { text } = await server.operator('GET', '/metrics');
  return Number(/^postil_lagging_reads_total\{by="replica"\} (\d+)/m.exec(text)?.[1] ?? 0);
}

test('a person reads from replicas, but from the primary for a while after a change', async () => {
  const session = await signInAs(server, 'user-9001@acme.test');
  const [row] = await own.database.sql`SELECT id FROM organizations WHERE provider_organization_id = '1001'`;
  const scope = `scope=organization:${row!.id}`;
  const overview = `/dashboard/v1/metrics/summary?start_date=2026-03-01&end_date=2026-03-31&${scope}`;
  const read = await session.call('GET', overview);
  assert.equal(read.status, 200, read.text);
  assert.equal(read.headers['set-cookie'], undefined);
  assert.equal(await readsFromReplica(), 1);

  const changed = await session.call('POST', `/dashboard/v1/roles?${scope}`, { body: {} });
  assert.match(String(changed.headers['set-cookie']), /^postil_changed=1; Max-Age=35; Path=\/; HttpOnly/);
  const afterwards = sessionWith(server, `${session.cookie}; ${cookieOf(changed, 'postil_changed')}`);
  assert.equal((await afterwards.call('GET', overview)).status, 200);
  assert.equal(await readsFromReplica(), 1);
});
