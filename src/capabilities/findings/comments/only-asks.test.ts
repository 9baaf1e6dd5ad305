import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onlyAsks } from './only-asks.ts';

test('a comment that only asks is told from one that wants something', () => {
  for (const asking of [
    'Why is this needed?',
    'no retries?',
    'Are we sure that this always works? I believe there was a reason to count from the end, but you can confirm?',
    'Defaults to `true`?',
    'Warum zweimal?',
    '为什么？',
    '> Please rename it.\n\nWhich one?',
  ])
    assert.equal(onlyAsks(asking), true, asking);
  for (const wanting of [
    'Can we drop the `return`?',
    'Could you rename this?',
    'Maybe say so in the comment?',
    'Is this because of artifacts? Please say so.',
    "nit: isn't `strptime` better for this?",
    'Kannst du das umbenennen?',
    'What does it do? This breaks the build.',
    'This is wrong.',
    '```suggestion\nreturn a ? b : c\n```',
    '',
  ])
    assert.equal(onlyAsks(wanting), false, wanting);
});
