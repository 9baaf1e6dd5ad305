import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Run } from 'sarif';
import { exportOf, rowWith } from '../fixtures/logs.ts';
import type { ExportRow } from './export-row.ts';
import { writeSarif } from './write-sarif.ts';

async function writeRun(...rows: ExportRow[]): Promise<Run> {
  const { runs } = await exportOf(rows);
  assert.equal(runs.length, 1);
  return runs[0] as Run;
}

test('an empty inventory is written as a valid log without runs', async () => {
  assert.deepEqual((await exportOf([])).runs, []);
});

test('each repository, tool and revision is one run that names them', async () => {
  const other = { repositoryId: '9b0c6c7d-6a0e-4d7e-9a35-1f2e3d4c5b6a', repositoryName: 'web' };
  const log = await exportOf(
    [
      rowWith(),
      rowWith({ ruleId: 'xss' }),
      rowWith({ revision: 'refs/heads/a b' }),
      rowWith({ ...other, repositoryUrl: 'https://git.test/acme/web' }),
    ],
    { facts: { name: 'Scanner', version: '1.2.3', columnKind: 'unicodeCodePoints' } },
  );
  assert.deepEqual(
    log.runs.map((run) => [
      run.automationDetails?.id,
      run.results?.length,
      run.versionControlProvenance?.[0]?.repositoryUri,
    ]),
    [
      [
        'postil/4b0c6c7d-6a0e-4d7e-9a35-1f2e3d4c5b6a/9fceb02d0ae598e95dc970b74767f19372d61af8',
        2,
        'urn:uuid:4b0c6c7d-6a0e-4d7e-9a35-1f2e3d4c5b6a',
      ],
      [
        'postil/4b0c6c7d-6a0e-4d7e-9a35-1f2e3d4c5b6a/2/refs%2Fheads%2Fa%20b',
        1,
        'urn:uuid:4b0c6c7d-6a0e-4d7e-9a35-1f2e3d4c5b6a',
      ],
      [
        'postil/9b0c6c7d-6a0e-4d7e-9a35-1f2e3d4c5b6a/9fceb02d0ae598e95dc970b74767f19372d61af8',
        1,
        'https://git.test/acme/web',
      ],
    ],
  );
  assert.equal(log.runs[1]?.versionControlProvenance?.[0]?.revisionId, 'refs/heads/a b');
  assert.deepEqual(log.runs[0]?.tool.driver.name, 'Scanner');
  assert.equal(log.runs[0]?.tool.driver.version, '1.2.3');
  assert.equal(log.runs[0]?.columnKind, 'unicodeCodePoints');
});

test('rows out of order are rejected, so that no run is written twice', async () => {
  const rows = [rowWith(), rowWith({ revision: 'other' }), rowWith()];
  await assert.rejects(exportOf(rows), /ordered by repository, tool and revision/);
});

test('a rule is listed once, with its worst severity and the CWEs that all its results share', async () => {
  const run = await writeRun(
    rowWith({ severity: 'low', cwe: ['CWE-89', 'CWE-564'] }),
    rowWith({ ruleId: 'xss', severity: 'info', cwe: [] }),
    rowWith({ severity: 'critical', cwe: ['CWE-20', 'CWE-89'] }),
  );
  const [injection, scripting] = run.tool.driver.rules ?? [];
  assert.deepEqual(injection?.properties, {
    tags: ['security', 'external/cwe/cwe-089'],
    precision: 'medium',
    'security-severity': '9.5',
  });
  assert.equal(injection?.defaultConfiguration?.level, 'error');
  assert.deepEqual(scripting?.properties, { tags: ['security'], precision: 'medium' });
  assert.deepEqual(
    run.results?.map(({ ruleId, ruleIndex, level }) => [ruleId, ruleIndex, level]),
    [
      ['sql-injection', 0, 'note'],
      ['xss', 1, 'none'],
      ['sql-injection', 0, 'error'],
    ],
  );
  assert.deepEqual(
    run.taxonomies?.[0]?.taxa?.map(({ id }) => id),
    ['20', '89', '564'],
  );
  assert.deepEqual(run.results?.[2]?.taxa, [
    { id: '20', toolComponent: { name: 'CWE', index: 0 } },
    { id: '89', toolComponent: { name: 'CWE', index: 0 } },
  ]);
});

test('states are written as suppressions and baseline states', async () => {
  const seen = new Date('2026-03-01T00:00:00Z');
  const run = await writeRun(
    rowWith(),
    rowWith({ firstDetectedAt: seen, lastSeenAt: seen.toISOString() }),
    rowWith({ state: 'dismissed', dismissal: { reason: 'false positive', by: 'alice' } }),
    rowWith({ state: 'fixed', fixedAt: seen, dismissal: { reason: 'once', by: null } }),
  );
  assert.deepEqual(
    run.results?.map(({ baselineState, suppressions }) => [baselineState, suppressions]),
    [
      ['unchanged', []],
      ['new', []],
      [
        'unchanged',
        [
          {
            kind: 'external',
            status: 'accepted',
            justification: 'false positive',
            properties: { by: 'alice' },
          },
        ],
      ],
      ['absent', []],
    ],
  );
  assert.equal(run.results?.[3]?.properties?.postil.fixedAt, '2026-03-01T00:00:00.000Z');
});

test('the scan is named once for the run, and again for results of another scan', async () => {
  const run = await writeRun(rowWith(), rowWith({ scanId: 'scan-2', coverageScope: 'directories' }));
  assert.equal(run.properties?.postil.scanId, 'scan-1');
  assert.equal(run.properties?.postil.coverageScope, 'repository');
  assert.deepEqual(
    run.results?.map(({ properties }) => properties?.postil),
    [undefined, { scanId: 'scan-2', coverageScope: 'directories' }],
  );
});

test('fingerprints are written under our key and under the one that GitHub uses', async () => {
  const run = await writeRun(rowWith());
  const fingerprint = rowWith().fingerprint;
  assert.deepEqual(run.results?.[0]?.partialFingerprints, {
    'postil/v1': fingerprint,
    primaryLocationLineHash: fingerprint,
  });
});

test('GitHub’s limits hold for any finding: tags, description, steps of a flow', async () => {
  const many = Array.from({ length: 60 }, (_, index) => `CWE-${index + 1}`);
  const callStacks = Array.from({ length: 60 }, () => Array.from({ length: 300 }, () => 'step'));
  const run = await writeRun(
    rowWith({ cwe: many, title: 'x'.repeat(5_000), reachability: { callStacks, explanation: null } }),
  );
  const rule = run.tool.driver.rules?.[0];
  assert.ok((rule?.properties?.tags?.length ?? 0) <= 20);
  assert.ok((rule?.shortDescription?.text.length ?? 0) <= 1_024);
  const flows = run.results?.[0]?.codeFlows ?? [];
  const steps = flows.flatMap((flow) => flow.threadFlows.flatMap((thread) => thread.locations));
  assert.equal(steps.length, 10_000);
  assert.deepEqual(run.results?.[0]?.properties?.postil.reachability, { callStacks, explanation: null });
});

test('native call stacks of any form are valid code flows', async () => {
  const callStacks = [
    ['main', 'query'],
    [{ file: 'a b.ts', start_line: 3, name: 'run' }, { path: 'x.ts', line: -1 }, 7, null],
    { frames: [{ filePath: 'c.ts', line: 1, function: 'f', message: 'm' }] },
    'only text',
    [],
  ];
  const run = await writeRun(rowWith({ reachability: { callStacks, explanation: 'why' } }));
  const flows = run.results?.[0]?.codeFlows ?? [];
  assert.equal(flows.length, 4);
  assert.equal(flows[0]?.message?.text, 'why');
  assert.deepEqual(flows[1]?.threadFlows[0]?.locations[0]?.location, {
    physicalLocation: {
      artifactLocation: { uri: 'a%20b.ts', uriBaseId: '%SRCROOT%' },
      region: { startLine: 3 },
    },
    logicalLocations: [{ fullyQualifiedName: 'run' }],
  });
});

test('a long inventory is written in bounded chunks', async () => {
  const rows = Array.from({ length: 500 }, (_, index) =>
    rowWith({ startLine: index + 1, endLine: index + 1 }),
  );
  const chunks: string[] = [];
  const describe = async () => ({ facts: null, rules: new Map() });
  for await (const chunk of writeSarif(rows, describe)) chunks.push(chunk);
  assert.ok(chunks.length > 3);
  assert.ok(chunks.every((chunk) => chunk.length < 70_000));
  assert.equal(JSON.parse(chunks.join('')).runs[0].results.length, 500);
});
