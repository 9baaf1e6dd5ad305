import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { findingFingerprint, fingerprintFindings, type Identifiable } from './fingerprint.ts';

function finding(changes: Partial<Identifiable> = {}): Identifiable {
  return {
    ruleId: 'no-eval',
    filePath: 'src/app.ts',
    title: 'Eval',
    description: null,
    startLine: 3,
    endLine: 3,
    snippet: 'eval(input);',
    ...changes,
  };
}

test('moved lines, other indentation and other line ends leave the identity alone', () => {
  const before = findingFingerprint(finding({ snippet: 'if (x) {\n  eval(x);\n}' }));
  const after = findingFingerprint(
    finding({ snippet: '\tif (x) {\r\n\t\teval(x);\r\n\r\n\t}\r\n', startLine: 90, endLine: 93 }),
  );
  assert.equal(after, before);
  assert.match(before, /^pf1-[0-9a-f]{40}$/);
});

test('another rule, path or code is another finding', () => {
  const all = [{}, { ruleId: 'no-exec' }, { filePath: 'src/b.ts' }, { snippet: 'eval(other);' }];
  assert.equal(new Set(all.map((changes) => findingFingerprint(finding(changes)))).size, all.length);
});

for (const given of [{ fingerprint: 'abc' }, { partialFingerprint: 'abc' }]) {
  test(`a given ${Object.keys(given)[0]} wins over the code, within its rule and file`, () => {
    const identity = findingFingerprint(finding(given));
    assert.equal(findingFingerprint(finding({ ...given, snippet: 'x' })), identity);
    assert.notEqual(findingFingerprint(finding({ ...given, ruleId: 'other' })), identity);
    assert.notEqual(findingFingerprint(finding({ ...given, filePath: 'moved.ts' })), identity);
  });
}

test('a fingerprint that we made is taken as it is', () => {
  const made = findingFingerprint(finding());
  assert.equal(findingFingerprint({ ruleId: 'x', filePath: 'y', title: 'z', fingerprint: made }), made);
});

test('without code or fingerprint the title stands for the finding', () => {
  const bare = { snippet: ' \r\n', title: 'Weak  hash' };
  assert.equal(
    findingFingerprint(finding(bare)),
    findingFingerprint(finding({ snippet: null, title: 'Weak hash', startLine: 8 })),
  );
});

test('the same code twice in one file is two findings, counted from the top of the file', () => {
  const [lower, upper] = fingerprintFindings([finding({ startLine: 20, endLine: 20 }), finding()]);
  assert.notEqual(lower, upper);
  assert.equal(upper, findingFingerprint(finding()));
  assert.equal(lower, findingFingerprint(finding({ occurrence: 2 })));
});

test('a finding reported twice at one place is one finding, with another message it is two', () => {
  const [one, again, other] = fingerprintFindings([
    finding(),
    finding(),
    finding({ description: 'differs' }),
  ]);
  assert.equal(again, one);
  assert.notEqual(other, one);
});

test('the same given fingerprint at two places loses neither finding', () => {
  const fingerprint = 'careless';
  const two = fingerprintFindings([finding({ fingerprint }), finding({ fingerprint, filePath: 'src/b.ts' })]);
  assert.equal(new Set(two).size, 2);
});

const place = fc.record({
  fingerprint: fc.constantFrom('f', 'g', null),
  snippet: fc.constantFrom('a', 'b', null),
  filePath: fc.constantFrom('x.ts', 'y.ts'),
  description: fc.constantFrom('one', 'two', null),
  startLine: fc.integer({ min: 1, max: 5 }),
});

test('what a scan says of one file does not change the identity of findings in another', () => {
  fc.assert(
    fc.property(fc.array(place), (places) => {
      const findings = places.map((changes) => finding({ ...changes, endLine: changes.startLine }));
      const inOneFile = ({ filePath }: Identifiable) => filePath === 'y.ts';
      const fingerprints = fingerprintFindings(findings).filter((_, index) => inOneFile(findings[index]!));
      assert.deepEqual(fingerprintFindings(findings.filter(inOneFile)), fingerprints);
    }),
  );
});

test('the order in which a scan reports its findings does not matter', () => {
  fc.assert(
    fc.property(fc.array(place), fc.array(fc.nat()), (places, order) => {
      const findings = places.map((changes) => finding({ ...changes, endLine: changes.startLine }));
      const shuffled = findings
        .map((entry, index) => ({ entry, rank: order[index] ?? 0 }))
        .sort((a, b) => a.rank - b.rank)
        .map(({ entry }) => entry);
      assert.deepEqual(fingerprintFindings(shuffled).toSorted(), fingerprintFindings(findings).toSorted());
    }),
  );
});
