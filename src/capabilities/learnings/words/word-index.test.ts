import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '../../../../test/properties.ts';
import { WordIndex } from './word-index.ts';

const slots = (...numbers: number[]) => Uint32Array.from(numbers);

function indexOf(...texts: string[]): WordIndex {
  const index = new WordIndex();
  for (const [slot, text] of texts.entries()) index.set(slot, text);
  return index;
}

const best = (scores: Float64Array) => scores.indexOf(Math.max(...scores));

test('a rare word outweighs many that all texts have', () => {
  const common = 'check the type of a value before every call';
  const index = indexOf(common, common, 'prefer duck typing to instanceof', common, common, common);
  const query = 'if (value instanceof Call) check(type(value), before(call))';
  assert.equal(best(index.scores(query, slots(0, 1, 2, 3, 4, 5))), 2);
});

test('rarity is counted among the requested texts only, and no others are scored', () => {
  const index = indexOf('alpha beta', 'alpha gamma', 'beta delta', 'beta epsilon', 'beta zeta');
  assert.equal(index.scores('alpha beta', slots(0, 1)).length, 2);
  const [alphaOfAll] = index.scores('alpha', slots(0, 1, 2, 3, 4));
  const [alphaOfSome] = index.scores('alpha', slots(0, 1));
  assert.ok(alphaOfAll! > alphaOfSome!);
});

test('a short text with a word outweighs a long one, and several occurrences a single one', () => {
  const filler = 'and many other words that say something else about other things';
  const index = indexOf('mutex', `mutex ${filler}`, `mutex mutex mutex ${filler}`);
  const [short, long, often] = index.scores('mutex', slots(0, 1, 2));
  assert.ok(short! > long! && often! > long!);
});

test('after any changes it scores like an index built from the latest texts', () => {
  const text = fc
    .array(fc.constantFrom('alpha', 'beta', 'gamma', 'delta'), { maxLength: 6 })
    .map((w) => w.join(' '));
  const change = fc.record({ slot: fc.integer({ min: 0, max: 9 }), text: fc.option(text) });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 60 }), text, (changes, query) => {
      const index = new WordIndex();
      const last = new Map<number, string>();
      for (const { slot, text: own } of changes) {
        if (own === null) {
          index.delete(slot);
          last.delete(slot);
        } else {
          index.set(slot, own);
          last.set(slot, own);
        }
      }
      const kept = [...last.keys()];
      const fresh = indexOf(...last.values());
      assert.deepEqual(index.scores(query, slots(...kept)), fresh.scores(query, slots(...kept.keys())));
    }),
  );
});

test('a query without known words scores nothing, and no query is too long', () => {
  const index = indexOf('alpha beta');
  assert.deepEqual([...index.scores('omega', slots(0))], [0]);
  assert.deepEqual([...index.scores('', slots())], []);
  const long = Array.from({ length: 5000 }, (_, number) => `word${number}`).join(' ');
  const many = indexOf(long, 'word7');
  assert.ok(many.scores(long, slots(0, 1))[0]! > 0);
});
