import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '../../../../test/properties.ts';
import {
  type Signal,
  type SignalName,
  type SignalSource,
  signalNames,
  signalSources,
} from '../signals/signal.ts';
import { decideOutcome, isBeyondChance } from './decide-outcome.ts';

const person = { id: '1', name: 'ada', isBot: false };
const bot = { id: '2', name: 'fixer', isBot: true };
const head = 'head-2';
let second = 0;
const at = () => new Date(Date.UTC(2026, 0, 1, 0, 0, ++second));

const inCode = (signal: SignalName, source: SignalSource = 'git', seenAt = head): Signal => ({
  signal,
  source,
  at: at(),
  actor: null,
  evidence: { head: seenAt },
});
const byHost = (signal: SignalName, actor: Signal['actor'] = person): Signal => ({
  signal,
  source: 'host',
  at: at(),
  actor,
  evidence: { thread: 't1' },
});
const word = (
  accepted: boolean | null,
  signal: SignalName = accepted ? 'confirmed' : 'dismissed',
): Signal => ({
  signal,
  source: 'api',
  at: at(),
  actor: person,
  evidence: { accepted },
});
const verdictOf = (...signals: Signal[]) => {
  const { accepted, signal } = decideOutcome(signals, head);
  return [accepted, signal];
};

test('each step of the order decides over all steps below it', () => {
  const wontFix = byHost('reply_wont_fix');
  const landed = inCode('suggestion_landed');
  const touched = inCode('lines_changed');
  const untouched = inCode('merged_untouched');
  assert.deepEqual(verdictOf(word(true), wontFix, untouched), [true, 'confirmed']);
  assert.deepEqual(verdictOf(word(false), landed, touched), [false, 'dismissed']);
  assert.deepEqual(verdictOf(wontFix, landed, byHost('suggestion_applied')), [false, 'reply_wont_fix']);
  assert.deepEqual(verdictOf(byHost('suggestion_applied'), untouched), [true, 'suggestion_applied']);
  assert.deepEqual(verdictOf(landed, touched), [true, 'suggestion_landed']);
  assert.deepEqual(verdictOf(inCode('finding_gone', 'rule'), touched), [true, 'finding_gone']);
  assert.deepEqual(verdictOf(touched, inCode('named_change'), byHost('reply_fixed')), [true, 'named_change']);
  assert.deepEqual(verdictOf(untouched, byHost('thread_resolved')), [false, 'merged_untouched']);
  assert.deepEqual(verdictOf(touched, byHost('thread_resolved')), [true, 'thread_resolved']);
});

test('evidence that could be a coincidence decides nothing', () => {
  const touched = inCode('lines_changed');
  assert.deepEqual(verdictOf(), [null, null]);
  assert.deepEqual(verdictOf(touched), [null, null]);
  assert.deepEqual(verdictOf(touched, inCode('named_change')), [null, null]);
  assert.deepEqual(
    verdictOf(touched, inCode('finding_gone', 'model')),
    [null, null],
    'a model may overlook it',
  );
  assert.deepEqual(verdictOf(touched, byHost('thread_resolved', bot)), [null, null], 'resolved by a bot');
  assert.deepEqual(verdictOf(byHost('reply_wont_fix', bot)), [null, null], 'said by a bot');
  assert.deepEqual(verdictOf(touched, byHost('reaction')), [null, null]);
  const stillRaised = { ...touched, evidence: { head, still_raised: true } };
  assert.deepEqual(
    verdictOf(stillRaised, byHost('thread_resolved')),
    [null, null],
    'the change did not help',
  );
  assert.deepEqual(verdictOf(byHost('thread_resolved'), byHost('reply_fixed')), [null, null]);
  const gone = inCode('finding_gone', 'rule');
  assert.deepEqual(verdictOf(gone, inCode('merged_untouched')), [null, null], 'perhaps fixed elsewhere');
});

test('what was seen in an earlier version counts no more when the change was taken back', () => {
  const earlier = inCode('lines_changed', 'git', 'head-1');
  assert.deepEqual(verdictOf(earlier, byHost('thread_resolved')), [null, null]);
  assert.deepEqual(verdictOf(inCode('suggestion_landed', 'git', 'head-1')), [null, null]);
});

test('a thread that was opened again is not resolved, and a later reply replaces an earlier one', () => {
  const touched = inCode('lines_changed');
  const [resolved, reopened] = [byHost('thread_resolved'), byHost('thread_reopened')];
  assert.deepEqual(verdictOf(touched, resolved, reopened), [null, null]);
  assert.deepEqual(verdictOf(byHost('reply_wont_fix'), byHost('reply_fixed')), [null, null]);
  assert.deepEqual(verdictOf(byHost('reply_fixed'), byHost('reply_wont_fix')), [false, 'reply_wont_fix']);
});

test("a person's word that it is fixed keeps a finding from being called untouched", () => {
  const untouched = inCode('merged_untouched');
  assert.deepEqual(verdictOf(untouched, byHost('reply_fixed')), [null, null]);
  assert.deepEqual(verdictOf(untouched, byHost('reply_fixed', bot)), [false, 'merged_untouched']);
  assert.deepEqual(verdictOf(inCode('lines_changed'), byHost('reply_fixed')), [true, 'reply_fixed']);
});

test('an edited reply says what it says now, whenever it was read', () => {
  const reply = byHost('reply_wont_fix');
  const first = { ...reply, evidence: { id: 'c1' } };
  const edited = {
    ...reply,
    signal: 'reply_fixed' as const,
    evidence: { comment: 'c1', edit: 1, withdrawn: false },
  };
  const taken = { ...reply, evidence: { comment: 'c1', edit: 2, withdrawn: true } };
  assert.deepEqual(verdictOf(first), [false, 'reply_wont_fix']);
  assert.deepEqual(verdictOf(edited, first, inCode('lines_changed')), [true, 'reply_fixed']);
  assert.deepEqual(verdictOf(taken, edited, first, inCode('merged_untouched')), [false, 'merged_untouched']);
});

test('a changed line and a resolved thread count less the likelier they are by chance', () => {
  const touched = (chance: number | null, of: string) => ({
    ...inCode('lines_changed'),
    evidence: { head, chance, comment_of: of },
  });
  const resolved = byHost('thread_resolved');
  const named = inCode('named_change');
  assert.deepEqual(verdictOf(touched(0.4, 'person'), resolved), [true, 'thread_resolved']);
  assert.deepEqual(verdictOf(touched(0.6, 'person'), resolved), [null, null]);
  assert.deepEqual(verdictOf(touched(0.6, 'person'), resolved, named), [true, 'named_change']);
  assert.deepEqual(verdictOf(touched(0.1, 'program'), resolved), [null, null], 'resolved unread, perhaps');
  assert.deepEqual(verdictOf(touched(0.1, 'program'), resolved, named), [true, 'named_change']);
  assert.deepEqual(verdictOf(touched(null, 'program'), resolved, named), [null, null], 'unknown: a quarter');
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.constantFrom('person', 'program'),
      fc.boolean(),
      fc.boolean(),
      (one, other, of, isNamed, asks) => {
        const [low, high] = [Math.min(one, other), Math.max(one, other)];
        const counts = (chance: number) =>
          isBeyondChance({ chance, comment_of: of, only_asks: asks }, isNamed);
        assert.ok(counts(low) || !counts(high));
        assert.ok(isBeyondChance({ chance: one, comment_of: of, only_asks: asks }, true) || !counts(one));
      },
    ),
  );
});

test('a question is settled by an answer, so its thread says nothing unless something that it names changed', () => {
  const asked = (of: string) => ({
    ...inCode('lines_changed'),
    evidence: { head, chance: 0.01, comment_of: of, only_asks: true },
  });
  const resolved = byHost('thread_resolved');
  assert.deepEqual(verdictOf(asked('person'), resolved), [null, null]);
  assert.deepEqual(verdictOf(asked('person'), resolved, inCode('named_change')), [true, 'named_change']);
  assert.deepEqual(verdictOf(asked('person'), byHost('reply_fixed')), [true, 'reply_fixed']);
});

test("a person's wish may be met elsewhere in the file, a program's finding is about its lines", () => {
  const untouched = (of: string, isChanged: boolean) => ({
    ...inCode('merged_untouched'),
    evidence: { head, comment_of: of, file_changed: isChanged },
  });
  assert.deepEqual(verdictOf(untouched('person', true)), [null, null]);
  assert.deepEqual(verdictOf(untouched('person', false)), [false, 'merged_untouched']);
  assert.deepEqual(verdictOf(untouched('program', true)), [false, 'merged_untouched']);
  assert.deepEqual(
    verdictOf(inCode('merged_untouched')),
    [false, 'merged_untouched'],
    'as it was seen before',
  );
});

test("a person's word that is withdrawn leaves the verdict to the other signals", () => {
  const said = word(false);
  assert.deepEqual(verdictOf(said, word(null, 'dismissed')), [null, null]);
  assert.deepEqual(verdictOf(said, word(null, 'dismissed'), inCode('suggestion_landed')), [
    true,
    'suggestion_landed',
  ]);
});

const anySignal: fc.Arbitrary<Signal> = fc.record({
  signal: fc.constantFrom(...signalNames),
  source: fc.constantFrom(...signalSources),
  at: fc.integer({ min: 0, max: 4 }).map((seconds) => new Date(seconds * 1000)),
  actor: fc.constantFrom(null, person, bot),
  evidence: fc.record({
    head: fc.constantFrom('head-1', head),
    accepted: fc.constantFrom(true, false, null),
    chance: fc.constantFrom(0.1, 0.4, null),
    comment_of: fc.constantFrom('person', 'program', undefined),
    only_asks: fc.boolean(),
    file_changed: fc.boolean(),
    comment: fc.constantFrom('c1', 'c2'),
    edit: fc.constantFrom(undefined, 1, 2),
    withdrawn: fc.boolean(),
  }),
});

test('the order in which signals arrive does not matter, nor does seeing one twice', () => {
  const shuffled = fc
    .array(anySignal, { maxLength: 8 })
    .chain((signals) =>
      fc.tuple(
        fc.constant(signals),
        fc.shuffledSubarray([...signals, ...signals], { minLength: signals.length * 2 }),
      ),
    );
  fc.assert(
    fc.property(shuffled, ([signals, others]) => {
      assert.deepEqual(decideOutcome(others, head), decideOutcome(signals, head));
    }),
    { numRuns: 1000 },
  );
});

test("a person's word is final until the next one", () => {
  fc.assert(
    fc.property(
      fc.array(anySignal, { maxLength: 8 }),
      fc.boolean(),
      fc.boolean(),
      (signals, first, second) => {
        const later = (accepted: boolean, seconds: number) => ({
          ...word(accepted),
          at: new Date(seconds * 1000),
        });
        assert.equal(decideOutcome([...signals, later(first, 10)], head).accepted, first);
        assert.equal(decideOutcome([...signals, later(first, 10), later(second, 11)], head).accepted, second);
      },
    ),
    { numRuns: 500 },
  );
});

test('nothing is accepted where nothing near it changed and nobody said so', () => {
  const spoken: readonly SignalName[] = ['confirmed', 'dismissed', 'suggestion_applied'];
  const changed: readonly SignalName[] = ['lines_changed', 'suggestion_landed'];
  const quiet = anySignal.filter(({ signal }) => !spoken.includes(signal) && !changed.includes(signal));
  fc.assert(
    fc.property(fc.array(quiet, { maxLength: 8 }), (signals) => {
      assert.notEqual(decideOutcome(signals, head).accepted, true);
    }),
    { numRuns: 1000 },
  );
});
