import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KeptAnswers } from './kept-answers.ts';

test('a final answer is asked for once, for each question, and comes back as it was', async () => {
  const kept = new KeptAnswers();
  const asked: string[] = [];
  const ask = (question: readonly string[], isFinal = true) =>
    kept.ask(
      question,
      async () => {
        asked.push(question.join(' '));
        return { to: question, count: asked.length };
      },
      () => isFinal,
    );
  const first = await ask(['one', 'a']);
  const again = await ask(['one', 'a']);
  assert.deepEqual(again, first);
  assert.notEqual(again, first, 'what one caller does with it, no other sees');
  await ask(['one', 'b']);
  await ask(['one a']);
  assert.deepEqual(asked, ['one a', 'one b', 'one a']);
  await ask(['not final'], false);
  await ask(['not final'], false);
  assert.equal(asked.length, 5);
});

test('what fails is asked for again, and neither long answers nor old ones are kept', async () => {
  const kept = new KeptAnswers();
  let asked = 0;
  const ask = (question: string, answer: () => string) =>
    kept.ask(
      [question],
      async () => {
        asked += 1;
        return answer();
      },
      () => true,
    );
  const failing = () => {
    throw new Error('no');
  };
  await assert.rejects(ask('failing', failing), /no/);
  assert.equal(await ask('failing', () => 'yes'), 'yes');
  const long = () => 'x'.repeat(100_000);
  await ask('long', long);
  await ask('long', long);
  assert.equal(asked, 4);
  await ask('old', () => 'old');
  for (let index = 0; index < 500; index += 1) {
    await ask(`new ${index}`, () => 'new');
    await ask('used', () => 'used');
  }
  asked = 0;
  await ask('used', () => 'used');
  assert.equal(asked, 0);
  await ask('old', () => 'old');
  assert.equal(asked, 1);
});
