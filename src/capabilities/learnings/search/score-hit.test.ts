import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '../../../../test/properties.ts';
import { fileFit, scoreOf, wordsOf } from './score-hit.ts';

const share = fc.double({ min: 0, max: 1, noNaN: true });
const cosine = fc.double({ min: -1, max: 1, noNaN: true });
const file = fc.constantFrom('exact' as const, 'folder' as const, 'any' as const);

test('a score is between 0 and 1 and never drops when a criterion matches better', () => {
  fc.assert(
    fc.property(cosine, share, cosine, share, file, (meaning, words, moreMeaning, moreWords, where) => {
      const score = scoreOf(meaning, words, where);
      const better = scoreOf(Math.max(meaning, moreMeaning), Math.max(words, moreWords), where);
      if (score === null) return;
      assert.ok(score >= 0 && score <= 1);
      assert.ok(better !== null && better >= score);
    }),
  );
});

test('meaning outweighs words, and words decide between equals', () => {
  const score = (meaning: number | null, words: number) => scoreOf(meaning, words, 'any')!;
  assert.ok(score(0.8, 0) > score(0.6, 0.5));
  assert.ok(score(0.8, 0.3) > score(0.8, 0));
  assert.ok(score(0.6, 1) > score(null, 1), 'one without vectors does not outrank a good hit');
  assert.ok(score(null, 1) > score(0.3, 0.3), 'nor does it go under');
});

test('word scores are relative to the best one found, but at least to that of three rare words', () => {
  assert.equal(wordsOf(0, 0), 0);
  assert.equal(wordsOf(40, 40), 1);
  assert.equal(wordsOf(20, 40), 0.5);
  assert.equal(wordsOf(3, 3), 0.25);
});

test('a hit needs similar meaning or significant words; without vectors, any word', () => {
  const score = (meaning: number | null, words: number) => scoreOf(meaning, words, 'any');
  assert.equal(score(0.11, 0.1), null);
  assert.notEqual(score(0.12, 0), null);
  assert.notEqual(score(0.1, 0.6), null);
  assert.notEqual(score(null, 0.05), null);
  assert.equal(score(null, 0), null);
});

test('a Learning matches its file and the files below its folder, and one without a file matches all', () => {
  const cases: [string | null, string | undefined, ReturnType<typeof fileFit>][] = [
    [null, 'src/a.ts', 'any'],
    ['src/a.ts', undefined, 'any'],
    ['src/a.ts', 'src/a.ts', 'exact'],
    ['./src/a.ts', '/src/a.ts', 'exact'],
    ['src', 'src/a.ts', 'folder'],
    ['src/', 'src/deep/a.ts', 'folder'],
    ['/', 'src/a.ts', 'folder'],
    ['src/a', 'src/a.ts', null],
    ['src/a.ts', 'src', null],
    ['SRC/a.ts', 'src/a.ts', null],
  ];
  for (const [own, reviewed, fit] of cases) assert.equal(fileFit(own, reviewed), fit, `${own} ${reviewed}`);
});
