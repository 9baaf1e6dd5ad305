import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleFinding } from '../../../test/hosts/contracts/sample-findings.ts';
import { schemaFaults } from '../../lib/sarif/fixtures/official-schema.ts';
import type { Finding } from '../../reviewer/finding.ts';
import type { ReviewResult } from '../../reviewer/review/review-result.ts';
import { formatGitHub } from './format-github.ts';
import { formatSarif } from './format-sarif.ts';
import { formatText } from './format-text.ts';
import type { Frame } from './frames-part.ts';

const resultOf = (findings: readonly Finding[]): ReviewResult => ({
  status: 'succeeded',
  reason: null,
  baseRevision: null,
  headRevision: null,
  coverage: [{ path: 'src/a.ts', state: 'full', reason: null }],
  findings,
  overflow: [],
  report: null,
  usage: null,
  estimatedComplexity: 1,
  estimatedReviewMinutes: 1,
  notes: ['The tool is old.'],
});

const token = `ghp_${'aB3dE5gH7j'.repeat(4).slice(0, 36)}`;
const weak = () =>
  sampleFinding({
    source: { kind: 'rule', name: 'oxlint/no-eval' },
    rules: ['oxlint/no-eval', 'dataflow/code-injection'],
    cwe: 'CWE-95',
    related: [
      { path: 'src/in, put.ts', startLine: 3, endLine: 4, text: 'comes from the request' },
      { path: `src/${token}\u001b.ts`, startLine: 9, endLine: 9, text: '' },
    ],
  });

const plainLook = { hasColour: false, hasReport: false, isByRulesAlone: false, isBrief: false };

/** A finding as text, with the lines of code that it is about. */
function textOf(finding: Finding, frame: Frame | null): Promise<string> {
  const shown = { result: resultOf([finding]), baseName: 'main', showLines: async () => [frame] };
  return formatText(shown as unknown as Parameters<typeof formatText>[0], plainLook);
}

test('as text, a finding names all its rules and its related places', async () => {
  const text = await textOf(weak(), null);
  assert.match(
    text,
    /oxlint\/no-eval, dataflow\/code-injection\n {2}It is wrong\.\n {4}src\/in, put\.ts:3 {2}comes from the request\n {4}src\/\[REDACTED\]\\u001b\.ts:9\n\n/,
  );
  assert.match(text, /\nNote: The tool is old\.$/);
});

test('as text, a line of code that is cut ends with an ellipsis', async () => {
  const long = `run('${'x'.repeat(153)}')`;
  const lines = [long, `${long};`, `${'y'.repeat(158)}\u{1f600};`];
  const text = await textOf(sampleFinding({ startLine: 7, endLine: 9 }), { first: 7, lines });
  const shown = text.split('\n').filter((line) => line.includes(' | '));
  assert.deepEqual(shown, [
    `  > 7 | ${long}`,
    `  > 8 | ${long.slice(0, 159)}…`,
    `  > 9 | ${'y'.repeat(158)}…`,
  ]);
});

test('as text, the number of a removed line is said to be the one before the change', async () => {
  const removed = sampleFinding({ path: 'package.json', side: 'old', startLine: 12 });
  const text = await textOf(removed, null);
  assert.match(text, /^package\.json \(line 12 before the change\) {2}major {2}/);
});

test('as text, a review without a commit to compare with says so', async () => {
  const shown = { baseName: null, showLines: async () => [] };
  const overview = (result: ReviewResult) =>
    formatText(
      { ...shown, result: { ...result, notes: [] } } as unknown as Parameters<typeof formatText>[0],
      plainLook,
    );
  assert.equal(
    await overview(resultOf([])),
    'No findings in 1 changed file (everything, since there is no commit yet).',
  );
  assert.equal(
    await overview({ ...resultOf([]), coverage: [] }),
    'There is nothing to review: no commit and no file yet.',
  );
});

test('in SARIF, weaknesses are tags and related places are related locations, however many there are', () => {
  const plain = sampleFinding();
  const sarif = JSON.parse(formatSarif(resultOf([...Array.from({ length: 200 }, weak), plain])));
  assert.deepEqual(schemaFaults(sarif), []);
  const [run] = sarif.runs;
  assert.deepEqual(
    run.tool.driver.rules.map(({ id, properties }: { id: string; properties?: object }) => [id, properties]),
    [
      ['oxlint/no-eval', { tags: ['security', 'external/cwe/cwe-095'] }],
      ['oxlint/no-debugger', undefined],
    ],
  );
  assert.equal(run.results.length, 201);
  const { relatedLocations, properties } = run.results[0];
  assert.deepEqual(relatedLocations[0], {
    id: 1,
    physicalLocation: {
      artifactLocation: { uri: 'src/in%2C%20put.ts', uriBaseId: '%SRCROOT%' },
      region: { startLine: 3, endLine: 4 },
    },
    message: { text: 'comes from the request' },
  });
  assert.deepEqual(properties.rules, ['oxlint/no-eval', 'dataflow/code-injection']);
  assert.deepEqual([properties.confidence, properties.tags], ['proven', ['external/cwe/cwe-095']]);
  assert.equal(run.results.at(-1).relatedLocations, undefined);
});

test('annotations for GitHub end with the rules and the related places', () => {
  const line = formatGitHub(resultOf([weak()]));
  assert.match(
    line,
    /::It is wrong\. \(oxlint\/no-eval, dataflow\/code-injection\)%0Asrc\/in, put\.ts:3 comes from/,
  );
  assert.ok(!line.includes(token));
});
