import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, openDatabase } from '../src/db/database.ts';
import { loadCursorSecret } from '../src/http/cursor.ts';
import { openDatabaseProxy } from './database-proxy.ts';
import { type Answer, operatorToken, startTestApp, type TestApp } from './harness.ts';
import { patience } from './patience.ts';
import { createTestDatabase } from './postgres.ts';
import { pullRequest, pullRequestEvent } from './review-events.ts';
import { sampleKeys, samplePlatform } from './sample-platform.ts';
import { signInAs } from './session.ts';
import { openTlsFront } from './tls-front.ts';

interface Troubled {
  readonly server: TestApp;
  /** The administrator's own connection, separate from the server's. */
  readonly admin: Database;
  readonly database: Database;
}

/** Starts the test app with as many connections as in production, and long timeouts for connections and locks by default. */
async function startTroubled(
  prepare: (admin: Database) => Promise<unknown> = async () => {},
  patienceMs = 120_000,
): Promise<Troubled> {
  const { database: admin, target, drop } = await createTestDatabase();
  await prepare(admin);
  const database = openDatabase(target, {
    maxConnections: 24,
    ...patience,
    maxWaitMs: patienceMs,
    timeouts: { lockMs: patienceMs, idleInTransactionMs: 60_000 },
  });
  after(async () => {
    await database.close();
    await drop();
  });
  return { server: await startTestApp({ database }), admin, database };
}

function assertUnavailable(answer: Answer, message: RegExp): void {
  assert.equal(answer.status, 503, answer.text);
  assert.match(answer.json.error.message, message);
  assert.equal(answer.json.error.code, 'SERVICE_UNAVAILABLE');
  assert.match(answer.headers['retry-after']!, /^[1-9]\d*$/);
}

const warnings = (server: TestApp) => server.logLines.filter((line) => JSON.parse(line).level >= 40);

async function countBlocked({ sql }: Database): Promise<number> {
  const [row] = await sql<[{ blocked: number }]>`
    SELECT count(*)::int AS blocked FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  return row.blocked;
}

async function waitUntilBlocked(database: Database, atLeast: number): Promise<void> {
  while ((await countBlocked(database)) < atLeast) await sleep(20);
}

test('while one writer stalls, ingest is rejected as busy and everything else works', async () => {
  // Long enough that several requests wait at the same time, however slowly they arrive.
  const { server, admin } = await startTroubled(async () => {}, 12_000);
  await server.platform(samplePlatform());
  const key = await server.createKey(sampleKeys.organization);
  const events = Array.from({ length: 14 }, () => pullRequestEvent(pullRequest({ author_id: null })));

  const refused = await admin.transaction(async (tx) => {
    await tx`UPDATE write_clock SET storage_version = storage_version`;
    const ingests = events.map((event) => server.events([event]));
    await waitUntilBlocked(admin, 4);
    const others = await Promise.all([
      server.call('POST', '/v1/users/seats', { key, body: { action: 'assign', user_ids: ['9002'] } }),
      server.get('/v1/users', key),
      server.get('/v1/metrics/reviews?start_date=2026-03-01&end_date=2026-03-31', key),
      server.get('/ready'),
    ]);
    assert.deepEqual(
      others.map(({ status }) => status),
      [200, 200, 200, 200],
    );
    return Promise.all(ingests);
  });
  for (const answer of refused) assertUnavailable(answer, /busy/);
  assert.equal(warnings(server).length, events.length, 'every refusal is logged');

  const again = await server.events(events);
  assert.equal(again.json.accepted, events.length, again.text);
});

test('overviews that are counted from their entries leave connections for everything else', async () => {
  const { server, admin } = await startTroubled();
  await server.platform(samplePlatform());
  const key = await server.createKey(sampleKeys.organization);
  const session = await signInAs(server, 'user-9001@acme.test');
  const [own] = await admin.sql`SELECT id FROM organizations WHERE provider_organization_id = '1001'`;
  await admin.sql`
    INSERT INTO comment_sum_backlog SELECT organization_id, id FROM repositories WHERE organization_id = ${own!.id}
    ON CONFLICT DO NOTHING`;
  const window = 'start_date=2026-03-01&end_date=2026-03-31';
  await admin
    .transaction(async (tx) => {
      await tx`LOCK TABLE review_metrics IN ACCESS EXCLUSIVE MODE`;
      const asked = Array.from({ length: 14 }, () =>
        session.call('GET', `/dashboard/v1/metrics/summary?${window}&scope=organization:${own!.id}`),
      );
      await waitUntilBlocked(admin, 2);
      const seat = { action: 'assign', user_ids: ['9002'] };
      assert.equal((await server.call('POST', '/v1/users/seats', { key, body: seat })).status, 200);
      assert.equal(await countBlocked(admin), 2);
      // The requests that wait in the queue are answered once the table is unlocked.
      return { asked };
    })
    .then(async ({ asked }) => {
      const statuses = (await Promise.all(asked)).map(({ status }) => status);
      assert.ok(statuses.every((status) => status === 200 || status === 503));
    });
});

test('readiness reports when no transaction can be started', async () => {
  const { server, database } = await startTroubled(async () => {}, 2_000);
  assert.equal((await server.get('/ready')).status, 200);
  const end = Promise.withResolvers<void>();
  const holders = Array.from({ length: 12 }, () => database.transaction(() => end.promise));
  assertUnavailable(await server.get('/ready'), /busy/);
  end.resolve();
  await Promise.all(holders);
  assert.equal((await server.get('/ready')).status, 200);
  assert.equal(warnings(server).length, 1);
});

/** Makes every pull request from this number on fail with the code. */
async function failFrom({ sql }: Database, number: number, code: string): Promise<void> {
  await sql.unsafe(`
    CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN IF NEW.number >= ${number} THEN RAISE EXCEPTION 'refused' USING ERRCODE = '${code}'; END IF; RETURN NEW; END $$;
    CREATE OR REPLACE TRIGGER refuse BEFORE INSERT ON pull_requests FOR EACH ROW EXECUTE FUNCTION refuse()`);
}

const someEvents = (numbers: readonly number[]) =>
  numbers.map((number) => pullRequestEvent(pullRequest({ number })));

test('a temporary database error is 503 for the whole request, which can be sent again', async () => {
  const { server, admin } = await startTroubled();
  await server.platform(samplePlatform());
  for (const [code, message] of [
    ['53100', /disk space/],
    ['25006', /read-only/],
    ['53200', /overloaded/],
    ['53300', /overloaded/],
    ['55P03', /busy/],
    ['57014', /busy/],
    ['57P03', /unreachable/],
  ] as const) {
    await failFrom(admin, 0, code);
    server.logLines.length = 0;
    const events = someEvents([1, 2, 3].map((n) => Number.parseInt(code, 36) + n));
    assertUnavailable(await server.events(events), message);
    assert.equal(warnings(server).length, 1, code);
    await admin.sql`DROP TRIGGER refuse ON pull_requests`;
    const again = await server.events(events);
    assert.deepEqual([again.json.accepted, again.json.failed], [3, 0], again.text);
  }
});

test('an event that the database rejects for its own content still fails alone', async () => {
  const { server, admin } = await startTroubled();
  await server.platform(samplePlatform());
  await failFrom(admin, 3, '22023');
  const { status, json } = await server.events(someEvents([1, 2, 3]));
  assert.deepEqual([status, json.accepted, json.failed, json.errors[0].code], [200, 2, 1, 'INTERNAL_ERROR']);
});

async function sendStream(
  url: string,
  lines: readonly string[],
): Promise<{ status: number; json: Record<string, number> }> {
  const sending = httpRequest(`${url}/operator/v1/events`, {
    method: 'POST',
    headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/x-ndjson' },
  });
  const answered = once(sending, 'response');
  for (const line of lines) {
    if (!sending.write(`${line}\n`)) await Promise.race([once(sending, 'drain'), answered]);
  }
  sending.end();
  const [response] = await answered;
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk;
  return { status: response.statusCode, json: JSON.parse(text) };
}

test('a stream that cannot be stored completely is 503, even while it is still being sent; stored events are kept', async () => {
  const { server, admin } = await startTroubled();
  await server.platform(samplePlatform());
  await server.app.server.listen({ port: 0, host: '127.0.0.1' });
  const url = `http://127.0.0.1:${(server.app.server.server.address() as AddressInfo).port}`;
  const numbers = Array.from({ length: 12_000 }, (_, index) => 1 + index);
  const lines = someEvents(numbers).map((event) => JSON.stringify(event));
  await failFrom(admin, 1500, '53100');
  const refused = await sendStream(url, lines);
  assert.equal(refused.status, 503);
  await admin.sql`DROP TRIGGER refuse ON pull_requests`;
  const again = await sendStream(url, lines);
  assert.equal(again.status, 200);
  assert.deepEqual([again.json.duplicate, again.json.accepted, again.json.failed], [1000, 11_000, 0]);
});

test('a read-only database is not ready, and requests say why', async () => {
  const { server } = await startTroubled(async ({ sql }) => {
    const [own] = await sql<[{ name: string }]>`SELECT current_database() AS name`;
    await loadCursorSecret(sql);
    await sql.unsafe(`ALTER DATABASE ${own.name} SET default_transaction_read_only = on`);
  });
  assertUnavailable(await server.get('/ready'), /read-only/);
  assertUnavailable(await server.events(someEvents([1])), /read-only/);
  assertUnavailable(await server.operator('PUT', '/operator/v1/platform', samplePlatform()), /read-only/);
});

test('a database without space is not ready until something can be written again', async () => {
  const { server, admin } = await startTroubled();
  await server.platform(samplePlatform());
  await failFrom(admin, 0, '53100');
  await admin.sql.unsafe(`
    CREATE FUNCTION no_space() RETURNS event_trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'no space left' USING ERRCODE = '53100'; END $$;
    CREATE EVENT TRIGGER no_space ON ddl_command_start WHEN TAG IN ('CREATE TABLE') EXECUTE FUNCTION no_space()`);
  assert.equal((await server.get('/ready')).status, 200, 'nothing was refused yet');
  assertUnavailable(await server.events(someEvents([1])), /disk space/);
  assertUnavailable(await server.get('/ready'), /disk space/);
  await admin.sql`DROP EVENT TRIGGER no_space`;
  assert.equal((await server.get('/ready')).status, 200);
});

test('over TLS too, a database that recovers from a crash is 503, and needs no restart of the server', async () => {
  const { database: admin, target, drop } = await createTestDatabase();
  const proxy = await openDatabaseProxy(target);
  const front = await openTlsFront(proxy.target);
  const database = openDatabase({ url: front.url('require') }, { maxConnections: 4, ...patience });
  after(async () => {
    await database.close();
    await front.close();
    await proxy.close();
    await drop();
  });
  const server = await startTestApp({ database });
  await server.platform(samplePlatform());
  const key = await server.createKey(sampleKeys.organization);
  const asked = () => Promise.all(['/v1/users', '/ready'].map((path) => server.get(path, key)));

  // Connections that are lost during a statement must not be reopened in a loop.
  const busy = Promise.allSettled([1, 2].map(() => database.sql`SELECT pg_sleep(60)`));
  const countBusy = () => admin.sql`SELECT FROM pg_stat_activity WHERE query = 'SELECT pg_sleep(60)'`;
  while ((await countBusy()).length < 2) await sleep(20);
  proxy.recover(true);
  await busy;
  for (const answer of [...(await asked()), ...(await asked())]) assertUnavailable(answer, /unreachable/);
  proxy.recover(false);
  for (const { status, text } of await asked()) assert.equal(status, 200, text);
});
