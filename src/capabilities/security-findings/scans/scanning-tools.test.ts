import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestApp } from '../../../../test/harness.ts';
import { finding, scannedOrganization } from '../../../../test/scanned-organization.ts';
import { logOf, resultWith } from '../../../lib/sarif/fixtures/logs.ts';

const app = await startTestApp();
const named = (title: string, fields: Record<string, unknown> = {}) =>
  finding({ title, rule_id: title, ...fields });
const logBy = (name: string, rules: string[], run: object = {}) =>
  logOf(
    rules.map((ruleId) => resultWith({ ruleId, message: { text: ruleId } })),
    { tool: { driver: { name } }, ...run },
  );

test('scanners of one repository do not close each other’s findings', async () => {
  const org = await scannedOrganization(app);
  const scan = (day: number, name: string, ...rules: string[]) =>
    org.scan(day, null, { sarif: logBy(name, rules) });
  await org.send(scan(1, 'Alpha', 'a1', 'a2'), scan(2, 'Beta', 'b1'));
  assert.deepEqual(await org.states(), { a1: 'open', a2: 'open', b1: 'open' });
  await org.send(scan(3, 'Alpha', 'a2'), scan(4, 'Beta'));
  assert.deepEqual(await org.states(), { a1: 'fixed', a2: 'open', b1: 'fixed' });
});

test('a finding that two scanners report is two findings, each closed by its own scanner', async () => {
  const org = await scannedOrganization(app);
  const scan = (day: number, name: string, ...rules: string[]) =>
    org.scan(day, null, { sarif: logBy(name, rules) });
  await org.send(scan(1, 'Alpha', 'CWE-79'), scan(2, 'Beta', 'CWE-79'), scan(3, 'Alpha'));
  const rows = await org.all();
  assert.deepEqual(rows.map(({ state }) => state).sort(), ['fixed', 'open']);
  assert.deepEqual(new Set(rows.map(({ cwe }) => cwe)), new Set(['CWE-79']));
});

test('a late scan considers only the later scans of its own tool', async () => {
  const org = await scannedOrganization(app);
  const scan = (day: number, name: string, ...rules: string[]) =>
    org.scan(day, null, { sarif: logBy(name, rules) });
  await org.send(
    scan(3, 'Beta', 'b'),
    scan(4, 'Alpha', 'other'),
    scan(1, 'Alpha', 'a'),
    scan(2, 'Beta', 'gone'),
  );
  const rows = new Map((await org.all()).map(({ title, fixed_at }) => [title, fixed_at]));
  assert.deepEqual(Object.fromEntries(rows), {
    a: '2026-01-04T00:00:00.000Z',
    b: null,
    gone: '2026-01-03T00:00:00.000Z',
    other: null,
  });
});

test('each run of a log with several tools affects only the findings of its own tool', async () => {
  const org = await scannedOrganization(app);
  const log = (...runs: [string, string[]][]) => ({
    version: '2.1.0',
    runs: runs.flatMap(([name, rules]) => logBy(name, rules).runs),
  });
  await org.send(org.scan(1, null, { sarif: log(['Alpha', ['a']], ['Beta', ['b']], ['Alpha', ['a2']]) }));
  assert.deepEqual(await org.states(), { a: 'open', a2: 'open', b: 'open' });
  await org.send(org.scan(2, null, { sarif: log(['Beta', []]) }));
  assert.deepEqual(await org.states(), { a: 'open', a2: 'open', b: 'fixed' });
});

test('runs of one tool with different categories are different scans; the rest of the id names the run', async () => {
  const org = await scannedOrganization(app);
  const scan = (day: number, id: string, ...rules: string[]) =>
    org.scan(day, null, { sarif: logBy('CodeQL', rules, { automationDetails: { id } }) });
  await org.send(scan(1, 'lang:js/1', 'js'), scan(2, 'lang:go/1', 'go'));
  assert.deepEqual(await org.states(), { js: 'open', go: 'open' });
  await org.send(scan(3, 'lang:js/2'));
  assert.deepEqual(await org.states(), { js: 'fixed', go: 'open' });
  await org.send(scan(4, 'run 4', 'plain'), scan(5, 'run 5'));
  assert.equal((await org.states()).plain, 'fixed');
});

test('native scans are distinguished by tool or, without one, by sender', async () => {
  const org = await scannedOrganization(app);
  await org.send(
    org.scan(1, [named('a')], { tool: 'Alpha' }),
    org.scan(2, [named('b')], { tool: 'Beta' }),
    org.scan(3, [named('c')]),
    { ...org.scan(4, [named('d')]), source: '/other' },
  );
  assert.deepEqual(await org.states(), { a: 'open', b: 'open', c: 'open', d: 'open' });
  await org.send(org.scan(5, [], { tool: 'Alpha' }), org.scan(6, []));
  assert.deepEqual(await org.states(), { a: 'fixed', b: 'open', c: 'fixed', d: 'open' });
  await org.send(org.scan(7, null, { sarif: logBy('Beta', []) }));
  assert.equal((await org.states()).b, 'fixed');
});

test('a tool alongside a SARIF log, which names its own, is rejected', async () => {
  const org = await scannedOrganization(app);
  const answer = await app.events([org.scan(1, null, { sarif: logBy('Alpha', []), tool: 'Beta' })]);
  assert.match(answer.json.errors[0].message, /^data\.tool: is only allowed with findings/);
});
