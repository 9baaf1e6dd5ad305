import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { runCommand } from '../../../test/command-line.ts';
import { endedRun } from '../../../test/ended-run.ts';
import { operatorToken, startTestApp } from '../../../test/harness.ts';
import { portOf } from '../../../test/late-caller.ts';
import { member, organization, sampleKeys } from '../../../test/sample-platform.ts';
import { dependencies } from '../../reviewer/rules/dependencies/dependencies.ts';

const server = await startTestApp({ ruleSources: async () => [dependencies] });
await server.queue.startWorkers();
const own = organization({ members: [member('9001', { role: 'cr_admin', seat: true })] });
await server.platform({ organizations: [own] });
const key = await server.createKey({ ...sampleKeys.user, org_id: own.provider_organization_id });
const asOperator = {
  POSTIL_URL: `http://127.0.0.1:${await portOf(server)}`,
  POSTIL_OPERATOR_TOKEN: operatorToken,
};
const long = { timeout: 600_000 };
const folder = await mkdtemp(path.join(tmpdir(), 'postil-osv-'));
after(() => rm(folder, { recursive: true }));

const document = (id: string, more: object = {}) => ({
  id,
  summary: 'Pads too much.',
  database_specific: { severity: 'HIGH' },
  affected: [
    {
      package: { ecosystem: 'npm', name: 'left-pad' },
      ranges: [{ type: 'SEMVER', events: [{ introduced: '1.0.0' }, { fixed: '1.3.1' }] }],
    },
  ],
  ...more,
});

async function importFolder(...documents: ReturnType<typeof document>[]) {
  for (const each of documents) await writeFile(path.join(folder, `${each.id}.json`), JSON.stringify(each));
  return runCommand(['osv', 'import', folder], asOperator);
}

async function review() {
  const lock = JSON.stringify(
    { lockfileVersion: 3, packages: { '': {}, 'node_modules/left-pad': { version: '1.3.0' } } },
    null,
    2,
  );
  const lines = lock.split('\n');
  const diff = `--- /dev/null\n+++ b/package-lock.json\n@@ -0,0 +1,${lines.length} @@\n${lines.map((line) => `+${line}\n`).join('')}`;
  const answer = await server.call('POST', '/v1/reviews', { key, body: { repository_id: '501', diff } });
  assert.equal(answer.status, 202, answer.text);
  return endedRun(server, answer.json.id, key);
}

test('without data a run says so once, and claims nothing', long, async () => {
  const run = await review();
  assert.deepEqual([run.status, run.findings], ['succeeded', []]);
  assert.deepEqual(run.notes, [
    'No version was checked for known vulnerabilities: there are no advisories here (docs/dependencies-review.md).',
  ]);
  assert.deepEqual(run.report.dependencies[0].vulnerabilities, []);
});

test(
  'imported advisories are used by runs; importing again changes nothing, withdrawn ones leave, absent ones stay',
  long,
  async () => {
    const first = await importFolder(
      document('GHSA-1'),
      document('GHSA-2', { database_specific: { severity: 'LOW' } }),
    );
    assert.deepEqual(
      [first.code, first.err, first.out],
      [0, '', '2 new or changed, 0 withdrawn, 2 in total\n'],
    );
    assert.equal((await importFolder()).out, '0 new or changed, 0 withdrawn, 2 in total\n');
    const run = await review();
    assert.deepEqual(run.notes, []);
    assert.deepEqual(run.report.dependencies[0].vulnerabilities, ['GHSA-1', 'GHSA-2']);
    assert.deepEqual(
      run.findings.map((each: Record<string, unknown>) => [
        each.path,
        each.start_line,
        each.severity,
        (each.source as { name: string }).name,
      ]),
      [['package-lock.json', 5, 'major', 'dependencies/vulnerable']],
    );
    assert.match(
      run.findings[0].body,
      /`left-pad` 1\.3\.0 is affected by GHSA-1 \(Pads too much\), fixed in 1\.3\.1; GHSA-2/,
    );
    await rm(path.join(folder, 'GHSA-2.json'));
    const withdrawn = await importFolder(document('GHSA-1', { withdrawn: '2025-01-01T00:00:00Z' }));
    assert.equal(withdrawn.out, '0 new or changed, 1 withdrawn, 1 in total\n');
    assert.deepEqual((await review()).report.dependencies[0].vulnerabilities, ['GHSA-2']);
  },
);

test('what is no advisory is refused, and nothing is stored', long, async () => {
  const missing = await runCommand(['osv', 'import', path.join(folder, 'away')], asOperator);
  assert.equal(missing.code, 2);
  const local = await runCommand(['review', '--osv', path.join(folder, 'away')], {});
  assert.deepEqual([local.code, /There is no folder .*away with advisories/.test(local.err)], [2, true]);
  await writeFile(path.join(folder, 'broken.zip'), 'text');
  assert.equal((await importFolder()).code, 1);
  const body = {
    advisories: [{ id: 'GHSA-9', summary: '', severity: 'worst', affected: [] }],
    withdrawn: [],
  };
  const refused = await server.operator('POST', '/operator/v1/osv/advisories', body);
  assert.equal(refused.status, 400);
  const [stored] = await server.database
    .sql`SELECT count(*)::int AS count FROM osv_advisories WHERE id = 'GHSA-9'`;
  assert.equal(stored!.count, 0);
});
