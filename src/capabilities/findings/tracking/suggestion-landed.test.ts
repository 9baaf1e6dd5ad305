import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSuggestions } from '../comments/read-suggestions.ts';
import { compareTexts } from './compare-texts.ts';
import { suggestionLanded } from './suggestion-landed.ts';

const before = [
  'function load(a) {',
  '  debug(a);',
  '  const item = a.first;',
  '  return item;',
  '}',
  'end();',
];
const range = { start: 2, end: 3 };

/** How a suggestion in a comment on lines 2 and 3 landed in the new lines of the file. */
function landing(
  body: string,
  now: readonly string[],
  { end = 3, path = 'a.ts', elsewhere = [] as string[], isMoved = false } = {},
) {
  const found = suggestionLanded(readSuggestions(body), {
    path,
    before: { lines: before, range },
    now: { lines: now, range: { start: 2, end } },
    hunks: compareTexts(before, now),
    range,
    elsewhere: [elsewhere],
    isMoved,
  });
  return found && [found.form, found.how];
}
const fenced = (info: string, ...lines: string[]) => `\`\`\`${info}\n${lines.join('\n')}\n\`\`\``;
const guard = ['  if (a === null) return null;', '  const item = a.first ?? a.last;'];
const guarded = before.toSpliced(1, 2, ...guard);

test('a suggestion has landed as it is, or in part, where lines that it brings were added', () => {
  assert.deepEqual(landing(fenced('suggestion', ...guard), guarded), ['block', 'whole']);
  assert.deepEqual(landing(fenced('suggestion', ...guard), before.with(2, guard[1]!)), ['block', 'part']);
  assert.deepEqual(landing(fenced('diff', '-  debug(a);', `+${guard[0]}`), guarded), ['diff', 'whole']);
  assert.equal(landing(fenced('suggestion', ...guard), before.with(2, '  const item = a.b;')), null);
  assert.equal(landing(fenced('suggestion', ...before.slice(1, 3)), before), null, 'it was there before');
});

test('what only removes has landed when all of it is gone', () => {
  const shorter = before.toSpliced(1, 1);
  assert.deepEqual(landing(fenced('diff', '-  debug(a);'), shorter, { end: 2 }), ['diff', 'whole']);
  assert.deepEqual(landing(fenced('suggestion', before[2]!), shorter, { end: 2 }), ['block', 'whole']);
  assert.equal(landing(fenced('diff', '-  debug(a);'), before), null);
});

test('an empty block has landed when its lines are gone, unless they only moved', () => {
  const body = fenced('suggestion').replace('\n\n', '\n');
  const gone = before.toSpliced(1, 2);
  assert.deepEqual(landing(body, gone, { end: 1 }), ['block', 'whole']);
  assert.equal(landing(body, gone, { end: 1, isMoved: true }), null);
  assert.equal(landing(body, before.toSpliced(1, 1), { end: 2 }), null, 'one of two lines is left');
  assert.equal(landing(body, guarded), null);
  const moved = fenced('diff', '-  debug(a);', '-  const item = a.first;');
  assert.equal(landing(moved, gone, { end: 1, isMoved: true }), null);
});

test('a block replaces the lines that it names, whatever lines are commented on', () => {
  const gone = (first: number, count: number) => before.toSpliced(first - 1, count);
  const none = (reach: string) => fenced(`suggestion:${reach}`).replace('\n\n', '\n');
  assert.deepEqual(landing(none('-1+1'), gone(2, 3), { end: 1 }), ['block', 'whole']);
  assert.equal(landing(none('-1+1'), gone(2, 2), { end: 1 }), null, 'the last of its lines is left');
  assert.deepEqual(landing(none('-0+0'), gone(3, 1), { end: 2 }), ['block', 'whole']);
  const shorter = fenced('suggestion:-0+1', before[2]!);
  assert.deepEqual(landing(shorter, gone(4, 1)), ['block', 'whole']);
  assert.equal(landing(shorter, before), null);
  assert.equal(landing(none('-0+9'), gone(3, 3), { end: 2 }), null, 'not all of its lines are known');
});

test('it may have landed with other names, or elsewhere in the same change', () => {
  const other = before.with(2, '  const entry = a.first ?? fallback(a);');
  assert.deepEqual(landing(fenced('suggestion', '  const thing = a.first ?? missing(a);'), other), [
    'block',
    'other_names',
  ]);
  assert.deepEqual(landing(fenced('suggestion', ...guard), before, { elsewhere: guard }), [
    'block',
    'elsewhere',
  ]);
});

test('a suggestion about layout alone has landed when it stands there letter by letter', () => {
  const body = fenced('suggestion', '  debug( a );');
  assert.deepEqual(landing(body, before.with(1, '  debug( a );')), ['block', 'whole']);
  assert.equal(landing(body, before), null);
});

test('"replace X with Y" has landed where X went and Y came', () => {
  const body = 'Rename `item` to `entry`';
  const renamed = before.map((line) => line.replace('item', 'entry'));
  assert.deepEqual(landing(body, renamed), ['words', 'whole']);
  assert.equal(landing(body, before.with(2, '  const item = a.last;')), null);
});
