import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'csv-parse/sync';
import type { Log } from 'sarif';
import { fillInventory } from '../../../../test/fill-inventory.ts';
import { startTestApp } from '../../../../test/harness.ts';
import {
  finding,
  type ScannedOrganization,
  scannedOrganization,
} from '../../../../test/scanned-organization.ts';
import { realLog } from '../../../lib/sarif/fixtures/logs.ts';
import { schemaFaults } from '../../../lib/sarif/fixtures/official-schema.ts';
import { maxResponseBytes } from '../../../lib/wire/json-page.ts';

const app = await startTestApp();

async function sarif(org: ScannedOrganization, query = '?state=all'): Promise<Log> {
  const answer = await org.get(`${query}&format=sarif`);
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.headers['content-type'], 'application/sarif+json; charset=utf-8');
  assert.equal(answer.headers['content-disposition'], 'attachment; filename="security-findings.sarif"');
  const log = JSON.parse(answer.text);
  assert.deepEqual(schemaFaults(log), []);
  return log;
}

/** What must not change when an export is read back: everything but the scan that saw it last. */
async function facts(org: ScannedOrganization) {
  return (await org.all()).map(({ last_seen_at, scan_provenance, ...rest }) => rest);
}

test('CSV has the scalar fields in the order of the contract, then the nested ones, with the same values as JSON', async () => {
  const org = await scannedOrganization(app);
  await org.send(
    org.scan(1, [
      finding({
        title: '=cmd()',
        description: 'first line\nsecond, "quoted"',
        cwe: ['CWE-79', 'CWE-89'],
        reachability: { callStacks: [['main']], explanation: 'because' },
      }),
      finding({ title: 'plain', rule_id: 'other' }),
    ]),
    org.scan(2, [finding({ title: '=cmd()' })], { coverage_scope: 'directories', directories: ['src'] }),
  );
  const answer = await org.get('?state=all&format=csv');
  assert.equal(answer.headers['content-type'], 'text/csv; charset=utf-8; header=present');
  assert.equal(answer.headers['content-disposition'], 'attachment; filename="security-findings.csv"');
  const [header, ...records] = parse(answer.text, { record_delimiter: '\r\n' }) as string[][];
  assert.deepEqual(header, [
    ...['id', 'organization_id', 'organization_name', 'repository_id', 'repository_name', 'rule_id', 'title'],
    ...[
      'description',
      'severity',
      'state',
      'cwe',
      'file_path',
      'start_line',
      'end_line',
      'first_detected_at',
    ],
    ...['last_seen_at', 'fixed_at', 'scan_provenance_scan_id', 'scan_provenance_coverage_scope'],
    ...['scan_provenance_repository_id', 'scan_provenance_revision', 'scan_provenance_evidence_status'],
    ...['reachability_call_stacks', 'reachability_explanation'],
  ]);
  const cell = (value: unknown) => (value === null ? '' : String(value));
  const expected = (await org.all()).map(({ scan_provenance, reachability, ...scalars }) => [
    ...Object.values({ ...scalars, title: scalars.title.replace(/^=/, "'=") }).map(cell),
    ...Object.values(scan_provenance).map(cell),
    JSON.stringify(reachability.callStacks),
    cell(reachability.explanation),
  ]);
  assert.deepEqual(records.toSorted(), expected.toSorted());
});

test('an inventory without findings is a header row in CSV and a log without runs in SARIF', async () => {
  const org = await scannedOrganization(app);
  assert.match((await org.get('?format=csv')).text, /^id,organization_id,[^\r\n]+\r\n$/);
  assert.deepEqual((await sarif(org)).runs, []);
});

test('SARIF has one run per repository and revision, with rules, CWE taxa and the state of each finding', async () => {
  const org = await scannedOrganization(app);
  const named = (title: string, fields = {}) => finding({ title, rule_id: title, cwe: 'CWE-89', ...fields });
  await org.send(
    org.scan(1, [named('gone'), named('old', { file_path: 'lib/a.ts' }), named('dismissed')]),
    org.scan(1, [named('web')], { repository_id: '502', revision: 'main' }),
    org.scan(2, [named('old', { file_path: 'lib/a.ts' }), named('dismissed')]),
    org.scan(3, [named('new'), named('dismissed')], { coverage_scope: 'directories', directories: ['src'] }),
  );
  const dismissed = (await org.all()).find(({ title }) => title === 'dismissed')!;
  await org.send(org.dismissal(4, dismissed.id, 'Not reachable', 'bob'));
  const { runs } = await sarif(org);
  const revisions = runs.map((run) => run.versionControlProvenance?.[0]?.revisionId);
  assert.deepEqual(revisions.toSorted(), ['main', 'rev-1', 'rev-2', 'rev-3']);
  for (const run of runs)
    assert.deepEqual(
      run.taxonomies?.[0]?.taxa?.map(({ id }) => id),
      ['89'],
    );
  const results = new Map(runs.flatMap((run) => run.results ?? []).map((result) => [result.ruleId!, result]));
  const baseline = [...results].map(([rule, result]) => [rule, result.baselineState]).toSorted();
  assert.deepEqual(baseline, [
    ['dismissed', 'unchanged'],
    ['gone', 'absent'],
    ['new', 'new'],
    ['old', 'unchanged'],
    ['web', 'new'],
  ]);
  assert.deepEqual(results.get('dismissed')?.suppressions?.[0], {
    kind: 'external',
    status: 'accepted',
    justification: 'Not reachable',
    properties: { by: 'bob' },
  });
  assert.deepEqual(results.get('new')?.suppressions, []);
});

test('the fingerprints in SARIF survive moved lines', async () => {
  const org = await scannedOrganization(app);
  await org.send(org.scan(1, [finding({ start_line: 1, end_line: 1 })]));
  const before = (await sarif(org)).runs[0]?.results?.[0];
  await org.send(org.scan(2, [finding({ start_line: 70, end_line: 71 })]));
  const after = (await sarif(org)).runs[0]?.results?.[0];
  assert.deepEqual(after?.partialFingerprints, before?.partialFingerprints);
  assert.equal(after?.correlationGuid, before?.correlationGuid);
});

test('filters also apply to downloads', async () => {
  const org = await scannedOrganization(app);
  await org.send(
    org.scan(1, [finding({ severity: 'low' }), finding({ severity: 'high', rule_id: 'h' })]),
    org.scan(1, [finding({ severity: 'low', rule_id: 'web' })], { repository_id: '502' }),
  );
  const query = '?state=open&severity=low&repo_id=501';
  assert.equal(parse((await org.get(`${query}&format=csv`)).text, { columns: true }).length, 1);
  assert.deepEqual((await sarif(org, query)).runs.flatMap((run) => run.results ?? []).length, 1);
});

for (const name of ['eslint', 'biome', 'pmd', 'sarif-multitool']) {
  test(`a real log (${name}) is accepted, and reading back its export changes nothing`, async () => {
    const org = await scannedOrganization(app);
    await org.send(org.scan(1, null, { sarif: realLog(name) }));
    const before = await facts(org);
    assert.ok(before.length > 0);
    await org.send(org.scan(1, null, { sarif: realLog(name) }));
    assert.deepEqual(await facts(org), before);
    await org.send(org.scan(2, null, { sarif: await sarif(org) }));
    assert.deepEqual(await facts(org), before);
  });
}

test('a real log that is not SARIF 2.1.0 is rejected with the reason, and changes nothing', async () => {
  const org = await scannedOrganization(app);
  await org.send(org.scan(1, [finding()]));
  const answer = await app.events([org.scan(2, null, { sarif: realLog('ast-grep') })]);
  assert.equal(answer.json.errors[0].code, 'INVALID_REQUEST');
  assert.equal(answer.json.errors[0].message, 'data.sarif.version: is "0.51.0", expected "2.1.0"');
  assert.equal((await org.all())[0]?.state, 'open');
});

test('reading our own export leaves native, dismissed and fixed findings unchanged', async () => {
  const org = await scannedOrganization(app);
  const deep = { callStacks: [{ frames: ['a', { b: [1] }] }, null, 'x'], explanation: null };
  const named = (title: string, fields = {}) => finding({ title, rule_id: title, ...fields });
  await org.send(
    org.scan(1, [
      named('a', { reachability: deep, cwe: ['CWE-1', 'CWE-20'], description: 'long\ntext' }),
      named('b', { severity: 'info', file_path: 'src/with space/ü%.ts' }),
      named('c', { severity: 'critical', fingerprint: 'given' }),
      named('fixed'),
    ]),
    org.scan(2, [
      named('a', { reachability: deep, cwe: ['CWE-1', 'CWE-20'], description: 'long\ntext' }),
      named('b', { severity: 'info', file_path: 'src/with space/ü%.ts' }),
      named('c', { severity: 'critical', fingerprint: 'given' }),
    ]),
  );
  await org.send(org.dismissal(3, (await org.all())[2]!.id, 'Accepted', 'bob'));
  const before = await facts(org);
  assert.deepEqual(
    before.map(({ state }) => state),
    ['open', 'open', 'dismissed', 'fixed'],
  );
  await org.send(org.scan(4, null, { sarif: await sarif(org) }));
  assert.deepEqual(await facts(org), before);
  const suppressed = (await sarif(org)).runs.flatMap((run) => run.results ?? []);
  assert.equal(suppressed.filter(({ suppressions }) => suppressions?.length).length, 1);
});

test('reading our own export keeps white space, and the lines of a finding without a file', async () => {
  const org = await scannedOrganization(app);
  const spaced = finding({ rule_id: ' ', title: '\u2028Title ', description: 'ends here\u2028' });
  await org.send(org.scan(1, [spaced], { repository_id: '502' }));
  const region = { startLine: 2, endLine: 4 };
  const results = [{ ruleId: 'lock', message: { text: 'x' }, locations: [{ physicalLocation: { region } }] }];
  const log = { version: '2.1.0', runs: [{ tool: { driver: { name: 'scanner' } }, results }] };
  await org.send(org.scan(1, null, { sarif: log }));
  const before = await facts(org);
  assert.deepEqual(before.map(({ file_path, end_line }) => [file_path, end_line]).toSorted(), [
    ['', 4],
    ['src/app.ts', 4],
  ]);
  for (const repository_id of ['501', '502'])
    await org.send(
      org.scan(2, null, { repository_id, sarif: await sarif(org, `?state=all&repo_id=${repository_id}`) }),
    );
  assert.deepEqual(await facts(org), before);
});

test('50,000 records are returned, one more is rejected before it is read', async () => {
  const org = await scannedOrganization(app);
  await fillInventory(app.database.sql, org.orgId, 50_000, 0);
  const whole = await org.get('?format=csv');
  assert.equal(whole.status, 200, whole.text.slice(0, 200));
  assert.equal(whole.text.split('\r\n').length, 50_002);
  await fillInventory(app.database.sql, org.orgId, 1, 0);
  for (const format of ['csv', 'sarif']) {
    const refused = await org.get(`?format=${format}`);
    assert.deepEqual([refused.status, refused.json.error.code], [413, 'RESPONSE_TOO_LARGE']);
    assert.match(refused.json.error.message, /more than 50000 records/);
  }
});

for (const format of ['csv', 'sarif']) {
  test(`an inventory of exactly 16 MiB of ${format} is returned, and one byte more is rejected`, async () => {
    const org = await scannedOrganization(app);
    const fill = (count: number) => fillInventory(app.database.sql, org.orgId, count, 2_000);
    const bytes = async () => Buffer.byteLength((await org.get(`?format=${format}`)).text);
    await fill(1);
    const ofOne = await bytes();
    await fill(1);
    const ofEach = (await bytes()) - ofOne;
    const count = Math.floor((maxResponseBytes - ofOne) / ofEach);
    await fill(count - 1);
    const describe = (length: number) => app.database.sql`
      UPDATE security_findings SET description = repeat('d', ${length}::int) WHERE id = (
        SELECT f.id FROM security_findings f JOIN organizations o ON o.id = f.organization_id
        WHERE o.provider_organization_id = ${org.orgId} ORDER BY f.id LIMIT 1)`;
    const room = 2_000 + maxResponseBytes - ofOne - count * ofEach;
    await describe(room);
    assert.equal(await bytes(), maxResponseBytes);
    await describe(room + 1);
    const refused = await org.get(`?format=${format}`);
    assert.deepEqual([refused.status, refused.json.error.code], [413, 'RESPONSE_TOO_LARGE']);
  });
}

test('an inventory whose texts alone have more than 16 MiB is rejected before it is read', async () => {
  const org = await scannedOrganization(app);
  await fillInventory(app.database.sql, org.orgId, 900, 20_000);
  for (const format of ['csv', 'sarif']) assert.equal((await org.get(`?format=${format}`)).status, 413);
});

test('at most two downloads are built at once; others wait', async () => {
  const org = await scannedOrganization(app);
  await app.resetLimits();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: locked, resolve: tellLocked } = Promise.withResolvers<void>();
  const holding = app.database.transaction(async (tx) => {
    await tx`LOCK TABLE security_findings IN ACCESS EXCLUSIVE MODE`;
    tellLocked();
    await released;
  });
  await locked;
  const downloads = Array.from({ length: 4 }, () => app.get('/v1/security/scans/code?format=csv', org.key));
  const waiting = async () => {
    const [row] = await app.database.sql<[{ count: number }]>`
      SELECT count(*) AS count FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    return row.count;
  };
  while ((await waiting()) < 2) await sleep(20);
  await sleep(300);
  const atOnce = await waiting();
  release();
  await holding;
  for (const answer of await Promise.all(downloads)) assert.equal(answer.status, 200);
  assert.equal(atOnce, 2);
});
