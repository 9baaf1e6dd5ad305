import assert from 'node:assert/strict';
import { test } from 'node:test';
import { threadSignals } from '../../../findings/observing/thread-signals.ts';
import { decideOutcome } from '../../../findings/outcomes/decide-outcome.ts';
import type { GitLabNote } from './gitlab-responses.ts';
import { threadOf } from './gitlab-threads.ts';

const note = (more: Partial<GitLabNote>): GitLabNote => ({
  id: 7,
  type: 'DiffNote',
  system: false,
  body: 'A finding.',
  author: null,
  created_at: '2026-06-15T12:00:00Z',
  resolvable: true,
  resolved: false,
  position: { new_path: 'src/a.ts', old_path: 'src/a.ts', new_line: 3 },
  ...more,
});
const threadWith = (suggestions: GitLabNote['suggestions']) =>
  threadOf(
    { id: 'd1', notes: [note(suggestions === undefined ? {} : { suggestions })] },
    'https://host.test/1',
    '1',
  )!;

test('GitLab tells whether a suggestion was applied, and then the finding was accepted', () => {
  assert.equal(threadWith(undefined).isSuggestionApplied, undefined);
  assert.equal(threadWith([{ applied: false }]).isSuggestionApplied, false);
  const thread = threadWith([{ applied: true }]);
  assert.equal(thread.isSuggestionApplied, true);
  const participants = { mayAnswer: () => true, isBot: () => false };
  const now = new Date('2026-06-15T13:00:00Z');
  const signals = threadSignals(thread, [], participants, now);
  assert.deepEqual(decideOutcome(signals, 'head'), { accepted: true, signal: 'suggestion_applied' });
  assert.deepEqual(threadSignals(threadWith([{ applied: false }]), [], participants, now), []);
});

test('a thread knows its first line and the version that it was begun on', () => {
  const threadAt = (position: NonNullable<GitLabNote['position']>) =>
    threadOf({ id: 'd1', notes: [note({ position })] }, 'https://host.test/1', '1')!;
  const place = { new_path: 'src/a.ts', old_path: 'src/a.ts', head_sha: 'abc' };
  const start = { new_line: 2, old_line: null };
  const { line, startLine, begun } = threadAt({ ...place, new_line: 5, line_range: { start } });
  assert.deepEqual([startLine, line, begun], [2, 5, { revision: 'abc', startLine: 2, line: 5 }]);
  const single = threadAt({ ...place, new_line: 5 });
  assert.deepEqual(single.begun, { revision: 'abc', startLine: 5, line: 5 });
  const file = threadAt({ ...place, position_type: 'file' });
  assert.deepEqual(file.begun, { revision: 'abc', startLine: null, line: null });
  assert.equal(threadAt({ new_path: 'src/a.ts', new_line: 5 }).begun, undefined, 'an older version');
});
