import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Log, Run } from 'sarif';
import { startTestApp } from '../../../../test/harness.ts';
import {
  finding,
  type ScannedOrganization,
  scannedOrganization,
} from '../../../../test/scanned-organization.ts';
import { at, logOf, resultWith } from '../../../lib/sarif/fixtures/logs.ts';
import { schemaFaults } from '../../../lib/sarif/fixtures/official-schema.ts';

const app = await startTestApp();

async function exported(org: ScannedOrganization): Promise<Run[]> {
  const answer = await org.get('?state=all&format=sarif');
  assert.equal(answer.status, 200, answer.text);
  const log: Log = JSON.parse(answer.text);
  assert.deepEqual(schemaFaults(log), []);
  return log.runs;
}

/** Everything about the findings but the scan that saw them last. */
async function facts(org: ScannedOrganization) {
  return (await org.all()).map(({ last_seen_at, scan_provenance, ...rest }) => rest);
}

const rules = [
  {
    id: 'js/xss',
    name: 'Xss',
    shortDescription: { text: 'Cross-site scripting' },
    fullDescription: { text: 'Input reaches a page', markdown: '**Input** reaches a page' },
    help: { text: 'Escape it', markdown: '# Escape it' },
    helpUri: 'https://scanner.test/rules/xss',
    defaultConfiguration: { level: 'error' },
    properties: { tags: ['security', 'external/cwe/cwe-079'], 'security-severity': '7.8', precision: 'high' },
  },
  {
    id: 'style/quotes',
    shortDescription: { text: 'Quotes' },
    help: { text: 'Use single quotes' },
    properties: { tags: ['style'] },
  },
];
const driver = {
  name: 'Scanner',
  version: '2.4.1',
  semanticVersion: '2.4.1',
  informationUri: 'https://scanner.test',
  rules,
};
const region = { startLine: 3, startColumn: 7, endLine: 4, endColumn: 2 };
const place = { physicalLocation: { artifactLocation: { uri: 'src/page.js' }, region } };

test('the export repeats the reported tool, rules, fingerprints and columns, and adds our fingerprints', async () => {
  const org = await scannedOrganization(app);
  const results = [
    resultWith({
      ruleId: 'js/xss',
      ruleIndex: 0,
      locations: [place],
      fingerprints: { 'id/v1': 'full' },
      partialFingerprints: { primaryLocationLineHash: 'abc:1', other: 'x' },
    }),
    resultWith({ ruleId: 'style/quotes', locations: [at('src/page.js', 9)] }),
  ];
  await org.send(
    org.scan(1, null, { sarif: logOf(results, { tool: { driver }, columnKind: 'unicodeCodePoints' }) }),
  );
  const [run] = await exported(org);
  assert.deepEqual({ ...run!.tool.driver, rules: null, supportedTaxonomies: null }, {
    ...driver,
    rules: null,
    supportedTaxonomies: null,
  } as unknown);
  assert.equal(run!.columnKind, 'unicodeCodePoints');
  for (const rule of rules) {
    const { relationships, ...kept } = run!.tool.driver.rules!.find(({ id }) => id === rule.id)!;
    assert.deepEqual(kept, rule as unknown);
  }
  const found = new Map(run!.results!.map((result) => [result.ruleId, result]));
  const xss = found.get('js/xss')!;
  assert.deepEqual(xss.locations?.[0]?.physicalLocation?.region, region);
  assert.deepEqual(xss.fingerprints, { 'id/v1': 'full' });
  const { 'postil/v1': ours, ...theirs } = xss.partialFingerprints!;
  assert.match(ours!, /^pf1-/);
  assert.deepEqual(theirs, { primaryLocationLineHash: 'abc:1', other: 'x' });
  const quotes = found.get('style/quotes')!;
  assert.equal(quotes.level, 'warning');
  assert.equal(quotes.properties?.['security-severity'], undefined);
  assert.deepEqual(
    quotes.partialFingerprints?.primaryLocationLineHash,
    quotes.partialFingerprints?.['postil/v1'],
  );
});

test('rules that the tool does not describe are security rules only if a CWE or a native report says so', async () => {
  const org = await scannedOrganization(app);
  const results = ['plain', 'CWE-79'].map((ruleId) => resultWith({ ruleId }));
  await org.send(
    org.scan(1, null, { sarif: logOf(results) }),
    org.scan(1, [finding({ rule_id: 'native' })], { tool: 'Native', revision: 'rev-2' }),
  );
  const described = (await exported(org)).flatMap((run) => run.tool.driver.rules ?? []);
  const properties = Object.fromEntries(described.map(({ id, properties }) => [id, properties?.tags]));
  assert.deepEqual(properties, {
    plain: undefined,
    'CWE-79': ['security', 'external/cwe/cwe-079'],
    native: ['security'],
  });
  const scores = described.map(({ id, properties }) => [id, properties?.['security-severity']]);
  assert.deepEqual(Object.fromEntries(scores), { plain: undefined, 'CWE-79': undefined, native: '8.0' });
});

test('each tool has its own run, native ones under their reported name', async () => {
  const org = await scannedOrganization(app);
  const log = (name: string) => ({ sarif: logOf([resultWith()], { tool: { driver: { name } } }) });
  await org.send(
    org.scan(1, null, log('Alpha')),
    org.scan(1, null, log('Beta')),
    org.scan(1, [finding()], { tool: 'Gamma' }),
    org.scan(1, [finding()]),
  );
  const runs = await exported(org);
  assert.deepEqual(runs.map((run) => run.tool.driver.name).sort(), ['Alpha', 'Beta', 'Gamma', 'Postil']);
  assert.equal(new Set(runs.map((run) => run.automationDetails?.id)).size, 4);
});

test('reading our own export changes nothing, whatever tools reported', async () => {
  const org = await scannedOrganization(app);
  const results = [
    resultWith({ ruleId: 'js/xss', ruleIndex: 0, locations: [place] }),
    resultWith({
      ruleId: 'js/xss',
      locations: [place],
      level: 'note',
      properties: { 'security-severity': '9.9' },
    }),
    resultWith({ ruleId: 'js/xss/1', message: { text: 'below' }, locations: [at('/abs/x.js', 3)] }),
    resultWith({ ruleId: 'style/quotes', locations: [], message: { text: 'no file' } }),
    resultWith({ ruleId: 'style/quotes', locations: [at('src/page.js', 9)] }),
    resultWith({ ruleId: 'style/quotes', locations: [at('src/page.js', 19)] }),
  ];
  const sarif = logOf(results, { tool: { driver }, automationDetails: { id: 'lang/1' } });
  await org.send(
    org.scan(1, null, { sarif }),
    org.scan(2, [finding({ severity: 'info' })]),
    org.scan(2, [finding({ severity: 'critical' })], { tool: 'Native' }),
  );
  const before = await facts(org);
  assert.deepEqual(new Set(before.map(({ state }) => state)), new Set(['open']));
  for (const day of [3, 4]) {
    const runs = await exported(org);
    await org.send(org.scan(day, null, { sarif: { version: '2.1.0', runs } }));
    assert.deepEqual(await facts(org), before);
  }
  await org.send(org.scan(5, null, { sarif }), org.scan(6, [finding({ severity: 'info' })]));
  assert.deepEqual(await facts(org), before);
});

test('findings without a file are left out, counted, and not closed by reading the export', async () => {
  const org = await scannedOrganization(app);
  const results = [resultWith({ locations: [] }), resultWith({ ruleId: 'R2', locations: [] })];
  await org.send(org.scan(1, null, { sarif: logOf(results) }));
  const runs = await exported(org);
  assert.deepEqual(runs[0]?.results, []);
  assert.equal(runs[0]?.properties?.postil.findingsWithoutFile, 2);
  await org.send(org.scan(2, null, { sarif: { version: '2.1.0', runs } }));
  assert.equal((await org.get('?state=open')).json.data.length, 2);
  assert.equal((await org.get('?format=csv')).text.split('\r\n').length, 4);
});

test('an inventory can be moved: its export recreates it elsewhere, and the tools continue from there', async () => {
  const from = await scannedOrganization(app);
  const to = await scannedOrganization(app);
  const results = [3, 9, 20].map((line) =>
    resultWith({ ruleId: 'js/xss', locations: [at('src/page.js', line)] }),
  );
  const sarif = logOf(results, { tool: { driver } });
  await from.send(from.scan(1, null, { sarif }));
  await to.send(to.scan(2, null, { sarif: { version: '2.1.0', runs: await exported(from) } }));
  const comparable = async (org: ScannedOrganization) =>
    (await org.all())
      .map(({ rule_id, title, start_line, severity, cwe, state }) => ({
        rule_id,
        title,
        start_line,
        severity,
        cwe,
        state,
      }))
      .sort((a, b) => a.start_line - b.start_line);
  assert.deepEqual(await comparable(to), await comparable(from));
  const ids = (await to.all()).map(({ id }) => id).sort();
  await to.send(to.scan(3, null, { sarif }));
  assert.deepEqual((await to.all()).map(({ id }) => id).sort(), ids);
});
