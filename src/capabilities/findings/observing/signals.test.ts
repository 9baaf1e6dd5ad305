import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Hunk } from '../../../reviewer/change/change.ts';
import type { HostComment, HostThread } from '../../connections/hosts/review-host.ts';
import type { LastLook } from '../../reviews/run-findings/list-posted-findings.ts';
import type { Signal } from '../signals/signal.ts';
import type { Tracking } from '../tracking/track-finding.ts';
import { codeSignals } from './code-signals.ts';
import { detectorState } from './detector-state.ts';
import { threadSignals } from './thread-signals.ts';

const secret = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;
const now = new Date('2026-06-15T12:00:00.000Z');
const range = { start: 1, end: 1 };
const finding = {
  revision: 'posted',
  mergeBase: null,
  path: 'a.ts',
  side: 'new',
  range,
  anchor: null,
  names: new Set<string>(),
  suggestion: null,
  suggestions: [],
  isOfPerson: false,
  onlyAsks: false,
} as const;

function comment(id: string, userId: string, body: string, more: Partial<HostComment> = {}): HostComment {
  const author = { id: userId, username: `user-${userId}`, isBot: false };
  return {
    id,
    url: `https://git.test/${id}`,
    author,
    body,
    createdAt: now,
    isOwn: false,
    reactions: null,
    ...more,
  };
}

/** The signals for the replies in a thread; user 0 is our account, 1 a member, 2 a bot, and all others are outsiders. */
function repliesOf(...replies: HostComment[]) {
  return repliesAfter([], ...replies);
}

/** The same if some signals are known already. */
function repliesAfter(known: readonly Signal[], ...replies: HostComment[]) {
  const thread: HostThread = {
    id: 'thread',
    path: 'a.ts',
    side: 'new',
    line: 1,
    isResolved: false,
    resolvedBy: null,
    comments: [comment('root', '0', 'A finding.', { isOwn: true }), ...replies],
  };
  const participants = {
    mayAnswer: (id: string) => id !== '9',
    isBot: (id: string) => id === '2',
  };
  return threadSignals(thread, known, participants, now);
}

test('only members and the author answer, the reviewer does not answer itself, and programs are known as such', () => {
  const signals = repliesOf(
    comment('a', '9', "Won't fix."),
    comment('b', '0', 'Fixed.', { isOwn: true }),
    comment('c', '2', 'Fixed.'),
    comment('d', '1', "Won't fix."),
  );
  assert.deepEqual(
    signals.map(({ signal, actor }) => [signal, actor?.id, actor?.isBot]),
    [
      ['reply_fixed', '2', true],
      ['reply_wont_fix', '1', false],
    ],
  );
});

test('a reply that was edited is told again when it means something else, and only then', () => {
  const first = repliesOf(comment('a', '1', "Won't fix."));
  assert.deepEqual(repliesAfter(first, comment('a', '1', "Won't fix, sorry.")), []);
  const edited = repliesAfter(first, comment('a', '1', 'Fixed in 3f2a9c1.'));
  assert.deepEqual(
    edited.map(({ signal, evidence }) => [signal, evidence.comment, evidence.edit, evidence.withdrawn]),
    [['reply_fixed', 'a', 1, false]],
  );
  const [taken] = repliesAfter([...first, ...edited], comment('a', '1', 'Let me think about it.'));
  assert.deepEqual([taken?.evidence.edit, taken?.evidence.withdrawn], [2, true]);
  assert.deepEqual(repliesAfter([...first, ...edited, taken!], comment('a', '1', 'Hm.')), []);
});

const nothing = { text: [], changes: [], added: [], chance: null, detector: null, appliedBy: null };

test('evidence holds no secret, neither of the code nor of a reply', () => {
  const hunk: Hunk = {
    oldStart: 1,
    oldCount: 1,
    newStart: 1,
    newCount: 1,
    lines: [
      { kind: 'removed', text: `const token = '${secret}';`, oldLine: 1, newLine: null },
      { kind: 'added', text: 'const token = read();', oldLine: null, newLine: 1 },
    ],
  };
  const tracking: Tracking = { state: 'touched', path: 'a.ts', range, hunks: [hunk] };
  const seen = { head: 'now', at: now, isMerged: false, tracking, ...nothing };
  const shown = JSON.stringify(codeSignals(finding, seen));
  assert.match(shown, /const token = '/);
  assert.doesNotMatch(shown, /ghp_/);
  const quoted = JSON.stringify(repliesOf(comment('a', '1', `Fixed, the token was ${secret}.`)));
  assert.match(quoted, /Fixed, the token was/);
  assert.doesNotMatch(quoted, /ghp_/);
});

test('code that nobody touched says nothing before it is merged', () => {
  const tracking: Tracking = { state: 'untouched', path: 'a.ts', range, hunks: [] };
  const seen = { head: 'now', at: now, tracking, ...nothing };
  const namesOf = (isMerged: boolean) =>
    codeSignals(finding, { ...seen, isMerged }).map(({ signal }) => signal);
  assert.deepEqual([namesOf(false), namesOf(true)], [[], ['merged_untouched']]);
});

test('a rule that has not looked at a version, or no longer looks at the file, has not found it mended', () => {
  const tracking: Tracking = { state: 'untouched', path: 'a.ts', range, hunks: [] };
  const source = { kind: 'rule', name: 'oxlint' } as const;
  const stateIn = (state: LastLook['findings'][number]['state'], head = 'now') =>
    detectorState(
      { findingId: 'f', source },
      tracking,
      {
        head,
        mergeBase: null,
        findings: [{ findingId: 'f', kind: 'k', state, head, path: 'a.ts', startLine: 1, endLine: 1 }],
      },
      'now',
    );
  assert.deepEqual(stateIn('open'), { ...source, stillRaises: true });
  assert.deepEqual(stateIn('resolved'), { ...source, stillRaises: false });
  assert.equal(stateIn('outdated'), null);
  assert.equal(stateIn('resolved', 'before'), null);
});
