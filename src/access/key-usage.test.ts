import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestApp } from '../../test/harness.ts';
import { sampleKeys, samplePlatform } from '../../test/sample-platform.ts';

test('the last use of each key is saved when the server stops, and never moves backward', async () => {
  const test$ = await startTestApp();
  await test$.platform(samplePlatform());
  const used = await test$.createKey(sampleKeys.organization);
  const unused = await test$.createKey(sampleKeys.user);
  assert.ok(unused);
  const first = test$.now;
  const nodes = [await test$.secondNode(), await test$.secondNode()];
  await nodes[0]!.get('/v1/me', used);
  test$.now = new Date(first.getTime() - 60_000);
  await nodes[1]!.get('/v1/me', used);
  await nodes[0]!.app.close();
  await nodes[1]!.app.close();
  const rows = await test$.database.sql`SELECT kind, last_used_at FROM api_keys ORDER BY kind`;
  assert.deepEqual(
    rows.map((row) => [row.kind, row.last_used_at]),
    [
      ['organization', first],
      ['user', null],
    ],
  );
});
