import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '../../../test/properties.ts';
import { normalizeFilePath } from './file-path.ts';
import { fingerprintOf } from './fingerprint.ts';
import { exportOf, logOf, rowWith } from './fixtures/logs.ts';
import { readSarif } from './read/read-sarif.ts';
import type { RuleFacts } from './sarif-rule-facts.ts';
import type { CallFrame, ScanFinding } from './scan-finding.ts';
import { SEVERITIES } from './severity.ts';
import type { ExportRow } from './write/export-row.ts';

/** The fields that the inventory keeps and a round trip must preserve; native findings have no origin. */
function facts(finding: ScanFinding) {
  const { snippet, partialFingerprint, origin, ...rest } = finding;
  return rest;
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
    startColumn: row.startColumn,
    endColumn: row.endColumn,
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
/** Dismissals are stored trimmed. */
const trimmedText = text.map((value) => value.trim()).filter((value) => value !== '');
const line = fc.integer({ min: 1, max: 2_147_483_647 });
const relativePath = text.map(normalizeFilePath);
const path = fc.oneof(
  relativePath,
  relativePath.filter((value) => value !== '').map((value) => `/${value}`),
);
const column = fc.option(fc.integer({ min: 1, max: 300 }));
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
    columns: fc.tuple(column, column),
    origin: fc.option(
      fc.record({
        fingerprints: fc.dictionary(fc.constantFrom('a', 'b/v1'), fc.constantFrom('x', 'y')),
        partialFingerprints: fc.dictionary(fc.constantFrom('primaryLocationLineHash', 'c'), fc.constant('z')),
        level: fc.constantFrom('none', 'note', 'warning', 'error'),
        score: fc.constantFrom(null, '7.5', 3, 'none'),
      }),
    ),
    revision: fc.constantFrom('r1', 'r2'),
    dismissal: fc.record({ reason: trimmedText, by: fc.option(trimmedText) }),
    fingerprint: fc.uuid().map((name) => fingerprintOf(name, 1)),
    reachability: fc.option(fc.record({ callStacks, explanation: fc.option(text) })),
    id: fc.uuid(),
  })
  .map(({ lines: [one, two], columns: [startColumn, endColumn], ...rest }) =>
    rowWith({
      ...(rest as Partial<ExportRow>),
      startLine: Math.min(one, two),
      endLine: Math.max(one, two),
      startColumn,
      endColumn: endColumn === null ? null : endColumn + (startColumn ?? 1),
    }),
  );

const rule: fc.Arbitrary<RuleFacts> = fc.record(
  {
    id: fc.constantFrom('A', 'b', '__proto__'),
    name: someText,
    shortDescription: fc.record({ text: trimmedText }),
    fullDescription: fc.record({ text: trimmedText, markdown: trimmedText }),
    help: fc.record({ markdown: trimmedText }),
    helpUri: fc.webUrl(),
    level: fc.constantFrom('none', 'note', 'warning', 'error'),
    properties: fc.record(
      {
        tags: fc.array(fc.constantFrom('security', 'quality', 'external/cwe/cwe-079')),
        'security-severity': fc.constantFrom('9.9', 1),
        other: fc.jsonValue(),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: ['id'] },
);

test('an export is valid SARIF, and reading it back gives the same findings', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(row, { maxLength: 12, selector: (entry) => entry.fingerprint }),
      fc.uniqueArray(rule, { selector: ({ id }) => id }),
      async (rows, described) => {
        // Plain objects without -0, as the database returns them.
        const stored: ExportRow[] = JSON.parse(JSON.stringify(rows));
        const ordered = stored.toSorted((a, b) =>
          a.revision < b.revision ? -1 : a.revision > b.revision ? 1 : 0,
        );
        const rules = new Map(described.map((rule) => [rule.id, rule]));
        const log = await exportOf(ordered, { rules });
        const present = ordered.filter(({ state, filePath }) => state !== 'fixed' && filePath !== '');
        assert.deepEqual(readSarif(log).map(facts), present.map(factsOfRow));
        const origins = readSarif(log).map(({ origin }) => origin);
        for (const [index, { origin }] of present.entries())
          if (origin !== null) {
            // Flows that were generated from call stacks are kept as parts when the export is read.
            const { kept: _, ...read } = origins[index]!;
            assert.deepEqual(read, origin);
          }
      },
    ),
    { numRuns: 300 },
  );
});

test('findings without a file are left out of their run, which reports how many there are', async () => {
  const [finding] = readSarif(logOf([{ ruleId: 'lockfile', message: { text: 'No lock file' } }]));
  assert.equal(finding?.filePath, '');
  const rows = [rowWith({ filePath: '' }), rowWith(), rowWith({ filePath: '' })];
  const { runs } = await exportOf(rows);
  assert.equal(runs[0]?.results?.length, 1);
  assert.equal(runs[0]?.properties?.postil.findingsWithoutFile, 2);
  const [notification] = runs[0]?.invocations?.[0]?.toolExecutionNotifications ?? [];
  assert.match(notification?.message.text ?? '', /left out of this run: 2$/);
  assert.equal((await exportOf(rows.slice(0, 1))).runs[0]?.results?.length, 0);
});
