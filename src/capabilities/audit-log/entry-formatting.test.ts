import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '../../../test/properties.ts';
import { labelOf } from './entry-labels.ts';
import { formatRelativeTime } from './relative-time.ts';

test('an action or resource type becomes a readable label', () => {
  assert.equal(labelOf('api_key.created'), 'API key created');
  assert.equal(labelOf('seat_assignment_mode.changed'), 'Seat assignment mode changed');
  assert.equal(labelOf('organization'), 'Organization');
});

test('relative time uses the largest whole unit', () => {
  const now = new Date('2026-06-15T12:00:00Z');
  for (const [ago, text] of [
    [-5_000, 'just now'],
    [59_999, 'just now'],
    [60_000, '1 minute ago'],
    [3 * 3_600_000 + 1, '3 hours ago'],
    [47 * 3_600_000, '1 day ago'],
    [45 * 86_400_000, '1 month ago'],
    [800 * 86_400_000, '2 years ago'],
  ] as const)
    assert.equal(formatRelativeTime(new Date(now.getTime() - ago), now), text);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4e12 }), (ago) =>
      assert.match(
        formatRelativeTime(new Date(now.getTime() - ago), now),
        /^(just now|1 (minute|hour|day|month|year) ago|[\d,]+ (minutes|hours|days|months|years) ago)$/,
      ),
    ),
  );
});
