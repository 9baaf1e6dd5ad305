import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { normalizeFilePath } from './file-path.ts';
import { findingFingerprint, fingerprintFindings } from './fingerprint.ts';
import { exportOf, logOf, realLog, rowWith } from './fixtures/logs.ts';
import { readSarif } from './read-sarif.ts';
import { type CallFrame, type ScanFinding, SEVERITIES } from './scan-finding.ts';
import type { ExportRow } from './write-sarif.ts';

/** What the inventory keeps of a finding. */
function facts(finding: ScanFinding, fingerprint: string | undefined) {
  const { snippet, partialFingerprint, ...rest } = finding;
  return { ...rest, fingerprint };
}

function factsOfRow(row: ExportRow) {
  const { ruleId, title, description, severity, filePath, startLine, endLine, fingerprint, reachability } =
    row;
  const suppressed = row.state === 'dismissed' ? row.dismissal : null;
  return {
    ruleId,
    title,
    description,
    severity,
    cwe: [...row.cwe],
    filePath,
    startLine,
    endLine,
    fingerprint,
    suppressed,
    reachability,
  };
}

const text = fc
  .oneof(
    fc.string({ unit: 'grapheme', maxLength: 30 }),
    fc.constantFrom('{0} [x](1)', 'a {{b}}', '[y](0)', 'T', ' ', 'T ', '\u2028T\u2028', '\n'),
  )
  .map((value) => value.replaceAll('\0', ''));
const someText = text.filter((value) => value !== '');
/** As dismissals are stored. */
const trimmedText = text.map((value) => value.trim()).filter((value) => value !== '');
const line = fc.integer({ min: 1, max: 2_147_483_647 });
const path = text.map(normalizeFilePath);
const frame: fc.Arbitrary<CallFrame> = fc.record({
  filePath: fc.option(path),
  line: fc.option(line),
  function: fc.option(text),
  message: fc.option(text),
});
const callStacks = fc.array(fc.oneof(fc.array(frame, { maxLength: 4 }), fc.jsonValue({ maxDepth: 4 })), {
  maxLength: 4,
});

const row: fc.Arbitrary<ExportRow> = fc
  .record({
    ruleId: fc.constantFrom('A', 'A/1', ' A', ' ', 'b', 'constructor', '__proto__'),
    title: fc.oneof(fc.constant('T'), someText),
    description: fc.option(text),
    severity: fc.constantFrom(...SEVERITIES),
    state: fc.constantFrom('open', 'dismissed', 'fixed'),
    cwe: fc
      .uniqueArray(fc.integer({ min: 1, max: 9_999 }), { maxLength: 4 })
      .map((numbers) => numbers.sort((a, b) => a - b).map((number) => `CWE-${number}`)),
    filePath: path,
    lines: fc.tuple(line, line),
    revision: fc.constantFrom('r1', 'r2'),
    dismissal: fc.record({ reason: trimmedText, by: fc.option(trimmedText) }),
    fingerprint: fc.uuid().map((title) => findingFingerprint({ ruleId: '', filePath: '', title })),
    reachability: fc.option(fc.record({ callStacks, explanation: fc.option(text) })),
    id: fc.uuid(),
  })
  .map(({ lines: [one, two], ...rest }) =>
    rowWith({ ...(rest as Partial<ExportRow>), startLine: Math.min(one, two), endLine: Math.max(one, two) }),
  );

test('an export is valid SARIF, and reading it gives the same findings back', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(row, { maxLength: 12, selector: (entry) => entry.fingerprint }),
      async (rows) => {
        // Plain objects without -0, as the database gives them.
        const stored: ExportRow[] = JSON.parse(JSON.stringify(rows));
        const ordered = stored.toSorted((a, b) =>
          a.revision < b.revision ? -1 : a.revision > b.revision ? 1 : 0,
        );
        const findings = readSarif(await exportOf(ordered));
        const fingerprints = fingerprintFindings(findings);
        const present = ordered.filter(({ state }) => state !== 'fixed');
        assert.deepEqual(
          findings.map((finding, index) => facts(finding, fingerprints[index])),
          present.map(factsOfRow),
        );
      },
    ),
    { numRuns: 300 },
  );
});

for (const name of ['eslint', 'biome', 'pmd', 'sarif-multitool']) {
  test(`findings of a real log (${name}) come back unchanged from their own export`, async () => {
    const findings = readSarif(realLog(name));
    const fingerprints = fingerprintFindings(findings);
    const rows = findings.map((finding, index) => {
      const { suppressed, snippet, partialFingerprint, ...rest } = finding;
      const state = suppressed ? 'dismissed' : 'open';
      return rowWith({ ...rest, state, dismissal: suppressed, fingerprint: fingerprints[index] as string });
    });
    const again = readSarif(await exportOf(rows));
    const fingerprintsAgain = fingerprintFindings(again);
    assert.deepEqual(
      again.map((finding, index) => facts(finding, fingerprintsAgain[index])),
      findings.map((finding, index) => facts(finding, fingerprints[index])),
    );
  });
}

test('a finding about no file stays one', async () => {
  const [finding] = readSarif(logOf([{ ruleId: 'lockfile', message: { text: 'No lock file' } }]));
  assert.equal(finding?.filePath, '');
  const [again] = readSarif(await exportOf([rowWith({ filePath: '' })]));
  assert.equal(again?.filePath, '');
});
