import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { startTestApp } from '../../../../test/harness.ts';
import { storeFindings } from '../../../../test/posted-findings.ts';
import { createTestDatabase } from '../../../../test/postgres.ts';
import { removeFolder } from '../../../../test/remove-folder.ts';
import { samplePlatform } from '../../../../test/sample-platform.ts';
import { restore } from '../../../db/backup/restore-backup.ts';
import { backup } from '../../../db/backup/write-backup.ts';
import type { OrganizationId } from '../../../lib/ids.ts';

const server = await startTestApp();
await server.platform(samplePlatform());
const folder = await mkdtemp(path.join(tmpdir(), 'postil-counts-'));
after(() => removeFolder(folder));

test('a restored database has the counts of rules that it had, not twice', async () => {
  const { sql } = server.database;
  const [at] = await sql<{ organizationId: OrganizationId; repositoryId: string }[]>`
    SELECT organization_id AS "organizationId", id AS "repositoryId" FROM repositories LIMIT 1`;
  const findings = ['one', 'two'].map((id, index) => ({
    id,
    pull: 1 + index,
    rules: ['ruff/F401'],
    accepted: false,
  }));
  await storeFindings(sql, at!, findings);
  const file = path.join(folder, 'whole.backup');
  await backup(server.database, file);
  const fresh = await createTestDatabase({ empty: true });
  try {
    await restore(fresh.database, file);
    const [row] = await fresh.database
      .sql`SELECT posted::int, rejected::int, pull_requests::int FROM review_rules`;
    assert.deepEqual({ ...row }, { posted: 2, rejected: 2, pull_requests: 2 });
  } finally {
    await fresh.drop();
  }
  // Tables are restored in any order.
  await server.database.transaction(async (tx) => {
    await tx`SELECT set_config('postil.restoring', 'on', true)`;
    await storeFindings(tx, at!, [{ id: 'three', pull: 3, rules: ['ruff/F401'], accepted: false }]);
  });
  const [same] = await sql`SELECT posted::int, rejected::int, pull_requests::int FROM review_rules`;
  assert.deepEqual({ ...same }, { posted: 2, rejected: 2, pull_requests: 2 });
});
