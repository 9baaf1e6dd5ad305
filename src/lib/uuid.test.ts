import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isUuid, newUuid } from './uuid.ts';

test('new ids ascend, also within a millisecond and when the clock is set back', (context) => {
  context.mock.timers.enable({ apis: ['Date'], now: 1_800_000_000_000 });
  const ids = Array.from({ length: 10_000 }, newUuid);
  context.mock.timers.setTime(1_700_000_000_000);
  ids.push(...Array.from({ length: 10 }, newUuid));
  context.mock.timers.setTime(1_800_000_001_000);
  ids.push(newUuid());
  assert.deepEqual(ids, ids.toSorted());
  assert.equal(new Set(ids).size, ids.length);
  for (const id of ids) assert.ok(isUuid(id) && id[14] === '7', id);
  assert.equal(Number.parseInt(ids.at(-1)!.replace('-', '').slice(0, 12), 16), 1_800_000_001_000);
});
