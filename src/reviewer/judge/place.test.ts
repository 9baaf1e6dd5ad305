import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { createTwoFilesPatch } from 'diff';
import { seededRandom } from '../../lib/seeded-random.ts';
import { changeOfDiff } from '../change/change-of-diff.ts';
import { placeQuote } from './place.ts';

function fileOf(oldText: string, newText: string) {
  const patch = createTwoFilesPatch('a/f', 'b/f', oldText, newText, '', '', { context: 3 });
  return changeOfDiff(patch, [{ path: 'f', content: newText }]).files[0]!;
}

const newText = [
  'function a() {',
  '  return 1;',
  '}',
  '',
  'function b() {',
  '  const key = "s3cr3t-value";',
  '  call(key);',
  '  return 1;',
  '}',
  '',
].join('\n');
const oldText = ['function a() {', '  return 1;', '}', '', 'function b() {', '  return 0;', '}', ''].join(
  '\n',
);
const file = fileOf(oldText, newText);
const placed = (quote: string, text: string | undefined = newText) => {
  const place = placeQuote(quote, file, text);
  return place === null ? null : [place.side, place.startLine, place.endLine];
};

test('a quote is placed, however inexact it is', () => {
  assert.deepEqual(placed('  call(key);\n  return 1;'), ['new', 7, 8]);
  assert.deepEqual(placed('call( key );'), ['new', 7, 7]);
  assert.deepEqual(placed('```ts\ncall(key);\n```'), ['new', 7, 7]);
  assert.deepEqual(placed('+  call(key);\n+  return 1;'), ['new', 7, 8]);
  assert.deepEqual(placed('7 |   call(key);\n8 |   return 1;'), ['new', 7, 8]);
  assert.deepEqual(placed('function b() {\n  ...\n  return 1;'), ['new', 5, 8]);
  assert.deepEqual(placed('function b() {\n  call(key);\n  return 1;'), ['new', 5, 8]);
  assert.deepEqual(placed('key = "s3cr3t-value";\n  call('), ['new', 6, 7]);
  assert.deepEqual(placed('const key = "[REDACTED]";'), ['new', 6, 6]);
});

test('of equal lines the added one is used; removed lines are found on the old side', () => {
  assert.deepEqual(placed('  return 1;'), ['new', 8, 8]);
  assert.deepEqual(placed('return 0;'), ['old', 6, 6]);
});

test('without the text the hunks are enough', () => {
  assert.deepEqual(placeQuote('call(key);', file), { side: 'new', startLine: 7, endLine: 7 });
});

test('a quote that is not in the file is not placed, and neither is a mere bracket', () => {
  for (const quote of [
    '',
    '}',
    '...',
    'somethingElse();',
    'function b() {\n  other();\n  return 1;',
    '```\n```',
  ])
    assert.equal(placed(quote), null, quote);
});

test('99 of 100 inexact quotes of real code are placed exactly, and none is found in another file', async () => {
  const folder = import.meta.dirname;
  const names = (await readdir(folder)).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
  const texts = await Promise.all(names.map((name) => readFile(path.join(folder, name), 'utf8')));
  const { below: upTo } = seededRandom(17);
  const bare = (text: string) => text.replaceAll(/\s+/g, '');
  let [tries, exact, strayed] = [0, 0, 0];
  for (let round = 0; round < 2_000; round += 1) {
    const text = texts[upTo(texts.length)]!;
    const lines = text.split('\n');
    const first = upTo(lines.length);
    const cut = lines.slice(first, first + 1 + upTo(8));
    while (cut.length > 0 && cut.at(-1)!.trim() === '') cut.pop();
    if (cut.length === 0 || cut[0]!.trim() === '' || !cut.some((line) => /\w{4}/.test(line))) continue;
    const spoiled = spoil(cut, upTo);
    if (spoiled === undefined) continue;
    // Every line from here on was added, as in a new function.
    const changed = fileOf(lines.slice(0, first).join('\n'), text);
    const place = placeQuote(spoiled.join('\n'), changed, text);
    tries += 1;
    const found = place?.side === 'new' ? lines.slice(place.startLine - 1, place.endLine).join('\n') : '';
    if (bare(found) === bare(cut.join('\n'))) exact += 1;
    const other = texts[upTo(texts.length)]!;
    if (other !== text && cut.length > 2 && !bare(other).includes(bare(cut.join('\n')))) {
      const elsewhere = placeQuote(cut.join('\n'), fileOf('', other), other);
      if (elsewhere !== null) strayed += 1;
    }
  }
  assert.ok(tries > 1_000);
  assert.ok(exact / tries >= 0.99, `${exact} of ${tries} are exact`);
  assert.equal(strayed, 0);
});

/** Makes a quote inexact as models do; undefined if nothing recognizable would be left. */
function spoil(lines: readonly string[], upTo: (limit: number) => number): string[] | undefined {
  const inner = lines.length > 3 ? 1 + upTo(lines.length - 2) : undefined;
  const isEdge = (text: string) => /\w{3}/.test(text);
  switch (upTo(6)) {
    case 0:
      return [...lines];
    case 1:
      return lines.map((line) => `${' '.repeat(upTo(9))}${line.trim()}`);
    case 2:
      return lines.map((line) => line.replaceAll(/\s+/g, '  '));
    case 3:
      return ['```ts', ...lines.map((line) => line.trim()), '```'];
    case 4:
      if (inner === undefined || !isEdge(lines[0]!)) return undefined;
      return lines.filter((_, index) => index !== inner);
    default:
      if (inner === undefined || !isEdge(lines[0]!) || !isEdge(lines.at(-1)!)) return undefined;
      return [lines[0]!, '...', lines.at(-1)!];
  }
}
