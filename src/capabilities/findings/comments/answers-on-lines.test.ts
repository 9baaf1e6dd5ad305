import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HostThread } from '../../connections/hosts/review-host.ts';
import { answersOnLines } from './answers-on-lines.ts';

const thread = (
  id: string,
  line: number | null,
  more: Partial<HostThread> & { at?: number } = {},
): HostThread => ({
  id,
  path: 'src/a.ts',
  side: 'new',
  line,
  isResolved: false,
  resolvedBy: null,
  comments: [
    {
      id,
      url: `https://git.test/${id}`,
      author: { id: '1', username: 'ben', isBot: false },
      body: "Won't fix.",
      createdAt: new Date(Date.UTC(2026, 2, 1) + (more.at ?? 1)),
      isOwn: false,
      reactions: null,
    },
  ],
  ...more,
});

test('a later thread on the lines of one finding answers it; elsewhere, earlier, or on lines of two, none', () => {
  const findings = [
    { threadId: 'three lines', lineCount: 3 },
    { threadId: 'one line', lineCount: 1 },
    { threadId: 'same line', lineCount: 1 },
    { threadId: 'outdated', lineCount: 1 },
  ];
  const answers = answersOnLines(
    [
      thread('three lines', 12, { at: 0 }),
      thread('one line', 20, { at: 0 }),
      thread('same line', 20, { at: 0 }),
      thread('outdated', null, { at: 0 }),
      thread('on the first', 10),
      thread('on the last', 12),
      thread('before', 9),
      thread('after', 13),
      thread('on two', 20),
      thread('elsewhere', 11, { path: 'src/b.ts' }),
      thread('of the old side', 11, { side: 'old' }),
      thread('earlier', 11, { at: -1 }),
      thread('gone', null),
    ],
    findings,
  );
  assert.deepEqual(
    [...answers].map(([finding, threads]) => [finding, threads.map(({ id }) => id)]),
    [['three lines', ['on the first', 'on the last']]],
  );
});
