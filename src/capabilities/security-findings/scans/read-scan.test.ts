import assert from 'node:assert/strict';
import { test } from 'node:test';
import { finding } from '../../../../test/scanned-organization.ts';
import { AppError } from '../../../lib/app-error.ts';
import { alikeKey } from '../../../lib/sarif/fingerprint.ts';
import { at, logOf, resultWith } from '../../../lib/sarif/fixtures/logs.ts';
import { identifyFindings } from './identify-findings.ts';
import { readScan } from './read-scan.ts';
import { securityScanData } from './scan-data.ts';

const found = async (fields: Record<string, unknown>) =>
  (await readScan(scan(fields))).tools.flatMap(({ findings }) => findings);

function scan(fields: Record<string, unknown>) {
  return securityScanData.parse({
    repository_id: '501',
    scan_id: 's',
    revision: 'r',
    coverage_scope: 'repository',
    ...fields,
  });
}

test('a native finding and a SARIF result with the same tool, fingerprint, rule and file are the same finding', async () => {
  const keys = [
    { tool: 'Scanner', findings: [finding({ rule_id: 'R1', fingerprint: 'given' })] },
    { sarif: logOf([resultWith({ fingerprints: { any: 'given' } })]) },
  ].map(async (fields) => {
    const [toolScan] = (await readScan(scan(fields))).tools;
    return alikeKey(toolScan!.tool!, toolScan!.findings[0]!);
  });
  assert.equal(await keys[0], await keys[1]);
});

test('a SARIF result outside the repository is not a finding of a directory inside it', async () => {
  const results = ['../etc/a.conf', '../../etc/a.conf', 'etc/a.conf'].map((uri) =>
    resultWith({ locations: [at(uri, 1)] }),
  );
  const paths = async (fields: Record<string, unknown>) =>
    (await found({ sarif: logOf(results), ...fields })).map(({ filePath }) => filePath);
  assert.deepEqual(await paths({}), ['(outside)/etc/a.conf', '(outside)/(outside)/etc/a.conf', 'etc/a.conf']);
  assert.deepEqual(await paths({ coverage_scope: 'directories', directories: ['etc'] }), ['etc/a.conf']);
});

test('the code at the location of a finding is not kept', async () => {
  const sarif = logOf([resultWith({ locations: [at('a.ts', 1, 'password = "hunter2"')] })]);
  const known = identifyFindings(
    { tool: '', scannedAt: new Date(), scanId: 's', isNewest: true },
    await found({ sarif }),
    [],
  );
  assert.equal(known.length, 1);
  assert.doesNotMatch(JSON.stringify(known), /hunter2/);
});

test('the CWEs of a native finding may be a string, a comma-separated string, or a list', async () => {
  for (const [given, expected] of [
    ['CWE-79', ['CWE-79']],
    ['cwe-089, 79', ['CWE-79', 'CWE-89']],
    [
      ['CWE-89: SQL injection', 'CWE-79'],
      ['CWE-79', 'CWE-89'],
    ],
    ['', []],
    [null, []],
  ]) {
    const [only] = await found({ findings: [finding({ cwe: given })] });
    assert.deepEqual(only?.cwe, expected);
  }
});

test('a fault in the log is reported with its path in the event', async () => {
  const sarif = logOf(resultWith());
  await assert.rejects(
    readScan(scan({ sarif })),
    (error) =>
      error instanceof AppError &&
      error.code === 'INVALID_REQUEST' &&
      error.message.startsWith('data.sarif.runs[0].results: '),
  );
});

test('other work can run while a large log is read', async () => {
  const sarif = logOf(Array.from({ length: 5_000 }, () => resultWith()));
  let turns = 0;
  let isReading = true;
  const count = () => {
    turns += 1;
    if (isReading) setImmediate(count);
  };
  setImmediate(count);
  await readScan(scan({ sarif }));
  isReading = false;
  assert.ok(turns >= 5, `${turns} turns`);
});
