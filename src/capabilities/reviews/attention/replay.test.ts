import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '../../../../test/properties.ts';
import { keptComments, type PostedComment, replayComments } from './replay.ts';

const attention = { enabled: true, min_outcomes: 3, mute_below: 0.6 };
const moment = (minutes: number) => new Date(Date.UTC(2026, 5, 1, 0, minutes));

/** Few rules, pull requests and moments, so that many things happen at once. */
const history = fc.uniqueArray(
  fc.record({
    identity: fc.nat({ max: 60 }).map((number) => `finding-${number}`),
    pull: fc.nat({ max: 4 }).map((number) => `pull-${number}`),
    rules: fc.uniqueArray(fc.constantFrom('a/one', 'a/two'), { minLength: 1, maxLength: 2 }),
    severity: fc.constantFrom('critical', 'major', 'minor'),
    postedAt: fc.nat({ max: 3 }).map(moment),
    accepted: fc.constantFrom(true, false, false, null),
    decidedAt: fc.nat({ max: 3 }).map(moment),
  }),
  { selector: ({ pull, identity }) => `${pull} ${identity}`, minLength: 20, maxLength: 80 },
);

test('a replay depends on what happened and when, not on the order in which it is told', () => {
  fc.assert(
    fc.property(history, fc.infiniteStream(fc.nat()), (told, chance) => {
      const shuffled = told
        .map((comment) => ({ comment, at: chance.next().value as number }))
        .sort((a, b) => a.at - b.at)
        .map(({ comment }) => comment);
      const kept = (given: readonly PostedComment[]) => {
        const chosen = keptComments(given, attention, new Map());
        return told.filter((comment) => chosen.has(comment));
      };
      assert.deepEqual(kept(shuffled), kept(told));
      const replay = (given: readonly PostedComment[]) => replayComments(given, attention, new Map());
      assert.deepEqual(replay(shuffled), replay(told));
      for (const comment of told.filter(({ severity }) => severity === 'critical'))
        assert.ok(keptComments(told, attention, new Map()).has(comment), 'what is critical is always posted');
    }),
  );
});
