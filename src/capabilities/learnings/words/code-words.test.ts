import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '../../../../test/properties.ts';
import { codeWords } from './code-words.ts';

const wordsOf = (text: string) => codeWords(text).join(' ');

test('names are words by their parts and as a whole, however they are written', () => {
  assert.equal(wordsOf('parseHTTPRequest'), 'pars http request parsehttprequest');
  assert.equal(wordsOf('user_name'), 'user nam username'.replace('nam ', 'name '));
  assert.equal(wordsOf('userName'), wordsOf('user_name'));
  assert.equal(wordsOf('MAX_RETRY2'), 'max retry 2 maxretry2');
  assert.equal(wordsOf('instanceof'), 'instanceof');
});

test('dotted names and paths are words by their parts and as a whole', () => {
  assert.equal(wordsOf('io.Reader'), 'io reader io.reader');
  assert.equal(wordsOf('src/db/pool.ts'), 'src db pool ts src/db/pool.ts');
  assert.ok(codeWords('std::vector<int>').includes('std::vector'));
  assert.deepEqual(codeWords('Depends()'), codeWords('`Depends`'));
});

test('prose matches other forms of its words, and stop words are dropped', () => {
  for (const [one, other] of [
    ['caching entries', 'cached entry'],
    ['Classes', 'class'],
    ['the queries of a loop', 'query loops'],
    ['stopped', 'stops'],
    ['wrapped errors', 'wrap an error'],
  ] as const) {
    assert.equal(wordsOf(one), wordsOf(other));
  }
  assert.deepEqual(codeWords('the of and'), []);
  assert.deepEqual(codeWords('for in not this'), ['for', 'in', 'not', 'this'], 'these are keywords, too');
});

test('scripts without spaces are split into pairs of characters', () => {
  assert.deepEqual(codeWords('日本語'), ['日本', '本語']);
  assert.deepEqual(codeWords('ö Straße'), ['ö', 'straß']);
});

test('any text has words, none of them empty or longer than the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      for (const word of codeWords(text))
        assert.ok(word.length > 0 && word.length <= Math.max(64, text.length));
    }),
  );
});
