import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { endedRun } from '../../../../test/ended-run.ts';
import { startTestApp } from '../../../../test/harness.ts';
import { urlOf } from '../../../../test/postgres.ts';
import { createPostilProcess } from '../../../../test/postil-process.ts';
import { member, organization, sampleKeys } from '../../../../test/sample-platform.ts';

// This server only accepts requests; the work is done by processes that can be killed.
const server = await startTestApp();
const { sql } = server.database;
const node = await createPostilProcess({ DATABASE_URL: urlOf(server.target) });
after(() => node.remove());
const newFile = (name: string, lines: readonly string[]) =>
  `diff --git a/${name} b/${name}\nnew file mode 100644\n--- /dev/null\n+++ b/${name}\n@@ -0,0 +1,${lines.length} @@\n${lines.map((line) => `+${line}\n`).join('')}`;

const code = (index: number) => [
  `export function load${index}(name: string): string {`,
  '  try {',
  '    return name;',
  '  } finally {',
  "    return '';",
  '  }',
  '}',
];

const many = (count: number) =>
  Array.from({ length: count }, (_, index) => newFile(`src/part-${index}.ts`, code(index))).join('');

async function newTenant(): Promise<string> {
  const own = organization({ members: [member('9001', { role: 'cr_admin', seat: true })] });
  await server.platform({ organizations: [own] });
  return server.createKey({ ...sampleKeys.user, org_id: own.provider_organization_id });
}

async function post(key: string, diff: string): Promise<string> {
  const answer = await server.call('POST', '/v1/reviews', { key, body: { repository_id: '501', diff } });
  assert.equal(answer.status, 202, answer.text);
  return answer.json.id;
}

/** One file of as many bytes as may be sent. */
function longFile(): string {
  const line = (index: number) => `export const text${String(index).padStart(6, '0')} = '${'x'.repeat(60)}';`;
  const head = newFile('src/long.ts', []);
  const count = Math.floor((5 * 1024 * 1024 - head.length - 100) / (line(0).length + 2));
  return newFile(
    'src/long.ts',
    Array.from({ length: count }, (_, index) => line(index)),
  );
}

test('no run is lost when the node that works on it is killed, and the next one needs no more memory than it may', {
  timeout: 600_000,
}, async () => {
  const tenants = await Promise.all([newTenant(), newTenant()]);
  const [first, second] = tenants as [string, string];
  const large = await post(first, many(1_200));
  const others = [await post(first, longFile()), await post(second, many(1))];
  await server.database.transaction(
    async (tx) => {
      // The lock keeps runs from storing findings, so that they are killed midway, however late the kill comes.
      await tx`LOCK TABLE review_run_findings IN SHARE ROW EXCLUSIVE MODE`;
      await node.start();
      while ((await sql`SELECT 1 FROM review_runs WHERE id = ${large} AND status = 'running'`).length === 0)
        await sleep(5);
      await node.kill();
    },
    { isLong: true },
  );
  const [left] = await sql`SELECT status, attempts FROM review_runs WHERE id = ${large}`;
  assert.deepEqual([left!.status, left!.attempts], ['running', 1]);

  await node.start();
  const run = await endedRun(server, large, first);
  assert.equal(run.coverage.length, 1_200);
  assert.equal(run.findings.length, 1_000);
  assert.deepEqual(
    [run.status, run.reason],
    ['degraded', '200 files were not reviewed completely (too_many_findings)'],
  );
  const [row] = await sql`SELECT attempts FROM review_runs WHERE id = ${large}`;
  assert.equal(row!.attempts, 2);
  const [long, small] = await Promise.all(others.map((id, index) => endedRun(server, id, tenants[index]!)));
  assert.equal(small.status, 'succeeded', small.reason);
  assert.equal(long.coverage.length, 1);
  assert.ok(['succeeded', 'degraded'].includes(long.status), long.status);
  const peak = await node.peakMebibytes();
  assert.ok(peak < 500, `${peak.toFixed(0)} MiB`);
  await node.kill();
});
