import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { runCommand } from '../../test/command-line.ts';
import { startTestApp } from '../../test/harness.ts';
import { createTestDatabase, urlOf } from '../../test/postgres.ts';
import { removeFolder } from '../../test/remove-folder.ts';
import { sampleKeys, samplePlatform } from '../../test/sample-platform.ts';
import { signInAs } from '../../test/session.ts';
import { backup } from '../db/backup/write-backup.ts';

test('a session or link that ended after the backup is not revived by a restore', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'postil-restore-'));
  after(() => removeFolder(folder));
  const app = await startTestApp();
  await signInAs(app, 'root@postil.test', { isInstallationAdmin: true });
  await app.operator('POST', '/operator/v1/dashboard-invitations', { email: 'root@postil.test' });
  const file = path.join(folder, 'all.backup');
  await backup(app.database, file);

  const fresh = await createTestDatabase({ empty: true });
  after(fresh.drop);
  const { code, err } = await runCommand(['restore', file], { DATABASE_URL: urlOf(fresh.target) });
  assert.equal(code, 0, err);
  const { sql } = fresh.database;
  assert.equal((await sql`SELECT 1 FROM dashboard_sessions`).length, 0);
  assert.equal((await sql`SELECT 1 FROM dashboard_invitations`).length, 0);
  assert.equal(
    (await sql`SELECT 1 FROM dashboard_accounts`).length,
    1,
    'people and their passwords are restored',
  );
});

test('unsent messages in a restored database are held back, unless nothing can have been sent since', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'postil-restore-'));
  after(() => removeFolder(folder));
  const app = await startTestApp({ settings: { customerAddresses: { ranges: [], hosts: ['hooks.test'] } } });
  await app.platform(samplePlatform());
  const key = await app.createKey({ ...sampleKeys.organization, expires_at: null });
  const body = { url: 'https://hooks.test/', types: ['postil.member.changed'] };
  const { json: webhook } = await app.call('POST', '/v1/webhooks', { key, body });
  assert.equal((await app.call('POST', `/v1/webhooks/${webhook.id}/test`, { key })).status, 202);
  // One digest that waits to be sent, and one that became due but was not created.
  await app.database.sql.unsafe(`
    WITH digest AS (
      INSERT INTO digests (organization_id, id, weekday, hour, recipients, active, next_due_at, created_at)
      SELECT id, id, 1, 7, '{a@acme.test}', true, CASE provider_organization_id WHEN '1001' THEN '2999-01-01' ELSE '2026-06-01' END::timestamptz, now()
      FROM organizations WHERE provider_organization_id IN ('1001', '1002') RETURNING *
    ), issue AS (
      INSERT INTO digest_issues SELECT organization_id, id, '2026-06-07', '{}', now() FROM digest WHERE next_due_at > now() RETURNING *
    )
    INSERT INTO digest_sendings (organization_id, digest_id, end_date, recipient, state, next_attempt_at, changed_at)
    SELECT organization_id, digest_id, end_date, 'a@acme.test', 'waiting', now(), now() FROM issue`);
  const file = path.join(folder, 'all.backup');
  await backup(app.database, file);

  const waiting = async (options: readonly string[]) => {
    const fresh = await createTestDatabase({ empty: true });
    after(fresh.drop);
    const { sql } = fresh.database;
    const env = { DATABASE_URL: urlOf(fresh.target) };
    const { code, out, err } = await runCommand(['restore', file, ...options], env);
    assert.equal(code, 0, err);
    const deliveries = await sql`SELECT status FROM webhook_deliveries`;
    const sendings = await sql`SELECT state FROM digest_sendings`;
    const overdue = await sql`SELECT 1 FROM digests WHERE next_due_at <= now()`;
    return { env, sql, out, found: [deliveries[0]!.status, sendings[0]!.state, overdue.length] };
  };
  const asWas = await waiting(['--send-waiting']);
  assert.deepEqual(asWas.found, ['waiting', 'waiting', 1]);
  assert.doesNotMatch(asWas.out, /Held back/);
  const held = await waiting([]);
  assert.deepEqual(held.found, ['failed', 'unknown', 0]);
  assert.match(held.out, /^Held back, .*: 1 webhook deliveries, 2 digests\.$/m);

  // Also for a database that was restored by other means, with heartbeats in it, but never while a server runs.
  await asWas.sql`INSERT INTO nodes (node, seen_at) VALUES (gen_random_uuid(), clock_timestamp()), (gen_random_uuid(), clock_timestamp())`;
  const beating = setInterval(() => {
    // Acts like a server: one of the two nodes is alive.
    asWas.sql`UPDATE nodes SET seen_at = clock_timestamp() WHERE node = (SELECT min(node::text)::uuid FROM nodes)`.catch(
      () => {},
    );
  }, 500);
  const refused = await runCommand(['restore', '--finish'], asWas.env);
  clearInterval(beating);
  assert.deepEqual([refused.code, /A server is running/.test(refused.err)], [1, true]);
  // Recent by any clock, but they do not change, so they are only copies.
  await asWas.sql`UPDATE nodes SET seen_at = clock_timestamp() + interval '1 hour'`;
  const finished = await runCommand(['restore', '--finish'], asWas.env);
  assert.match(finished.out, /^Held back, .*: 1 webhook deliveries, 2 digests\.$/m);
  for (const way of [[], [file, '--finish'], ['--until', 'latest', '--finish'], ['--until', 'yesterday']])
    assert.equal((await runCommand(['restore', ...way], asWas.env)).code, 2, way.join(' '));
});
