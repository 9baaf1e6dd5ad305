import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '../../../test/properties.ts';
import { defaultConfiguration, resolveConfiguration } from '../configuration/review-configuration.ts';
import type { Finding } from '../finding.ts';
import { severities } from '../finding-vocabulary.ts';
import { findQuiet, isSample, type RuleRecord, stateOf } from './attention.ts';
import { judgeFindings } from './judge.ts';
import { shareInterval } from './share-interval.ts';

const { attention } = defaultConfiguration.reviews;
const recordOf = (fields: Partial<RuleRecord>): RuleRecord => ({
  rule: 'tool/rule',
  accepted: 0,
  rejected: 0,
  pullRequests: 10,
  setting: 'automatic',
  ...fields,
});
const findingOf = (fields: Partial<Finding>): Finding => ({
  identity: 'f',
  path: 'a.ts',
  side: 'new',
  startLine: 1,
  endLine: 1,
  severity: 'minor',
  category: 'functional_correctness',
  title: 't',
  body: 'b',
  suggestion: null,
  related: [],
  confidence: 'proven',
  cwe: null,
  source: { kind: 'rule', name: 'tool/rule' },
  rules: ['tool/rule'],
  quote: '',
  symbol: null,
  isInDiff: true,
  learningIds: [],
  ...fields,
});

test("the upper end of an acceptance is Wilson's", () => {
  const close = (part: number, whole: number, expected: number) =>
    assert.ok(
      Math.abs(shareInterval(part, whole).high - expected) < 0.0005,
      `${part} of ${whole}: ${shareInterval(part, whole).high}`,
    );
  close(0, 0, 1);
  close(0, 20, 0.1611);
  close(1, 20, 0.2361);
  close(5, 50, 0.2136);
  close(50, 50, 1);
});

const anyRecord = fc.record({
  rule: fc.constantFrom('tool/a', 'tool/b', 'secrets/token', 'dependencies/vulnerable'),
  // Most rules must be quiet, or the property would hardly be tested.
  accepted: fc.constantFrom(0, 1, 200),
  rejected: fc.constantFrom(5, 200, 2_000),
  pullRequests: fc.constantFrom(2, 3, 20),
  setting: fc.constantFrom(
    ...(['automatic', 'automatic', 'automatic', 'automatic', 'pinned', 'off'] as const),
  ),
});
const anyFindings = fc.uniqueArray(
  fc.record({
    identity: fc.string({ minLength: 1 }),
    severity: fc.constantFrom(...severities),
    rules: fc.uniqueArray(fc.constantFrom('tool/a', 'tool/b', 'secrets/token', 'dependencies/vulnerable'), {
      maxLength: 2,
    }),
  }),
  { selector: ({ identity }) => identity },
);
const anyRecords = fc.uniqueArray(anyRecord, { selector: ({ rule }) => rule, minLength: 2 });

test('a finding is never quiet if critical, a credential or vulnerability, pinned, posted, sampled or of other rules too', () => {
  fc.assert(
    fc.property(anyFindings, anyRecords, fc.array(fc.string()), (findings, records, others) => {
      const posted = new Set([...others, ...findings.slice(0, 2).map(({ identity }) => identity)]);
      const quiet = new Set(
        findQuiet(findings, records, attention, posted).map(({ finding_id }) => finding_id),
      );
      for (const { identity, severity, rules } of findings) {
        const states = rules.map((rule) => {
          const record = records.find((each) => each.rule === rule);
          return record === undefined ? 'active' : stateOf(record, attention);
        });
        const isQuiet = rules.length > 0 && states.every((state) => state === 'quiet');
        const isLoud = severity === 'critical' || posted.has(identity) || isSample(identity);
        assert.equal(quiet.has(identity), isQuiet && !isLoud);
        if (rules.some((rule) => rule.startsWith('secrets/') || rule === 'dependencies/vulnerable'))
          assert.equal(quiet.has(identity), false);
      }
    }),
    { numRuns: 1_000 },
  );
});

test('a rule is quiet only with enough outcomes from enough pull requests, and while attention is on', () => {
  const hated = { rejected: 20, pullRequests: 3 };
  assert.equal(stateOf(recordOf(hated), attention), 'quiet');
  for (const less of [{ rejected: 19 }, { pullRequests: 2 }, { accepted: 2 }, { setting: 'pinned' as const }])
    assert.notEqual(stateOf(recordOf({ ...hated, ...less }), attention), 'quiet', JSON.stringify(less));
  assert.equal(stateOf(recordOf(hated), { ...attention, enabled: false }), 'active');
  assert.equal(
    stateOf(recordOf({ rejected: 5 }), { ...attention, min_outcomes: 5, mute_below: 0.5 }),
    'quiet',
  );
});

test('one in ten is a sample, always the same ones', () => {
  const ids = Array.from({ length: 10_000 }, (_, index) => `finding-${index}`);
  const sample = ids.filter(isSample);
  assert.ok(sample.length > 900 && sample.length < 1_100, `${sample.length}`);
  assert.deepEqual(ids.filter(isSample), sample);
});

test('comments are chosen by severity, confidence and acceptance of the rule; quiet findings do not count', () => {
  const records = [
    recordOf({ rule: 'tool/trusted', accepted: 9, rejected: 1 }),
    recordOf({ rule: 'tool/doubted', accepted: 3, rejected: 7 }),
    recordOf({ rule: 'tool/hated', rejected: 50 }),
    recordOf({ rule: 'tool/off', setting: 'off' }),
  ];
  const raised = (rule: string, line: number, fields: Partial<Finding> = {}) =>
    findingOf({
      identity: rule + line,
      rules: [rule],
      source: { kind: 'rule', name: rule },
      startLine: line,
      endLine: line,
      ...fields,
    });
  const quiet = [5, 6, 7, 8].map((line) => raised('tool/hated', line, { severity: 'major' }));
  const found = [
    raised('tool/doubted', 1),
    raised('tool/new', 2),
    raised('tool/trusted', 3),
    raised('tool/trusted', 4, { confidence: 'likely' }),
    raised('tool/off', 9, { severity: 'major' }),
    ...quiet,
    raised('tool/doubted', 10, { severity: 'major' }),
  ];
  const limited = resolveConfiguration({ reviews: { max_comments: 4 } });
  const judged = judgeFindings(found, limited, undefined, records);
  const loud = judged.findings
    .filter(({ rules }) => rules[0] !== 'tool/hated')
    .map(({ identity }) => identity);
  const samples = quiet.filter(({ identity }) => isSample(identity)).length;
  assert.equal(judged.quiet.length, 4 - samples);
  assert.deepEqual(
    loud,
    ['tool/doubted10', 'tool/trusted3', 'tool/new2', 'tool/doubted1'].slice(0, 4 - samples),
  );
  assert.ok(![...judged.findings, ...judged.overflow].some(({ rules }) => rules[0] === 'tool/off'));
});
