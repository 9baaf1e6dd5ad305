import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LEVEL_OF_SEVERITY, SCORE_OF_SEVERITY, SEVERITIES, severityOf } from './severity.ts';

test('the score determines the severity at its documented limits', () => {
  const cases: [unknown, string][] = [
    ['10.0', 'critical'],
    ['9.0', 'critical'],
    [8.9, 'high'],
    ['7', 'high'],
    ['6.9', 'medium'],
    [4, 'medium'],
    ['3.9', 'low'],
    ['0.1', 'low'],
  ];
  for (const [score, severity] of cases)
    assert.equal(severityOf([score], 'warning'), severity, String(score));
});

test('without a usable score the level decides', () => {
  for (const score of ['0.0', 0, -1, '', ' ', 'high', Number.NaN, {}, null, undefined]) {
    assert.equal(severityOf([score], 'error'), 'high', String(score));
  }
  assert.equal(severityOf([], 'warning'), 'medium');
  assert.equal(severityOf([], 'note'), 'low');
  assert.equal(severityOf([], 'none'), 'info');
});

test("the score of the result takes precedence over its rule's", () => {
  assert.equal(severityOf(['2.0', '9.8'], 'error'), 'low');
  assert.equal(severityOf([undefined, '9.8'], 'note'), 'critical');
  assert.equal(severityOf(['0.0', '9.8'], 'none'), 'info');
});

test('a severity that is written is read back unchanged', () => {
  for (const severity of SEVERITIES) {
    assert.equal(severityOf([SCORE_OF_SEVERITY[severity]], LEVEL_OF_SEVERITY[severity]), severity);
  }
});
