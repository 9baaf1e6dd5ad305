import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Budget } from './budget.ts';

const forever = new AbortController().signal;
const budgetOf = (limits: { maxTokens: number; maxUsd?: number }) =>
  new Budget({ name: 'any', priceIn: 10, priceOut: 20 }, { maxSeconds: 60, ...limits }, forever);

test('a call gets as much output as is left of the tokens and of the money, its own input included', () => {
  const byTokens = budgetOf({ maxTokens: 1_000 });
  assert.equal(byTokens.outputFor(400, 5_000, 1), 600);
  byTokens.spend({ inputTokens: 400, outputTokens: 100 }, 1);
  assert.equal(byTokens.outputFor(400, 5_000, 1), 100);
  assert.equal(byTokens.outputFor(600, 5_000, 1), 'budget');

  // 0.02 $ are 2,000 tokens of input, or 1,000 of output.
  const byMoney = budgetOf({ maxTokens: 1_000_000, maxUsd: 0.02 });
  assert.equal(byMoney.outputFor(1_000, 5_000, 1), 500);
  byMoney.spend({ inputTokens: 1_000, outputTokens: 300 }, 1);
  assert.equal(byMoney.outputFor(200, 5_000, 1), 100);
  assert.equal(byMoney.outputFor(500, 5_000, 1), 'budget');
  assert.equal(byMoney.usage.costUsd, 0.016);
});

test('a call that gets less output than it needs is not made', () => {
  assert.equal(budgetOf({ maxTokens: 1_000 }).outputFor(400, 5_000, 601), 'budget');
});
