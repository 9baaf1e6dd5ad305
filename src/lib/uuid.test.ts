import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isUuid, newUuid } from './uuid.ts';

const timeOf = (id: string) => Number.parseInt(id.replace('-', '').slice(0, 12), 16);

test('new ids ascend, also within a millisecond and when the clock is set back', (context) => {
  // Other tests in this process may have created ids with a later time.
  const start = timeOf(newUuid()) + 1_000_000;
  context.mock.timers.enable({ apis: ['Date'], now: start });
  const ids = Array.from({ length: 10_000 }, newUuid);
  context.mock.timers.setTime(start - 1_000_000_000);
  ids.push(...Array.from({ length: 10 }, newUuid));
  context.mock.timers.setTime(start + 1_000);
  ids.push(newUuid());
  assert.deepEqual(ids, ids.toSorted());
  assert.equal(new Set(ids).size, ids.length);
  for (const id of ids) assert.ok(isUuid(id) && id[14] === '7', id);
  assert.equal(timeOf(ids.at(-1)!), start + 1_000);
});
