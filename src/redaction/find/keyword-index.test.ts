import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '../../../test/properties.ts';
import type { Rule } from '../rule.ts';
import { KeywordIndex } from './keyword-index.ts';

const ruleOf = (...keywords: string[]): Rule => ({ id: keywords.join(), keywords, find: () => undefined });

function found(rules: Rule[], text: string): string[] {
  const hits: string[] = [];
  new KeywordIndex(rules).visit(text, (rule, start, end) => hits.push(`${rule.id} ${start}-${end}`));
  return hits;
}

test('keywords are found regardless of case, even inside one another and if rules share them', () => {
  const rules = [ruleOf('she'), ruleOf('he', 'hers'), ruleOf('she', 'x')];
  assert.deepEqual(found(rules, 'uSHErs'), ['she 1-4', 'she,x 1-4', 'he,hers 2-4', 'he,hers 2-6']);
});

test('characters outside ASCII end every match', () => {
  assert.deepEqual(found([ruleOf('ab')], 'aéb ab aKb'), ['ab 4-6']);
});

test('a keyword outside ASCII is rejected', () => {
  assert.throws(() => new KeywordIndex([ruleOf('schlüssel')]), /not ASCII/);
});

test('it finds exactly what a search for each keyword finds', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'A', '-', '.', 'é'), maxLength: 60 });
  const keyword = fc.string({ unit: fc.constantFrom('a', 'b', '-', '.'), minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(fc.uniqueArray(keyword, { minLength: 1, maxLength: 8 }), letters, (keywords, text) => {
      const expected = keywords.flatMap((word) =>
        Array.from({ length: text.length }, (_, start) => start)
          .filter((start) => text.slice(start, start + word.length).toLowerCase() === word)
          .map((start) => `${word} ${start}-${start + word.length}`),
      );
      assert.deepEqual(
        found(
          keywords.map((word) => ruleOf(word)),
          text,
        ).sort(),
        expected.sort(),
      );
    }),
  );
});
