import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestApp } from '../../test/harness.ts';
import { samplePlatform } from '../../test/sample-platform.ts';
import { signInAs } from '../../test/session.ts';
import { deleteInSteps } from './delete-in-steps.ts';

const dayMs = 24 * 60 * 60 * 1000;
const server = await startTestApp({ settings: { webhookMemoryDays: 2 } });
await server.platform(samplePlatform());
const { sql } = server.database;
const daysAgo = (days: number) => new Date(server.now.getTime() - days * dayMs);
const runSchedule = (name: string) =>
  server.app.schedules.find((schedule) => schedule.name === name)!.run(new AbortController().signal);

test('many rows are deleted in small steps, until none remain or the server stops', async () => {
  await sql`CREATE TABLE numbers AS SELECT n FROM generate_series(1, 2500) n`;
  const steps: number[] = [];
  const deleteSome = async (limit: number) => {
    const result = await sql`DELETE FROM numbers WHERE n IN (SELECT n FROM numbers LIMIT ${limit})`;
    steps.push(result.count);
    return result;
  };
  await deleteInSteps(AbortSignal.abort(), deleteSome);
  assert.deepEqual(steps, []);
  await deleteInSteps(new AbortController().signal, deleteSome);
  assert.deepEqual(steps, [1000, 1000, 500]);
});

test('sessions that have expired are deleted, however many, and no others', async () => {
  await signInAs(server, 'user-9001@acme.test');
  await sql`
    INSERT INTO dashboard_sessions (id_hash, person_id, created_at, last_seen_at, expires_at)
    SELECT sha256(n::text::bytea), person_id, ${daysAgo(9)}, ${daysAgo(9)}, ${daysAgo(1)}
    FROM dashboard_accounts, generate_series(1, 1500) n`;
  await runSchedule('forget-ended-sessions');
  assert.equal((await sql`SELECT FROM dashboard_sessions`).length, 1);
});

test('deliveries to webhooks are kept for the time that the operator has configured', async () => {
  await sql`
    INSERT INTO webhook_deliveries (organization_id, webhook_id, id, type, subject, data, created_at, status)
    SELECT o.id, o.id, gen_random_uuid(), 'test', 'test', '{}', created, 'delivered'
    FROM organizations o, unnest(${[daysAgo(1), daysAgo(3)].map((day) => day.toISOString())}::timestamptz[]) AS created
    WHERE o.provider_organization_id = '1001'`;
  await runSchedule('prune webhooks');
  const left = await sql<{ at: Date }[]>`SELECT created_at AS at FROM webhook_deliveries`;
  assert.deepEqual(
    left.map(({ at }) => at),
    [daysAgo(1)],
  );
});
