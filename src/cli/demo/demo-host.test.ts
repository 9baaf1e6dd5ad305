import assert from 'node:assert/strict';
import { test } from 'node:test';
import { guardedHost } from '../../capabilities/reviews/reviewed-pull-requests/running/guarded-host.ts';
import { DemoHost } from './demo-host.ts';

test('reviews and checks can make every call of the host of the demo, and the guard is called before each write', async () => {
  let asked = 0;
  const host = guardedHost(new DemoHost('http://git.test'), async () => {
    asked += 1;
  });
  const place = { id: '601', fullName: 'northwind/storefront' };
  assert.equal(await host.hasIssue('northwind/storefront', 1), true);
  assert.match(host.suggestionBlock('let a;', 1), /let a;/);
  assert.deepEqual(await host.readThreads(place, 1), []);
  assert.equal(asked, 0);
  const { id } = await host.writeComment(place, 1, 'Hello');
  await host.editComment(place, 1, id, 'Hello again');
  await host.setStatus(place, 1, 'abc', { state: 'success', title: '', description: '', url: null });
  assert.equal(asked, 3);
});
