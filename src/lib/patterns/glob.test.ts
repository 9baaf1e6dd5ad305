import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import picomatch from 'picomatch';
import fc from '../../../test/properties.ts';
import { faultOfGlob, globMatcher } from './glob.ts';
import { linearTest } from './linear-pattern.ts';
import { UnsupportedPattern } from './pattern-syntax.ts';

/** Few names, so that globs and paths overlap. */
const name = fc.constantFrom('a', 'b', 'ab', 'aab', '.a', 'a.b', '.', '..', 'B', 'a-1', 'é', '');
const path = fc.array(name, { minLength: 1, maxLength: 5 }).map((names) => names.join('/'));
const globPart = fc.constantFrom(
  ...'a b ab . .. / / * ** /**/ **/ /** ? [ab] [!a] [a-b] {a,b} {a,b/**} {a..c}'.split(' '),
  ...'!(a) !(a|b) +(a|b) *(a) ?(a) @(a|.b) !(*.b) (a|b) (?!b) (?<!a)'.split(' '),
  ...String.raw`! \* \ "a*" + - | , { } ( ) [ ] ^ $ é`.split(' '),
);
const glob = fc.array(globPart, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(''));
const piece = fc.constantFrom(
  ...String.raw`a b c . * + ? *? ( (?: (?= (?! (?<= (?<! (?<n> ) ) | ^ $ {1,2} {2} {0,} { } ] - \/`.split(
    ' ',
  ),
  ...String.raw`[ab] [^a/] [a-c] [\d-x] [-a] [a-] [\b] [\c_] \b \B \d \W \s \.`.split(' '),
  ...String.raw`\x61 \u0062 \1 \k \8 \141 \c \cA`.split(' '),
);
const pattern = fc.array(piece, { minLength: 1, maxLength: 12 }).map((parts) => parts.join(''));
const text = fc.stringMatching(/^[abc./1\n \\-]{0,8}$/);

function regExpOf(source: string): RegExp | undefined {
  try {
    return new RegExp(source);
  } catch {
    return undefined;
  }
}

describe('matching in linear time', () => {
  test('of a glob has the result of picomatch', () => {
    let matching = 0;
    fc.assert(
      fc.property(glob, fc.array(path, { minLength: 8, maxLength: 8 }), fc.boolean(), (given, paths, dot) => {
        if (faultOfGlob(given) !== undefined) return;
        const isMatch = globMatcher([given], { dot });
        const expected = picomatch(given, { dot });
        for (const one of [...paths, given]) {
          assert.equal(isMatch(one), expected(one), `${given} on ${one}`);
          matching += Number(expected(one));
        }
      }),
      { numRuns: 5_000 },
    );
    assert.ok(matching > 5_000, `${matching} matches`);
  });

  test('of a pattern has the result of RegExp', () => {
    let matching = 0;
    fc.assert(
      fc.property(pattern, fc.array(text, { minLength: 4, maxLength: 4 }), (source, texts) => {
        const expression = regExpOf(source);
        if (expression === undefined) return;
        let isMatch: (text: string) => boolean;
        try {
          isMatch = linearTest(source);
        } catch (error) {
          assert.ok(error instanceof UnsupportedPattern, `${source}: ${error}`);
          assert.match(source, /\\[1k]/);
          return;
        }
        for (const one of texts) {
          assert.equal(isMatch(one), expression.test(one), `${source} on ${JSON.stringify(one)}`);
          matching += Number(expression.test(one));
        }
      }),
      { numRuns: 20_000 },
    );
    assert.ok(matching > 1_000, `${matching} matches`);
  });

  test('is fast, whatever the glob and the path', () => {
    // With a RegExp, none of these would end while the test runs.
    const poisons = [
      '*a'.repeat(30),
      '*a'.repeat(250),
      '**/'.repeat(60),
      '+(*(a|aa)|*a)'.repeat(8),
      '!(*a*a*a)'.repeat(9),
    ];
    for (const poison of poisons) {
      const isMatch = globMatcher([`${poison}*c.ts`], { dot: true });
      for (const one of [`${'a'.repeat(1_000)}c.js`, `${'a/'.repeat(500)}c.js`]) isMatch(one);
    }
    const matchesAny = globMatcher(['(x+x+)+y', '(a|a)*c'], { dot: true });
    assert.equal(matchesAny(`${'x'.repeat(2_000)}${'a'.repeat(2_000)}`), false);
  });

  test('is the same for every path of many, one after the other', () => {
    const isMatch = globMatcher(['src/**/*.ts', '!(b)*.js']);
    for (let turn = 0; turn < 3; turn += 1)
      assert.deepEqual(['src/a/b.ts', 'src/.a/b.ts', 'src/b.ts', 'a.js', 'b.js', ''].map(isMatch), [
        true,
        false,
        true,
        true,
        false,
        false,
      ]);
  });
});

test('a glob with too many wildcards, or one that cannot be matched in linear time, is refused', () => {
  assert.equal(faultOfGlob(`${'*a'.repeat(20)}`), undefined);
  assert.equal(faultOfGlob(`${'*a'.repeat(21)}`), 'must not have more than 20 wildcards');
  assert.equal(faultOfGlob('**/*.{ts,tsx,js}'), undefined);
  assert.equal(faultOfGlob('(a)\\1'), 'must not refer back to a group');
  assert.equal(globMatcher(['(a)\\1'])('aa'), false);
  assert.equal(globMatcher([''])('a'), false);
});
