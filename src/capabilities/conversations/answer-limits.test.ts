import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '../../../test/properties.ts';
import { answerLimits, roomForAnswer } from './answer-limits.ts';
import type { AddressedComment } from './comment-store.ts';

const rowAt = (
  serial: number,
  threadId: string | null,
  decidedAt: Date,
  isAnswered: boolean,
): AddressedComment => ({
  key: `conversation/${serial}`,
  threadId,
  authorId: '1',
  kind: isAnswered ? 'command' : 'over_limit',
  state: isAnswered ? 'answered' : 'silent',
  answer: null,
  decidedAt,
});

test('whoever answers every answer, at whatever pace and in however many threads, comes to an end', () => {
  const step = fc.record({ minutes: fc.nat({ max: 30 }), thread: fc.constantFrom(null, 'a', 'b', 'c') });
  fc.assert(
    fc.property(fc.array(step, { minLength: 400, maxLength: 600 }), (steps) => {
      const rows: AddressedComment[] = [];
      let time = 0;
      for (const [serial, { minutes, thread }] of steps.entries()) {
        time += minutes * 60_000;
        const now = new Date(time);
        const isAnswered = roomForAnswer(rows, thread, now) !== 'none';
        rows.push(rowAt(serial, thread, now, isAnswered));
        const recent = rows.filter(
          ({ state, decidedAt }) => state === 'answered' && decidedAt.getTime() > time - 3_600_000,
        );
        assert.ok(recent.length <= answerLimits.perPullRequestAndHour);
        assert.ok(recent.filter((one) => one.threadId === thread).length <= answerLimits.perThreadAndHour);
      }
      assert.ok(rows.filter(({ state }) => state === 'answered').length <= answerLimits.perPullRequest);
    }),
    { numRuns: 20 },
  );
});

test('the last answer of an hour is known as such, and the next hour begins anew', () => {
  const rows: AddressedComment[] = [];
  const now = new Date(0);
  const rooms = Array.from({ length: 12 }, (_, serial) => {
    const room = roomForAnswer(rows, null, now);
    rows.push(rowAt(serial, null, now, room !== 'none'));
    return room;
  });
  assert.deepEqual(rooms.slice(8), ['enough', 'last', 'none', 'none']);
  assert.equal(roomForAnswer(rows, 'a thread', now), 'enough');
  assert.equal(roomForAnswer(rows, null, new Date(3_600_001)), 'enough');
});
