import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Log, Result, Run } from 'sarif';
import fc from '../../../test/properties.ts';
import { exportOf, logOf, resultWith, rowWith } from './fixtures/logs.ts';
import { readKeptParts } from './kept-parts.ts';
import { sarifRuns } from './read/read-sarif.ts';
import type { RuleFacts } from './sarif-rule-facts.ts';

/** The exported run of a log that was read and stored. */
async function exportedAgain(log: unknown): Promise<Log['runs'][number]> {
  const [run] = sarifRuns(log);
  const rules = new Map<string, RuleFacts>();
  const rows = [...run!.results].flatMap((result, index) => {
    if (!('finding' in result)) return [];
    if (result.rule) rules.set(result.finding.ruleId, result.rule);
    const {
      suppressed: _s,
      snippet: _c,
      partialFingerprint: _p,
      fingerprint: _f,
      ...finding
    } = result.finding;
    // In the form that the database returns.
    const stored = JSON.parse(JSON.stringify(finding));
    return [
      rowWith({ ...stored, tool: '["Scanner",null]', fingerprint: `pf1-${String(index).padStart(40, '0')}` }),
    ];
  });
  return (await exportOf(rows, { facts: run!.facts, rules })).runs[0]!;
}

const place = (uri: string, startLine: number, more: Record<string, unknown> = {}) => ({
  physicalLocation: {
    artifactLocation: { uri, uriBaseId: '%SRCROOT%', ...more },
    region: { startLine, startColumn: 5, endColumn: 9, snippet: { text: 'code();' } },
  },
});

/** A result as written by a scanner with data-flow analysis. */
const whole = resultWith({
  message: { id: 'reaches', arguments: ['`x`'] },
  relatedLocations: [{ id: 1, ...place('src/in.ts', 2), message: { text: 'a request' } }],
  codeFlows: [
    {
      threadFlows: [
        {
          locations: [
            {
              location: { ...place('src/in.ts', 2, { index: 4 }), message: { text: 'body' } },
              nestingLevel: 1,
            },
            {
              location: { ...place('src/app.ts', 3, { index: 0 }), message: { text: 'query' } },
              importance: 'essential',
              taxa: [{ id: '89', toolComponent: { name: 'CWE' } }],
              executionTimeUtc: '2026-06-15T12:00:00Z',
              properties: { column: null },
            },
          ],
        },
      ],
    },
  ],
  fixes: [
    {
      description: { text: 'Bind it' },
      artifactChanges: [
        {
          artifactLocation: { uri: 'src/app.ts', uriBaseId: '%SRCROOT%' },
          replacements: [{ deletedRegion: { startLine: 3 }, insertedContent: { text: 'bound();' } }],
        },
      ],
    },
  ],
  properties: { precision: 'high', nested: { list: [1, { a: null, b: 'c' }] }, tags: ['one', 'two'] },
});
const described: Partial<Run> = {
  tool: {
    driver: {
      name: 'Scanner',
      rules: [
        { id: 'R1', messageStrings: { reaches: { text: '{0} reaches [a query](1).', markdown: '*{0}*' } } },
      ],
    },
  },
  originalUriBaseIds: { '%SRCROOT%': { uri: 'file:///builds/7/' } },
} as Partial<Run>;

test('code flows, fixes, related locations, message strings and properties are exported unchanged', async () => {
  const run = await exportedAgain(logOf([whole], described));
  const [result] = run.results as [Result];
  const sent = whole as unknown as Result;
  assert.deepEqual(result.codeFlows, sent.codeFlows);
  assert.deepEqual(result.fixes, sent.fixes);
  assert.deepEqual(result.relatedLocations, sent.relatedLocations);
  assert.deepEqual(result.message, sent.message);
  assert.deepEqual(result.properties, sent.properties);
  assert.deepEqual(
    run.tool.driver.rules?.[0]?.messageStrings,
    described.tool?.driver.rules?.[0]?.messageStrings,
  );
  assert.deepEqual(run.artifacts?.[4], { location: { uri: 'src/in.ts', uriBaseId: '%SRCROOT%', index: 4 } });
  const again = await exportedAgain({ version: '2.1.0', runs: [run] });
  assert.deepEqual((again.results as [Result])[0].codeFlows, sent.codeFlows);
});

test('an index that refers to two files is left out, and one without a URI gets it', async () => {
  const related = (uri: string | undefined, index: number) => ({
    physicalLocation: { artifactLocation: { ...(uri && { uri }), index } },
  });
  const run = await exportedAgain(
    logOf(
      [resultWith({ relatedLocations: [related('a.go', 0), related('b.go', 0), related(undefined, 1)] })],
      { artifacts: [{ location: { uri: 'x.go' } }, { location: { uri: 'y.go' } }] },
    ),
  );
  assert.deepEqual(
    run.results?.[0]?.relatedLocations?.map(({ physicalLocation }) => physicalLocation?.artifactLocation),
    [{ uri: 'a.go', index: 0 }, { uri: 'b.go' }, { uri: 'y.go', index: 1 }],
  );
});

test('an export is valid, whatever a tool writes in these parts', async () => {
  const odd = fc.oneof(
    fc.constantFrom(null, -1, 1.5, '', 'a b', '%', '\0x', [], {}),
    fc.jsonValue({ maxDepth: 3 }),
  );
  const location = fc.record(
    {
      id: odd,
      physicalLocation: fc.record({ artifactLocation: fc.record({ uri: odd, index: odd }), region: odd }),
      message: odd,
    },
    { requiredKeys: [] },
  );
  const parts = fc.record(
    {
      relatedLocations: fc.oneof(odd, fc.array(location)),
      codeFlows: fc.oneof(
        odd,
        fc.array(
          fc.record({ threadFlows: fc.array(fc.record({ locations: fc.array(fc.record({ location })) })) }),
        ),
      ),
      stacks: fc.oneof(odd, fc.array(fc.record({ frames: fc.array(fc.record({ location })) }))),
      fixes: fc.oneof(odd, fc.array(fc.record({ artifactChanges: odd }))),
      properties: odd,
    },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(parts, async (some) => {
      await exportedAgain(logOf([resultWith(some)]));
    }),
    { numRuns: 200 },
  );
});

test('parts that are too large or nested too deeply are not kept, and the others are', () => {
  let deep: unknown = 1;
  for (let level = 0; level < 1_000; level += 1) deep = { deep };
  const kept = readKeptParts(
    {
      properties: { deep },
      fixes: [{ description: { text: 'x'.repeat(300_000) } }],
      relatedLocations: [{ id: 1 }],
    },
    'postil',
  );
  assert.deepEqual(kept, { relatedLocations: [{ id: 1 }] });
});
