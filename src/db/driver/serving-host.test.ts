import assert from 'node:assert/strict';
import { Socket } from 'node:net';
import { test } from 'node:test';
import { type HostAnswer, primariesOf, servingHost } from './serving-host.ts';
import { DatabaseUnavailable } from './unavailable.ts';

const hosts = ['a', 'b', 'c'].map((host) => ({ host, port: 5432 }));
const [a, b, c] = hosts;
const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });

/** What a server says of itself, here one for each host unless it is given. */
const answer = (isStandby: boolean, timeline: number, server: string): HostAnswer => ({
  isStandby,
  timeline: isStandby ? 0 : timeline,
  server,
  cluster: 'one',
  position: undefined,
});

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
      return answer(host !== state.primary, 1, host);
    },
    { isReplica: false },
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

test('a host that was a standby is asked again while another one is silent, and found once it is the primary', async () => {
  let asked = 0;
  const serving = servingHost(
    hosts,
    async ({ host }) => {
      if (host === 'a') return new Promise<never>(() => {}); // it hangs
      if (host === 'c') throw refused;
      asked += 1;
      return answer(asked < 3, 2, host);
    },
    { isReplica: false },
  );
  assert.deepEqual(await serving.find(), b);
  assert.equal(asked, 3);
});

test('while a host is silent, a password that is rejected is not tried over and over', async () => {
  const silent = Promise.withResolvers<HostAnswer>();
  const rejected = Object.assign(new Error('password authentication failed'), { code: '28P01' });
  const asked: string[] = [];
  const serving = servingHost(
    hosts,
    async ({ host }) => {
      asked.push(host);
      if (host === 'a') return silent.promise;
      if (host === 'b') throw rejected;
      if (asked.filter((one) => one === 'c').length === 3) silent.reject(refused);
      return answer(true, 0, host);
    },
    { isReplica: false },
  );
  await assert.rejects(serving.find(), rejected);
  assert.equal(asked.filter((one) => one === 'b').length, 1);
});

/** Hosts that are all what the timelines say: a number for a primary, undefined for a standby. */
function someTimelines(timelines: (number | undefined)[], servers = ['a', 'b', 'c'], clusters?: string[]) {
  const serving = servingHost(
    hosts,
    async ({ host }) => {
      const index = hosts.findIndex((one) => one.host === host);
      const said = answer(timelines[index] === undefined, timelines[index] ?? 0, servers[index]!);
      return clusters === undefined ? said : { ...said, cluster: clusters[index] };
    },
    { isReplica: false },
  );
  const connect = (host: (typeof hosts)[number]) => {
    const socket = new Socket().on('error', () => {});
    serving.keep(host, socket);
    return socket;
  };
  return { timelines, servers, serving, connect };
}

test('of several primaries the one of the highest timeline is found, whichever answers first', async () => {
  assert.deepEqual(await someTimelines([1, 3, 2]).serving.find(), b);
  assert.deepEqual(await someTimelines([undefined, 1, 2]).serving.find(), c);
});

test('a primary that was replaced is left when the other one is seen, with all that is connected to it', async () => {
  const { timelines, serving, connect } = someTimelines([1, undefined, undefined]);
  await serving.find();
  const [first, other] = [connect(a!), connect(b!)];
  await serving.check();
  assert.equal(first.destroyed, false, 'while it is the only one');
  timelines[1] = 2;
  assert.equal(primariesOf(await serving.check()).length, 2);
  assert.deepEqual(await serving.find(), b);
  assert.deepEqual([first.destroyed, other.destroyed], [true, false]);
});

test('nobody goes back to a primary that was replaced, but to one of another cluster, as after an upgrade', async () => {
  const { timelines, serving } = someTimelines([undefined, 2, undefined]);
  assert.deepEqual(await serving.find(), b);
  timelines.splice(0, 2, 1, undefined);
  serving.forget(b!);
  await assert.rejects(serving.find(), (error: Error) => {
    assert.ok(error instanceof DatabaseUnavailable);
    assert.equal(
      error.message,
      'a:5432 says that it is the primary, but was replaced: its timeline 1 is older than 2, which was used last',
    );
    return true;
  });
  assert.equal(await serving.isElsewhere(b!), false);

  const clusters = ['one', 'other', 'one'];
  const moved = someTimelines([undefined, 2, undefined], undefined, clusters);
  await moved.serving.find();
  moved.timelines.splice(0, 2, 1, undefined);
  moved.serving.forget(b!);
  assert.deepEqual(await moved.serving.find(), a);
});

test('of two primaries of one timeline a node stays with the one that it has, with all its connections', async () => {
  const { timelines, serving, connect } = someTimelines([undefined, 2, undefined]);
  await serving.find();
  const socket = connect(b!);
  timelines[0] = 2;
  assert.equal(primariesOf(await serving.check()).length, 2);
  assert.deepEqual(await serving.find(), b);
  assert.equal(socket.destroyed, false);
  // If it must look again and comes to the other one, nothing of it stays behind.
  timelines[1] = undefined;
  serving.forget(b!);
  assert.deepEqual(await serving.find(), a);
  assert.equal(socket.destroyed, true);
});

test('two ways to one server are one primary, and what is connected by one of them stays', async () => {
  const { timelines, serving, connect } = someTimelines([2, 2, undefined], ['same', 'same', 'c']);
  await serving.find();
  const [one, other] = [connect(a!), connect(b!)];
  assert.equal(primariesOf(await serving.check()).length, 1);
  timelines[0] = undefined;
  serving.forget(await serving.find());
  assert.deepEqual(await serving.find(), b);
  assert.deepEqual([one.destroyed, other.destroyed], [false, false]);
});
