import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '../../../../test/properties.ts';
import { compareTexts } from './compare-texts.ts';
import { namesIn } from './identifiers.ts';
import { compareAnchor } from './locate-anchor.ts';
import { withoutFormattingHunks } from './meaningful-hunks.ts';
import { changedNames } from './named-change.ts';
import { suppressionIn } from './suppression.ts';
import { trackFinding } from './track-finding.ts';

test('white space, wrapping, quotes, trailing commas and semicolons are layout; a changed word is not', () => {
  const isLayout = (before: string[], after: string[]) =>
    withoutFormattingHunks(compareTexts(before, after), 'a.ts').length === 0;
  assert.ok(isLayout(['call(a, b);'], ['call(', '  a,', '  b,', ');']));
  assert.ok(isLayout(['x = "a"'], ["x = 'a';"]));
  assert.ok(isLayout(['if (a) {', 'b()', '}'], ['if (a) {', '  b();', '}']));
  assert.ok(!isLayout(['call(a, b);'], ['call(a, c);']));
  assert.ok(!isLayout(['call(a);'], []));
});

test('names come from code marks and from what the suggestion would bring, not from prose or fenced code', () => {
  const names = namesIn({
    text: 'The `userId` should be passed to `load()`.\n```ts\nfenced(code)\n```\n',
    suggestion: 'await load(userId, timeout);',
    quote: 'load(id);',
  });
  assert.deepEqual([...names].sort(), ['await', 'load', 'timeout', 'userId']);
});

test('a name counts if it appeared or disappeared near the finding, not if it stayed', () => {
  const before = ['a();', 'const total = sum(items);', 'b();', 'c();', 'd();', 'e();', 'f();', 'old();'];
  const hunks = compareTexts(before, before.with(1, 'const total = add(items);').with(7, 'fresh();'));
  const near = { start: 2, end: 2 };
  assert.deepEqual(changedNames(new Set(['sum', 'total', 'fresh']), near, hunks), ['sum']);
  assert.deepEqual(changedNames(new Set(['total']), near, hunks), []);
});

test('a comment that silences the tool is recognized, and only if nothing else changed', () => {
  const silenced = (before: string[], now: string[]) => suppressionIn(compareTexts(before, now), 'a.ts');
  assert.equal(
    silenced(['run(x);'], ['// eslint-disable-next-line no-eval', 'run(x);']),
    '// eslint-disable-next-line no-eval',
  );
  assert.equal(silenced(['import os'], ['import os  # noqa: F401']), 'import os  # noqa: F401');
  assert.equal(silenced(['run(x);'], ['// eslint-disable-next-line', 'walk(x);']), undefined);
  assert.equal(silenced(['run(x);'], ['walk(x);']), undefined);
  assert.equal(silenced(['run(x);'], ['# a comment', 'run(x);']), undefined);
});

const code = Array.from({ length: 60 }, (_, index) => `  const value${index} = read(source, ${index});`);

test('without the former version, the stored lines are found in the new one and compared with it', () => {
  const anchor = { firstLine: 17, lines: code.slice(16, 25) }; // the finding is on lines 20 to 22
  const place = { path: 'a.ts', range: { start: 20, end: 22 }, lines: code.slice(19, 22) };
  const stateAfter = (current: string[]) => {
    const hunks = compareAnchor(anchor, current);
    return hunks && trackFinding(place, { newPath: 'a.ts', hunks, isReadable: true }).state;
  };
  assert.equal(stateAfter(code), 'untouched');
  assert.equal(stateAfter(['// header', '', ...code]), 'untouched');
  assert.equal(stateAfter(code.with(20, '  const value20 = fixed();')), 'touched');
  assert.equal(stateAfter(code.toSpliced(19, 3)), 'touched');
  assert.equal(stateAfter(code.toSpliced(20, 0, '  check();', '  check();')), 'touched');
  assert.equal(stateAfter(code.with(17, '  changed();')), 'near');
  assert.equal(stateAfter(['nothing', 'of', 'the kind']), undefined);
});

test('an anchor is found wherever its lines went, and nowhere if they occur twice', () => {
  const anchor = { firstLine: 10, lines: code.slice(9, 16) };
  fc.assert(
    fc.property(fc.nat(40), (above) => {
      const added = Array.from({ length: above }, (_, index) => `// ${index} ${index * 7}`);
      assert.deepEqual(compareAnchor(anchor, [...added, ...code]), []);
    }),
  );
  assert.equal(compareAnchor(anchor, [...code, ...code]), undefined);
});
