import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '../../../../test/properties.ts';
import { compareTexts } from './likeness.ts';

const kindOf = (first: string, second: string) => compareTexts(first, second)?.kind ?? null;

test('texts that share their words and are against the same may be duplicates', () => {
  for (const [first, second] of [
    ['Always close database connections in a finally block', 'Close database connections in finally, always'],
    ['Use the logger instead of console.log', 'Do not use console.log, use the logger'],
    ['Money is stored in cents as integers', 'Store amounts of money as integer cents, not floats'],
    ['Tests must not depend on the time of day', "A test mustn't rely on the current time of day"],
  ] as const)
    assert.equal(kindOf(first, second), 'duplicate', `${first} | ${second}`);
});

test('one that is against what the other is for may conflict with it, and the word is told as it was written', () => {
  for (const [first, second, word, isFirst] of [
    ['Always use tabs for indentation', 'Never use tabs for indentation', 'tabs', false],
    ["Don't use default exports", 'Use default exports', 'default', true],
    ['Avoid wrapping errors with fmt.Errorf', 'Wrap errors with fmt.Errorf', 'wrapping', true],
    ['Public functions must have doc comments', 'Public functions need no doc comments', 'doc', false],
    ['Disable caching in tests', 'Enable caching in tests', 'caching', true],
    ['Use tabs, not spaces', 'Use spaces, not tabs', 'spaces', true],
  ] as const)
    assert.deepEqual(
      compareTexts(first, second),
      { kind: 'conflict', word, isFirst },
      `${first} | ${second}`,
    );
});

test('texts with few common words say different things', () => {
  assert.equal(kindOf('Every endpoint needs a test', 'Every migration needs a rollback script'), null);
  assert.equal(kindOf('', 'Anything'), null);
  assert.equal(kindOf('the of not', 'never'), null);
});

test('the order of two texts does not change how they relate, and a text never conflicts with itself', () => {
  const words = fc.constantFrom('never', 'always', 'use', 'tabs', 'not', 'spaces', 'avoid', 'log', 'don’t');
  const texts = fc.array(words).map((all) => all.join(' '));
  fc.assert(
    fc.property(texts, texts, (first, second) => {
      assert.equal(kindOf(first, second), kindOf(second, first));
      assert.notEqual(kindOf(first, first), 'conflict');
    }),
  );
});
