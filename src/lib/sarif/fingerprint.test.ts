import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  alikeKey,
  type FingerprintInput,
  fingerprintOf,
  isFinalFingerprint,
  legacyFingerprint,
} from './fingerprint.ts';

function finding(changes: Partial<FingerprintInput> = {}): FingerprintInput {
  return { ruleId: 'no-eval', filePath: 'src/app.ts', title: 'Eval', snippet: 'eval(input);', ...changes };
}
const key = (changes: Partial<FingerprintInput> = {}) => alikeKey('tool', finding(changes));

test('indentation and line ends do not affect the identity', () => {
  assert.equal(
    key({ snippet: '\tif (x) {\r\n\t\teval(x);\r\n\r\n\t}\r\n' }),
    key({ snippet: 'if (x) {\n  eval(x);\n}' }),
  );
});

test('another tool, rule, path or code is another finding', () => {
  const keys = [{}, { ruleId: 'no-exec' }, { filePath: 'src/b.ts' }, { snippet: 'eval(other);' }].map(key);
  assert.equal(new Set([...keys, alikeKey('other', finding())]).size, 5);
});

for (const given of [{ fingerprint: 'abc' }, { partialFingerprint: 'abc' }]) {
  test(`a given ${Object.keys(given)[0]} takes precedence over the code, within its rule and file`, () => {
    assert.equal(key({ ...given, snippet: 'x' }), key(given));
    assert.notEqual(key({ ...given, ruleId: 'other' }), key(given));
    assert.notEqual(key({ ...given, filePath: 'moved.ts' }), key(given));
  });
}

test('without code or fingerprint the title identifies the finding', () => {
  assert.equal(key({ snippet: ' \r\n', title: 'Weak  hash' }), key({ snippet: null, title: 'Weak hash' }));
});

test('our own fingerprints are distinguished from others', () => {
  assert.ok(isFinalFingerprint(fingerprintOf(key(), 1)));
  assert.notEqual(fingerprintOf(key(), 1), fingerprintOf(key(), 2));
  for (const other of ['abc', 'pf1-abc', `pf1-${'g'.repeat(40)}`, null])
    assert.ok(!isFinalFingerprint(other));
});

test('the fingerprints of older versions do not change', () => {
  assert.equal(legacyFingerprint(finding(), 1), 'pf1-e852685469f2d8da7109316a0d56fec3eb9eb9bf');
  assert.equal(legacyFingerprint(finding({ filePath: '/src/app.ts' }), 2), legacyFingerprint(finding(), 2));
});
