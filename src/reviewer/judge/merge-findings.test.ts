import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleFinding } from '../../../test/hosts/contracts/sample-findings.ts';
import fc from '../../../test/properties.ts';
import type { Finding } from '../finding.ts';
import { type Severity, severities } from '../finding-vocabulary.ts';
import { mergeFindings, nothingSeen } from './merge-findings.ts';

/** A finding of one rule. */
const by = (rule: string, startLine: number, more: Partial<Finding> = {}) =>
  sampleFinding({
    source: { kind: 'rule', name: rule },
    rules: [rule],
    title: rule,
    startLine,
    ...more,
  });
const weak = { cwe: 'CWE-95' };

test('findings of several rules with the same CWE are merged: the name of the first, the severity of the worst', () => {
  const related = [{ path: 'src/in.ts', startLine: 1, endLine: 1, text: 'comes from the request' }];
  const first = by('oxlint/no-eval', 10, { ...weak, severity: 'minor', learningIds: ['l1'] });
  const worst = by('dataflow/code-injection', 9, { ...weak, endLine: 11, severity: 'critical', related });
  const third = by('tool/eval', 10, { ...weak, confidence: 'likely' });
  assert.deepEqual(mergeFindings([third, worst, first], nothingSeen), [
    {
      ...first,
      severity: 'critical',
      title: 'dataflow/code-injection',
      related,
      rules: ['oxlint/no-eval', 'dataflow/code-injection', 'tool/eval'],
    },
  ]);
});

test('findings of rules that are equal by the table are merged, also without a CWE', () => {
  const [said, ...others] = mergeFindings([by('ruff/PLE1300', 3), by('ruff/F509', 3)], nothingSeen);
  assert.deepEqual([said!.rules, others], [['ruff/F509', 'ruff/PLE1300'], []]);
});

test('a secret in a line of a Dockerfile is one fault, whatever its form', () => {
  const found = [1, 2].flatMap((number) => [
    by('docker/secret-in-env', 5 - number, { identity: `d${number}`, cwe: 'CWE-526' }),
    by(number === 1 ? 'secrets/assignment' : 'secrets/npm-token', 5 - number, {
      identity: `s${number}`,
      cwe: 'CWE-798',
    }),
  ]);
  assert.deepEqual(
    mergeFindings(found, nothingSeen).map(({ rules }) => rules),
    [
      ['secrets/assignment', 'docker/secret-in-env'],
      ['secrets/npm-token', 'docker/secret-in-env'],
    ],
  );
});

test('findings on other lines, another side or file, with another CWE, or of the same rule are not merged', () => {
  const one = by('oxlint/no-eval', 10, weak);
  for (const other of [
    by('patterns/code-from-text', 11, weak),
    by('patterns/code-from-text', 10, { ...weak, side: 'old' }),
    by('patterns/code-from-text', 10, { ...weak, path: 'src/new.ts' }),
    by('patterns/html-injection', 10, { cwe: 'CWE-79' }),
    by('oxlint/no-debugger', 10),
    by('oxlint/no-eval', 10, weak),
    by('patterns/code-from-text', 10, { ...weak, startLine: null, endLine: null }),
    sampleFinding({ source: { kind: 'model', name: 'm' }, rules: [], confidence: 'likely', startLine: 10 }),
  ])
    assert.deepEqual(mergeFindings([one, other], nothingSeen), [one, other]);
});

test('a finding of an own linter and one in the log of the same linter are merged, also if that has more lines', () => {
  const own = by('oxlint/use-isnan', 2);
  const sent = by('oxlint/use-isnan', 2, { endLine: 7, confidence: 'likely' });
  for (const found of [
    [own, sent],
    [sent, own],
  ])
    assert.deepEqual(
      mergeFindings(found, nothingSeen).map(({ identity }) => identity),
      [own.identity],
    );
});

test('a finding about many lines is merged with one of those within it, not with all', () => {
  const whole = by('aaa/whole', 4, { ...weak, endLine: 9 });
  const [first, second] = [by('bbb/x', 5, weak), by('bbb/y', 8, weak)];
  assert.deepEqual(
    mergeFindings([first, whole, second], nothingSeen).map(({ rules }) => rules),
    [['aaa/whole', 'bbb/x'], ['bbb/y']],
  );
});

test('a suggestion is for exactly the lines of the finding', () => {
  const first = by('oxlint/no-eval', 10, { ...weak, severity: 'minor' });
  const wider = by('patterns/code-from-text', 9, { ...weak, endLine: 11, suggestion: 'wider();' });
  assert.equal(mergeFindings([first, wider], nothingSeen)[0]!.suggestion, null);
  const same = by('patterns/code-from-text', 10, { ...weak, suggestion: 'same();' });
  assert.equal(mergeFindings([first, same], nothingSeen)[0]!.suggestion, 'same();');
});

test('a proven finding has the suggestion of an own rule, never that of an unproven one that is merged into it', () => {
  const own = by('oxlint/no-eval', 10, { ...weak, severity: 'minor', suggestion: null });
  const foreign = { ...weak, confidence: 'likely', severity: 'critical', suggestion: 'steal();' } as const;
  const joined = by('tool/eval', 10, foreign);
  const suggestionOf = (...found: Finding[]) =>
    mergeFindings(found, nothingSeen).map((each) => each.suggestion);
  assert.deepEqual(suggestionOf(own, joined), [null]);
  assert.deepEqual(suggestionOf({ ...own, suggestion: 'safe();' }, joined), ['safe();']);
  assert.deepEqual(suggestionOf(joined, by('other/eval', 10, { ...foreign, suggestion: null })), [
    'steal();',
  ]);
});

test('a known finding keeps its identity when another is merged into it, even one with precedence', () => {
  const known = by('patterns/code-from-text', 10, { ...weak, severity: 'minor' });
  const joining = by('oxlint/no-eval', 10, weak);
  const seen = { known: new Set([known.identity]), dismissed: new Set<string>() };
  const [said, ...others] = mergeFindings([joining, known], seen);
  assert.deepEqual([said!.identity, said!.severity, others], [known.identity, 'major', []]);
  assert.deepEqual(said!.rules, ['patterns/code-from-text', 'oxlint/no-eval']);
  const both = { ...seen, known: new Set([known.identity, joining.identity]) };
  assert.deepEqual(mergeFindings([joining, known], both), [joining, known], 'each has its comment already');
});

test('a dismissed finding also dismisses those that are merged into it, but none that is worse', () => {
  const dismissed = by('oxlint/no-eval', 10, { ...weak, severity: 'minor' });
  const ids = new Set([dismissed.identity]);
  const seen = { known: ids, dismissed: ids };
  const same = by('patterns/code-from-text', 10, { ...weak, severity: 'minor' });
  assert.deepEqual(
    mergeFindings([same, dismissed], seen).map(({ identity }) => identity),
    [dismissed.identity],
  );
  const worse = by('dataflow/code-injection', 10, { ...weak, severity: 'critical' });
  assert.deepEqual(mergeFindings([worse, dismissed], seen), [worse, dismissed]);
});

const rules = [
  'secrets/a',
  'oxlint/a',
  'oxlint/b',
  'patterns/a',
  'ruff/F509',
  'ruff/PLE1300',
  'dataflow/a',
  'tool/a',
];
const anyFinding = fc
  .record({
    rule: fc.constantFrom(...rules),
    startLine: fc.integer({ min: 1, max: 6 }),
    length: fc.integer({ min: 0, max: 3 }),
    cwe: fc.constantFrom(null, 'CWE-79', 'CWE-89'),
    severity: fc.constantFrom(...severities),
    path: fc.constantFrom('src/a.ts', 'src/new.ts'),
  })
  .map(({ rule, startLine, length, ...more }) =>
    by(rule, startLine, { endLine: startLine + length, ...more }),
  );

test('the order of sources changes nothing, and nothing that was raised is lost', () => {
  const facts = (finding: Finding) =>
    JSON.stringify([finding.identity, finding.severity, finding.title, finding.rules, finding.cwe]);
  const worstOf = (findings: readonly Finding[]) =>
    findings.reduce<Severity>(
      (worst, { severity }) => (severities.indexOf(severity) < severities.indexOf(worst) ? severity : worst),
      'info',
    );
  fc.assert(
    fc.property(
      fc.array(anyFinding, { maxLength: 25 }).chain((found) =>
        fc.record({
          found: fc.constant(found),
          shuffled: fc.shuffledSubarray(found, { minLength: found.length }),
          known: fc.subarray(found.map(({ identity }) => identity)),
        }),
      ),
      ({ found, shuffled, known }) => {
        const seen = { known: new Set(known), dismissed: new Set<string>() };
        const merged = mergeFindings(found, seen);
        assert.deepEqual(mergeFindings(shuffled, seen).map(facts).sort(), merged.map(facts).sort());
        const raised = (findings: readonly Finding[]) => findings.flatMap((one) => one.rules).sort();
        assert.deepEqual(raised(merged), raised(found));
        assert.equal(worstOf(merged), worstOf(found));
        const ids = new Set(merged.map(({ identity }) => identity));
        assert.ok(
          known.every((id) => ids.has(id)),
          'what is known is still there',
        );
        assert.ok(
          merged.every((one) =>
            found.some(({ identity, startLine }) => identity === one.identity && startLine === one.startLine),
          ),
        );
      },
    ),
    { numRuns: 500 },
  );
});

test('each of many lines that two rules raise is one finding', () => {
  const found = Array.from({ length: 2_000 }, (_, index) =>
    by(index % 2 ? 'oxlint/a' : 'tool/a', index >> 1, weak),
  );
  const merged = mergeFindings(found, nothingSeen);
  assert.deepEqual([merged.length, new Set(merged.map(({ startLine }) => startLine)).size], [1_000, 1_000]);
});
