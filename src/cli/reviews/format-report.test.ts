import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatReport } from './format-report.ts';

const empty = {
  walkthrough: { areas: [], total_areas: 0, reading_order: [], moved_only: [] },
  impact: [],
  total_impact: 0,
  together: [],
  total_together: 0,
  dependencies: [],
  total_dependencies: 0,
  contracts: [],
  checks: [],
  preexisting: [],
  total_preexisting: 0,
  quiet: [],
  reviewers: [],
  guidelines: [],
  risk: { level: 'low' as const, reasons: [] },
};

test('what was there before is listed apart, the worst five of it', () => {
  const preexisting = Array.from({ length: 6 }, (_, index) => ({
    path: 'a\u001b.ts',
    start_line: index + 1,
    rule: 'secrets/github-token',
    severity: 'critical' as const,
    title: 'A credential is in the code',
  }));
  const lines = formatReport({ ...empty, preexisting, total_preexisting: 60 }, (_style, text) => text).split(
    '\n',
  );
  assert.deepEqual(lines.slice(1, 3), [
    'Before     60 findings on lines that did not change',
    '             a\\u001b.ts:1  critical  A credential is in the code  secrets/github-token',
  ]);
  assert.deepEqual([lines.length, lines.at(-1)], [8, '             and 55 more']);
});
