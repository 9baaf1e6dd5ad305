import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestApp } from '../../../../test/harness.ts';
import { finding, scannedOrganization } from '../../../../test/scanned-organization.ts';

const app = await startTestApp();
const named = (title: string, fields: Record<string, unknown> = {}) =>
  finding({ title, rule_id: title, ...fields });
const day = (number: number) => `2026-01-0${number}T00:00:00.000Z`;

test('a finding has every field of the contract, in its order', async () => {
  const org = await scannedOrganization(app);
  const callStacks = [[{ function: 'main', line: 3 }], 'free text'];
  await org.send(
    org.scan(1, [
      finding({
        description: 'Input reaches a query',
        cwe: 'cwe-089, CWE-20',
        file_path: './src//app.ts',
        reachability: { callStacks, explanation: 'Called by main' },
      }),
    ]),
  );
  const answer = await org.get();
  const [row] = answer.json.data;
  assert.deepEqual(row, {
    id: row.id,
    organization_id: org.orgId,
    organization_name: `org-${org.orgId}`,
    repository_id: '501',
    repository_name: 'api',
    rule_id: 'sql-injection',
    title: 'SQL injection',
    description: 'Input reaches a query',
    severity: 'high',
    state: 'open',
    cwe: 'CWE-20,CWE-89',
    file_path: 'src/app.ts',
    start_line: 3,
    end_line: 4,
    first_detected_at: day(1),
    last_seen_at: day(1),
    fixed_at: null,
    scan_provenance: {
      scanId: 'scan-1',
      coverageScope: 'repository',
      repositoryId: '501',
      revision: 'rev-1',
      evidenceStatus: 'current',
    },
    reachability: { callStacks, explanation: 'Called by main' },
  });
  assert.deepEqual(Object.keys(row), [
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
    ...['last_seen_at', 'fixed_at', 'scan_provenance', 'reachability'],
  ]);
  assert.equal(answer.json.next_cursor, null);
});

test('what a scan does not report is null or empty', async () => {
  const org = await scannedOrganization(app);
  await org.send(org.scan(1, [finding({ cwe: null })]));
  const [row] = await org.all();
  assert.equal(row?.description, null);
  assert.equal(row?.cwe, null);
  assert.deepEqual(row?.reachability, { callStacks: [], explanation: null });
});

test('a whole-repository scan closes what it no longer finds and reopens what returns', async () => {
  const org = await scannedOrganization(app);
  await org.send(org.scan(1, [named('a'), named('b')]));
  await org.send(org.scan(2, [named('b')]));
  const [fixed, stays] = await org.all();
  assert.deepEqual(
    [fixed?.state, fixed?.first_detected_at, fixed?.last_seen_at, fixed?.fixed_at],
    ['fixed', day(1), day(1), day(2)],
  );
  assert.equal(fixed?.scan_provenance.evidenceStatus, 'superseded');
  assert.deepEqual(
    [stays?.state, stays?.first_detected_at, stays?.last_seen_at, stays?.fixed_at],
    ['open', day(1), day(2), null],
  );
  await org.send(org.scan(3, [named('a'), named('b')]));
  const [returned] = await org.all();
  assert.deepEqual(
    [returned?.id, returned?.state, returned?.first_detected_at, returned?.last_seen_at, returned?.fixed_at],
    [fixed?.id, 'open', day(1), day(3), null],
  );
});

test('a whole-repository scan without findings closes everything, in its own repository only', async () => {
  const org = await scannedOrganization(app);
  await org.send(org.scan(1, [named('a')]), org.scan(1, [named('b')], { repository_id: '502' }));
  await org.send(org.scan(2, []));
  assert.deepEqual(await org.states(), { a: 'fixed', b: 'open' });
});

test('the fix is dated by the first scan that no longer found it, not by a later one', async () => {
  const org = await scannedOrganization(app);
  await org.send(org.scan(1, [named('a')]), org.scan(2, []), org.scan(3, []));
  assert.equal((await org.all())[0]?.fixed_at, day(2));
});

test('a finding keeps its identity when its lines move, and shows where it is now', async () => {
  const org = await scannedOrganization(app);
  await org.send(org.scan(1, [finding({ start_line: 3, end_line: 4 })]));
  const [before] = await org.all();
  await org.send(org.scan(2, [finding({ start_line: 30, end_line: 31, severity: 'critical' })]));
  const rows = await org.all();
  assert.equal(rows.length, 1);
  assert.deepEqual(
    [rows[0]?.id, rows[0]?.start_line, rows[0]?.end_line, rows[0]?.severity],
    [before?.id, 30, 31, 'critical'],
  );
});

test('a reported fingerprint keeps the identity within its file, whatever else changes there', async () => {
  const org = await scannedOrganization(app);
  await org.send(org.scan(1, [named('before', { rule_id: 'r1', fingerprint: 'f-1' })]));
  await org.send(org.scan(2, [named('after', { rule_id: 'r1', fingerprint: 'f-1', end_line: 90 })]));
  assert.deepEqual(await org.states(), { after: 'open' });
});

test('a scan of directories does not affect findings with the same fingerprint outside them', async () => {
  const org = await scannedOrganization(app);
  const [outside, inside] = ['a/x.ts', 'b/y.ts'].map((path) =>
    named(path, { rule_id: 'r1', file_path: path, fingerprint: 'same' }),
  );
  await org.send(org.scan(1, [outside!, inside!]));
  await org.send(org.scan(2, [inside!], { coverage_scope: 'directories', directories: ['b'] }));
  assert.deepEqual(await org.states(), { 'a/x.ts': 'open', 'b/y.ts': 'open' });
  await org.send(org.scan(3, [], { coverage_scope: 'directories', directories: ['a'] }));
  assert.deepEqual(await org.states(), { 'a/x.ts': 'fixed', 'b/y.ts': 'open' });
});

test('a scan of directories only affects findings inside them, however they are written', async () => {
  const org = await scannedOrganization(app);
  const everywhere = ['src/a.ts', 'src/deep/b.ts', 'src2/c.ts', 'lib/d.ts', 'e.ts'].map((path) =>
    named(path, { file_path: path }),
  );
  await org.send(org.scan(1, everywhere));
  const partial = { coverage_scope: 'directories', directories: ['./src/'] };
  await org.send(org.scan(2, [named('src/a.ts', { file_path: 'src/a.ts' })], partial));
  const open = { 'src/a.ts': 'open', 'src2/c.ts': 'open', 'lib/d.ts': 'open', 'e.ts': 'open' };
  assert.deepEqual(await org.states(), { ...open, 'src/deep/b.ts': 'fixed' });
  await org.send(org.scan(3, [], { ...partial, directories: ['lib', 'src2//'] }));
  assert.deepEqual(await org.states(), {
    ...{ 'src/a.ts': 'open', 'src/deep/b.ts': 'fixed', 'src2/c.ts': 'fixed', 'lib/d.ts': 'fixed' },
    'e.ts': 'open',
  });
  await org.send(org.scan(4, everywhere.slice(0, 2), { ...partial, directories: ['src', 'src/deep'] }));
  assert.equal((await org.states())['src/deep/b.ts'], 'open');
  await org.send(org.scan(5, [], { ...partial, directories: ['.'] }));
  assert.deepEqual(new Set(Object.values(await org.states())), new Set(['fixed']));
});

test('a scan of directories neither opens nor reopens findings outside them', async () => {
  const org = await scannedOrganization(app);
  await org.send(org.scan(1, [named('lib', { file_path: 'lib/a.ts' })]), org.scan(2, []));
  const partial = { coverage_scope: 'directories', directories: ['src'] };
  const inside = named('inside', { file_path: 'src/b.ts' });
  const outside = [named('lib', { file_path: 'lib/a.ts' }), named('new', { file_path: 'lib/new.ts' })];
  await org.send(org.scan(3, [inside, ...outside], partial));
  assert.deepEqual(await org.states(), { lib: 'fixed', inside: 'open' });
});

test('a scan whose findings are all outside its directories is rejected: its paths have another root', async () => {
  const org = await scannedOrganization(app);
  await org.send(org.scan(1, [finding()]));
  const partial = { coverage_scope: 'directories', directories: ['src'] };
  const answer = await app.events([org.scan(2, [finding({ file_path: 'app.ts' })], partial)]);
  assert.equal(answer.json.errors[0].code, 'INVALID_REQUEST');
  assert.match(answer.json.errors[0].message, /^data\.directories: contain none of the findings/);
  assert.equal((await org.all())[0]?.state, 'open');
});

test('the same scan twice changes nothing, neither as the same event nor as another', async () => {
  const org = await scannedOrganization(app);
  const first = org.scan(1, [named('a'), named('b')]);
  await org.send(first);
  await org.send(org.scan(2, [named('a')]));
  const before = await org.all();
  assert.equal((await app.events([first])).json.duplicate, 1);
  await org.send(org.scan(1, [named('a'), named('b')]), org.scan(2, [named('a')]));
  assert.deepEqual(await org.all(), before);
});

test('events with the same time and scan id are parts of one scan', async () => {
  const org = await scannedOrganization(app);
  await org.send(org.scan(1, [named('old')]));
  await org.send(org.scan(2, [named('a')], { scan_id: 's' }), org.scan(2, [named('b')], { scan_id: 's' }));
  assert.deepEqual(await org.states(), { old: 'fixed', a: 'open', b: 'open' });
});

test('parts of a scan cover the directories of all parts together', async () => {
  const org = await scannedOrganization(app);
  const part = (directory: string) =>
    org.scan(3, [], { scan_id: 's', coverage_scope: 'directories', directories: [directory] });
  await org.send(part('src'), part('lib'));
  await org.send(
    org.scan(
      2,
      ['src', 'lib', 'doc'].map((name) => named(name, { file_path: `${name}/a` })),
    ),
  );
  assert.deepEqual(await org.states(), { src: 'fixed', lib: 'fixed', doc: 'open' });
});

test('the same finding twice in one scan is one finding', async () => {
  const org = await scannedOrganization(app);
  await org.send(org.scan(1, [finding(), finding()]));
  assert.equal((await org.all()).length, 1);
});

test("a scan of an unknown or another organization's repository fails and changes nothing", async () => {
  const org = await scannedOrganization(app);
  const other = await scannedOrganization(app, {
    repositories: [{ provider_repository_id: '777', name: 'theirs' }],
  });
  const answer = await app.events([
    org.scan(1, [finding()], { repository_id: '777' }),
    org.scan(1, [finding()], { org_id: 'nobody' }),
    org.scan(1, [finding()]),
  ]);
  assert.deepEqual(
    answer.json.errors.map((error: { index: number; code: string }) => [error.index, error.code]),
    [
      [0, 'NOT_FOUND'],
      [1, 'NOT_FOUND'],
    ],
  );
  assert.equal((await org.all()).length, 1);
  assert.deepEqual(await other.all(), []);
});

test('an invalid scan is reported with its faults, and nothing of it is stored', async () => {
  const org = await scannedOrganization(app);
  await org.send(org.scan(1, [named('kept')]));
  const directories = { coverage_scope: 'directories' };
  const invalid: [Record<string, unknown>, RegExp][] = [
    [org.scan(2, [finding({ severity: 'blocker' })]), /data\.findings\[0\]\.severity/],
    [org.scan(2, [finding({ start_line: 0 })]), /data\.findings\[0\]\.start_line/],
    [org.scan(2, [finding({ start_line: 9 })]), /data\.findings\[0\]\.end_line: must not come before/],
    [org.scan(2, [finding({ cwe: 'unknown' })]), /data\.findings\[0\]\.cwe: must name a CWE/],
    [org.scan(2, [finding({ title: undefined })]), /data\.findings\[0\]\.title/],
    [org.scan(2, [finding({ extra: 1 })]), /data\.findings\[0\]\.extra: unknown field/],
    [org.scan(2, [], directories), /data\.directories: is required/],
    [org.scan(2, [], { ...directories, directories: [] }), /data\.directories: is required/],
    [
      org.scan(2, [], { ...directories, directories: ['lib', '..'] }),
      /data\.directories\[1\]: must not lead out of/,
    ],
    [
      org.scan(2, [], { ...directories, directories: ['src/../..'] }),
      /data\.directories\[0\]: must not lead out of/,
    ],
    [
      org.scan(2, [finding({ file_path: '../../etc/passwd' })]),
      /data\.findings\[0\]\.file_path: must not lead out of/,
    ],
    [org.scan(2, [finding({ file_path: '' })]), /data\.findings\[0\]\.file_path/],
    [org.scan(2, [finding({ file_path: 'src/..' })]), /data\.findings\[0\]\.file_path: must name a file/],
    [org.scan(2, [], { directories: ['src'] }), /data\.directories: is only allowed/],
    [org.scan(2, null), /data\.findings: exactly one of findings and sarif/],
    [org.scan(2, [], { sarif: { version: '2.1.0', runs: [] } }), /exactly one of findings and sarif/],
    [org.scan(2, [], { coverage_scope: 'everything' }), /data\.coverage_scope/],
    [org.scan(2, [], { revision: '' }), /data\.revision/],
    [org.scan(2, null, { sarif: 'text' }), /data\.sarif: .*expected object/i],
    [org.scan(2, null, { sarif: {} }), /data\.sarif\.version: is missing, expected "2\.1\.0"/],
    [org.scan(2, null, { sarif: { version: '2.0.0', runs: [] } }), /data\.sarif\.version: is "2\.0\.0"/],
    [org.scan(2, null, { sarif: { version: '2.1.0' } }), /data\.sarif\.runs/],
    [org.scan(2, null, { sarif: { version: '2.1.0', runs: [{}] } }), /data\.sarif\.runs\[0\]\.tool/],
  ];
  const answer = await app.events(invalid.map(([event]) => event));
  assert.equal(answer.json.failed, invalid.length, answer.text);
  for (const [index, [, message]] of invalid.entries()) {
    assert.equal(answer.json.errors[index].code, 'INVALID_REQUEST');
    assert.match(answer.json.errors[index].message, message);
  }
  assert.deepEqual(await org.states(), { kept: 'open' });
});
