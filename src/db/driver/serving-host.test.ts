import assert from 'node:assert/strict';
import { test } from 'node:test';
import { servingHost } from './serving-host.ts';
import { DatabaseUnavailable } from './unavailable.ts';

const hosts = ['a', 'b', 'c'].map((host) => ({ host, port: 5432 }));
const [a, b] = hosts;
const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });

/** Hosts that say what a test wants, and how often they were asked. */
function someHosts() {
  const state: { primary: string | undefined; asked: number; error: Error } = {
    primary: 'a',
    asked: 0,
    error: refused,
  };
  const serving = servingHost(
    hosts,
    async ({ host }) => {
      state.asked += 1;
      if (host === 'c') throw state.error;
      return host === state.primary;
    },
    'primary',
  );
  return { state, serving };
}

test('the host that serves is found among those that do not and those that are down, once for everybody', async () => {
  const { state, serving } = someHosts();
  assert.deepEqual(await Promise.all([serving.find(), serving.find()]), [a, a]);
  await serving.find();
  assert.equal(state.asked, hosts.length);
});

test('when a connection to it is lost it is looked for again; the loss of another one changes nothing', async () => {
  const { state, serving } = someHosts();
  await serving.find();
  state.primary = 'b';
  serving.forget(b!);
  assert.deepEqual(await serving.find(), a);
  serving.forget(a!);
  assert.deepEqual(await serving.find(), b);
  // What is closed late belongs to the host before.
  serving.forget(a!);
  await serving.find();
  assert.equal(state.asked, 2 * hosts.length);
});

test('while none serves the database is unavailable, many who ask cost one question, and it is found once there is one', async () => {
  const { state, serving } = someHosts();
  state.primary = undefined;
  const outcomes = await Promise.allSettled([1, 2, 3].map(() => serving.find()));
  for (const outcome of outcomes)
    assert.ok(outcome.status === 'rejected' && outcome.reason instanceof DatabaseUnavailable);
  await assert.rejects(serving.find(), DatabaseUnavailable);
  assert.equal(state.asked, hosts.length);
  state.primary = 'b';
  for (;;) {
    const found = await serving.find().catch(() => undefined);
    if (found === undefined) await new Promise(setImmediate);
    else {
      assert.deepEqual(found, b);
      break;
    }
  }
});

test('a password that is rejected is reported as such, not as hosts that are away', async () => {
  const { state, serving } = someHosts();
  state.primary = undefined;
  state.error = Object.assign(new Error('password authentication failed'), { code: '28P01' });
  await assert.rejects(serving.find(), state.error);
});

test('whether another one has taken over from a host that does not answer is asked of the others only', async () => {
  const { state, serving } = someHosts();
  await serving.find();
  state.asked = 0;
  assert.equal(await serving.isElsewhere(a!), false);
  state.primary = 'b';
  assert.equal(await serving.isElsewhere(a!), true);
  assert.equal(state.asked, 2 * (hosts.length - 1));
  assert.equal(await serving.isElsewhere(b!), false);
});
