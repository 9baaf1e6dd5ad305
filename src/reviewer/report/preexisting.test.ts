import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeOf } from '../../../test/change-of-versions.ts';
import { reviewHere } from '../../../test/review-here.ts';
import { resolveConfiguration } from '../configuration/review-configuration.ts';
import { secrets } from '../rules/secrets/secrets.ts';
import { joinStanding, standingIn as standingInFile } from './preexisting.ts';

const token = `ghp_${'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'}`;
const lines = (count: number) => Array.from({ length: count }, (_, index) => `line(${index});\n`).join('');

async function standingIn(before: string, after: string, floor: 'critical' | 'info' = 'info') {
  const { findings, report } = await reviewHere({
    change: changeOf({ 'a.ts': [before, after] }),
    configuration: resolveConfiguration({ reviews: { severity_floor: floor } }),
    sources: [secrets],
    signal: AbortSignal.timeout(300_000),
  });
  return { findings: findings.length, preexisting: report!.preexisting, total: report!.total_preexisting };
}

test('findings of rules on unchanged lines of changed files are kept, without the secret itself', async () => {
  const old = `const key = '${token}';\n${lines(20)}`;
  const found = await standingIn(old, `top();\n${old}bottom();\n`);
  assert.deepEqual(found, {
    findings: 0,
    preexisting: [
      {
        path: 'a.ts',
        start_line: 2,
        rule: 'secrets/github-token',
        severity: 'critical',
        title: 'Credential in the code',
      },
    ],
    total: 1,
  });
  assert.doesNotMatch(JSON.stringify(found), new RegExp(token));
});

test('a fault that the change introduced is a finding; at most 50 existing ones are listed, with their total', async () => {
  const brought = await standingIn(lines(3), `${lines(3)}const key = '${token}';\n`);
  assert.deepEqual([brought.findings, brought.total], [1, 0]);
  const many = Array.from({ length: 70 }, () => `const key = '${token}';\n`).join('');
  const all = await standingIn(many, `${many}more();\n`);
  assert.deepEqual([all.findings, all.preexisting.length, all.total], [0, 50, 70]);
});

test('an existing fault that two sources report counts once, by the first rule and with the worst severity', () => {
  const found = (rule: string, startLine: number, severity: 'major' | 'minor', cwe: string | null) => ({
    rule,
    startLine,
    endLine: startLine,
    severity,
    cwe,
    category: 'security_and_privacy' as const,
    title: rule,
    body: '',
    suggestion: null,
    related: [],
    confidence: 'proven' as const,
  });
  const standing = standingInFile('a.ts', [
    { standing: [found('patterns/code-from-text', 3, 'major', 'CWE-95')], standingCount: 1 },
    {
      standing: [
        found('oxlint/no-eval', 3, 'minor', 'CWE-95'),
        found('oxlint/no-eval', 4, 'minor', 'CWE-95'),
      ],
      standingCount: 12,
    },
  ]);
  assert.deepEqual(
    [standing.entries.map(({ rule, start_line, severity }) => [rule, start_line, severity]), standing.total],
    [
      [
        ['oxlint/no-eval', 3, 'major'],
        ['oxlint/no-eval', 4, 'minor'],
      ],
      12,
    ],
  );
  const [entry] = standing.entries;
  const joined = joinStanding([standing, { entries: [{ ...entry!, rule: 'ESLint/no-eval' }], total: 1 }]);
  assert.deepEqual([joined.entries.length, joined.total], [2, 12]);
});
