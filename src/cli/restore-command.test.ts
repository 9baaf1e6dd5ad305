import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { runCommand } from '../../test/command-line.ts';
import { startTestApp } from '../../test/harness.ts';
import { createTestDatabase, urlOf } from '../../test/postgres.ts';
import { signInAs } from '../../test/session.ts';
import { backup } from '../db/backup/backup.ts';

test('a session or link that ended after the backup is not revived by a restore', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'postil-restore-'));
  after(() => rm(folder, { recursive: true, force: true }));
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
