import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '../../../../test/properties.ts';
import { severities } from '../../../reviewer/finding-vocabulary.ts';
import { statusOfReview } from './review-status.ts';

const graves = ['critical', 'major'];
const reviewed = fc.record({
  status: fc.constantFrom('succeeded', 'degraded', 'skipped', 'failed'),
  reason: fc.constantFrom(null, 'BUDGET'),
  failOn: fc.constantFrom(...severities, 'none'),
  open: fc.array(fc.constantFrom(...severities), { maxLength: 6 }),
});

test('a status is green only if everything was looked at and nothing major or worse stands open', () => {
  fc.assert(
    fc.property(reviewed, (given) => {
      const { state, title } = statusOfReview(given);
      const worst = given.open.filter((severity) => graves.includes(severity)).length;
      if (state === 'success') assert.deepEqual([given.status, worst], ['succeeded', 0]);
      if (given.status === 'succeeded' && state === 'warning')
        assert.ok(title.includes(String(worst)), title);
    }),
  );
});

test('with nothing open, or only what is minor and below fail_on, a complete review is green', () => {
  const verdict = (...open: (typeof severities)[number][]) =>
    statusOfReview({ status: 'succeeded', reason: null, failOn: 'critical', open }).state;
  assert.deepEqual(
    [verdict(), verdict('minor', 'info'), verdict('minor', 'major'), verdict('critical')],
    ['success', 'success', 'warning', 'failure'],
  );
});
