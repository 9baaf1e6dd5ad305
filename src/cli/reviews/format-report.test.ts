import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyReport } from '../../reviewer/review-report.ts';
import { formatReport } from './format-report.ts';

test('preexisting findings are listed separately, the worst five of them', () => {
  const preexisting = Array.from({ length: 6 }, (_, index) => ({
    path: 'a\u001b.ts',
    start_line: index + 1,
    rule: 'secrets/github-token',
    severity: 'critical' as const,
    title: 'Credential in the code',
  }));
  const lines = formatReport(
    { ...emptyReport, preexisting, total_preexisting: 60 },
    (_style, text) => text,
  ).split('\n');
  assert.deepEqual(lines.slice(1, 3), [
    'Before     60 findings on lines that did not change',
    '             a\\u001b.ts:1  critical  Credential in the code  secrets/github-token',
  ]);
  assert.deepEqual([lines.length, lines.at(-1)], [8, '             and 55 more']);
});

test('if not all uses are listed, only the certain ones are counted', () => {
  const usesOf = (states: readonly ('updated' | 'fits' | 'broken')[], total_references: number) => {
    const references = states.map((state, line) => ({ path: 'b.ts', line, state }));
    const entry = { symbol: 'load', renamed_to: null, path: 'a.ts', line: 1, change: 'removed' as const };
    const impact = [{ ...entry, references, total_references }];
    const shown = formatReport({ ...emptyReport, impact, total_impact: 1 }, (_style, text) => text).split(
      '\n',
    );
    return /load was removed: (.*) {2}a\.ts:1/.exec(shown[1]!)![1];
  };
  assert.equal(usesOf(['broken', 'broken', 'fits'], 3), '3 uses, 2 broken, 1 left as it was');
  assert.equal(usesOf(['broken', 'broken', 'fits'], 9), '9 uses, 2 broken, at least 1 left as it was');
  assert.equal(usesOf(['broken', 'broken', 'fits', 'updated'], 9), '9 uses, 2 broken, 1 left as it was');
  assert.equal(usesOf(['broken', 'broken'], 9), '9 uses, at least 2 broken');
});

test('direct or vulnerable packages are shown, and the others counted', () => {
  const dependency = (name: string, direct: boolean, vulnerabilities: readonly string[] = []) => ({
    ecosystem: 'npm',
    name,
    from: null,
    to: '1.0.0',
    kind: 'added' as const,
    direct,
    manifest: direct ? 'package.json' : 'package-lock.json',
    licence: null,
    vulnerabilities,
  });
  const packagesOf = (...dependencies: ReturnType<typeof dependency>[]) =>
    formatReport({ ...emptyReport, dependencies, total_dependencies: 9 }, (_style, text) => text)
      .split('\n')
      .slice(1);
  assert.deepEqual(
    packagesOf(dependency('b', false), dependency('a', true), dependency('c', false, ['GHSA-1'])),
    [
      'Packages   a added 1.0.0  package.json',
      '           c added 1.0.0  GHSA-1  package-lock.json',
      '           and 7 indirect',
    ],
  );
  assert.deepEqual(packagesOf(dependency('b', false)), ['Packages   9 indirect packages']);
});
