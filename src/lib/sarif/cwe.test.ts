import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cweOfTags, parseCwe } from './cwe.ts';

test('CWEs are found in every notation that tools use', () => {
  const cases: [unknown, string[]][] = [
    ['CWE-79', ['CWE-79']],
    ['cwe-079', ['CWE-79']],
    ['CWE79', ['CWE-79']],
    ['CWE_79', ['CWE-79']],
    ['CWE: 79', []],
    ['CWE:79', ['CWE-79']],
    ['79', ['CWE-79']],
    [79, ['CWE-79']],
    ['CWE-79: Improper Neutralization (CWE-20)', ['CWE-20', 'CWE-79']],
    ['CWE-564,CWE-89', ['CWE-89', 'CWE-564']],
    [
      ['CWE-89', 'CWE-89', 20],
      ['CWE-20', 'CWE-89'],
    ],
    ['external/cwe/cwe-022', ['CWE-22']],
    ['CWE-0', []],
    ['CWE-1234567', []],
    ['NoCWE-here', []],
    [null, []],
    [{ id: 79 }, []],
  ];
  for (const [value, expected] of cases) assert.deepEqual(parseCwe(value), expected, JSON.stringify(value));
});

test('a tag that is only a number or a word is not a CWE', () => {
  assert.deepEqual(cweOfTags(['79', 79, 'security', 'cwe-top-25', 'external/cwe/cwe-078']), ['CWE-78']);
  assert.deepEqual(cweOfTags('CWE-79'), []);
});
