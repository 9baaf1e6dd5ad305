import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gatherByName } from './gather.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Gathers numbers. Each group is recorded, and waits until it is released. */
function gated(options?: Parameters<typeof gatherByName>[1], fail?: (items: readonly number[]) => void) {
  const groups: string[] = [];
  const gates: (() => void)[] = [];
  const gather = gatherByName(async (name, items: readonly number[]) => {
    groups.push(`${name}:${items.join()}`);
    await new Promise<void>((resolve) => gates.push(resolve));
    fail?.(items);
    return items.map((item) => item * 10);
  }, options);
  const release = async () => {
    gates.shift()!();
    await turn();
  };
  return { gather, groups, release };
}

test('items that arrive while a group is handled form the next one, in order, and each item gets its own result', async () => {
  const { gather, groups, release } = gated();
  const results = [1, 2, 3].map((item) => gather('a', item));
  results.push(gather('b', 4));
  assert.deepEqual(groups, ['a:1', 'b:4']);
  await release();
  assert.deepEqual(groups, ['a:1', 'b:4', 'a:2,3']);
  await release();
  await release();
  assert.deepEqual(await Promise.all(results), [10, 20, 30, 40]);
  const later = gather('a', 5);
  assert.equal(groups.at(-1), 'a:5');
  await release();
  assert.equal(await later, 50);
});

test('no group is larger than the limit', async () => {
  const { gather, groups, release } = gated({ max: 2 });
  const results = [1, 2, 3, 4].map((item) => gather('a', item));
  for (let group = 0; group < 3; group += 1) await release();
  await Promise.all(results);
  assert.deepEqual(groups, ['a:1', 'a:2,3', 'a:4']);
});

test('a failure fails its whole group, and nothing after it', async () => {
  const { gather, release } = gated({}, (items) => {
    if (items.includes(3)) throw new Error('three');
  });
  const results = Promise.allSettled([1, 2, 3].map((item) => gather('a', item)));
  await release();
  const next = gather('a', 4);
  await release();
  await release();
  assert.deepEqual(
    (await results).map(({ status }) => status),
    ['fulfilled', 'rejected', 'rejected'],
  );
  assert.equal(await next, 40);
});

test('if items are retried one by one, one that fails does not fail the others', async () => {
  const { gather, groups, release } = gated({ triesAlone: () => true }, (items) => {
    if (items.includes(3)) throw new Error('three');
  });
  const results = Promise.allSettled([1, 2, 3, 4].map((item) => gather('a', item)));
  for (let group = 0; group < 5; group += 1) await release();
  assert.deepEqual(
    (await results).map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
  );
  assert.deepEqual(groups, ['a:1', 'a:2,3,4', 'a:2', 'a:3', 'a:4']);
});

test('with patience, a group takes half of the items, so that the other half arrives while it is handled', async ({
  mock,
}) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const { gather, groups, release } = gated({ patienceMs: 5 });
  const results = [1, 2, 3, 4, 5, 6].map((item) => gather('a', item));
  await release();
  results.push(gather('a', 7));
  await release();
  results.push(gather('a', 8), gather('a', 9), gather('a', 10));
  await release();
  await release();
  assert.deepEqual(groups, ['a:1', 'a:2,3,4', 'a:5,6,7', 'a:8,9,10']);
  await Promise.all(results);
});

test('with patience, a group waits for half of the items that are expected', async ({ mock }) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const { gather, groups, release } = gated({ patienceMs: 5 });
  const results = [1, 2, 3, 4, 5, 6].map((item) => gather('a', item));
  await release();
  await release();
  assert.deepEqual(groups, ['a:1', 'a:2,3,4']);
  results.push(gather('a', 7));
  await turn();
  assert.equal(groups.at(-1), 'a:5,6,7');
  await release();
  results.push(gather('a', 8));
  await turn();
  assert.equal(groups.at(-1), 'a:5,6,7');
  mock.timers.tick(4);
  await turn();
  assert.equal(groups.at(-1), 'a:5,6,7');
  mock.timers.tick(1);
  await turn();
  assert.equal(groups.at(-1), 'a:8');
  await release();
  assert.deepEqual(await Promise.all(results), [10, 20, 30, 40, 50, 60, 70, 80]);
});

test('with patience, a single item does not wait', async ({ mock }) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const { gather, groups, release } = gated({ patienceMs: 5 });
  for (const item of [1, 2, 3]) {
    const result = gather('a', item);
    assert.equal(groups.at(-1), `a:${item}`);
    await release();
    assert.equal(await result, item * 10);
  }
});
