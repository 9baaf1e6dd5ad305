import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countMatches } from './match-findings.ts';
import { scoreCases } from './score.ts';

const raised = (path: string, startLine: number | null, endLine = startLine) => ({
  path,
  startLine,
  endLine,
});
const golden = (path: string, start_line: number | null, end_line = start_line) => ({
  path,
  start_line,
  end_line,
});

test('a finding matches an expected one if its lines are near, in the same file', () => {
  assert.equal(countMatches([raised('a', 10, 12)], [golden('a', 12, 20)]), 1);
  assert.equal(countMatches([raised('a', 10)], [golden('a', 13)]), 1);
  assert.equal(countMatches([raised('a', 10)], [golden('a', 14)]), 0);
  assert.equal(countMatches([raised('a', 10)], [golden('b', 10)]), 0);
  assert.equal(countMatches([raised('a', null)], [golden('a', 10)]), 0);
  assert.equal(countMatches([raised('a', null)], [golden('a', null)]), 1);
});

test('each finding counts once, and as many as possible are paired', () => {
  assert.equal(countMatches([raised('a', 10), raised('a', 11)], [golden('a', 10)]), 1);
  assert.equal(countMatches([raised('a', 11), raised('a', 14)], [golden('a', 12), golden('a', 9)]), 2);
});

test('precision, recall and F1 are over all findings, with intervals that contain them', () => {
  const cases = Array.from({ length: 40 }, (_, index) => ({ raised: 2, golden: 4, matched: index % 2 }));
  const { precision, recall, f1 } = scoreCases(cases);
  assert.deepEqual([precision.value, recall.value, f1.value], [0.25, 0.125, 1 / 6]);
  for (const { value, low, high } of [precision, recall, f1])
    assert.ok(low! < value! && value! < high! && high! - low! < 0.25, `${low} ${value} ${high}`);
  assert.deepEqual(scoreCases(cases), scoreCases(cases), 'the same every time');
});

test('if all cases are equal, the interval is wider for fewer cases', () => {
  const all = (count: number, matched: number) =>
    scoreCases(Array.from({ length: count }, () => ({ raised: 1, golden: 1, matched }))).recall;
  assert.equal(all(10, 1).value, 1);
  assert.ok(Math.abs(all(10, 1).high! - 1) < 0.001);
  assert.ok(Math.abs(all(10, 1).low! - 0.7225) < 0.001);
  assert.ok(all(100, 1).low! > all(10, 1).low!);
  assert.ok(Math.abs(all(10, 0).high! - 0.2775) < 0.001);
});

test('if nothing was raised or expected, the figures are null', () => {
  const nothing = { value: null, low: null, high: null };
  assert.deepEqual(scoreCases([]), { precision: nothing, recall: nothing, f1: nothing });
  assert.deepEqual(scoreCases([{ raised: 0, golden: 0, matched: 0 }]).precision, nothing);
  assert.equal(scoreCases([{ raised: 0, golden: 3, matched: 0 }]).recall.value, 0);
});
