import assert from 'node:assert/strict';
import { Socket } from 'node:net';
import { test } from 'node:test';
import { type HostAnswer, primariesOf, servingHost } from './serving-host.ts';
import { DatabaseUnavailable } from './unavailable.ts';

const hosts = ['a', 'b', 'c'].map((host) => ({ host, port: 5432 }));
const [a, b, c] = hosts;
const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });

/** What a server says about itself; each host is a separate server unless one is given. */
const answer = (isStandby: boolean, timeline: number, server: string): HostAnswer => ({
  isStandby,
  timeline: isStandby ? 0 : timeline,
  server,
  cluster: 'one',
  position: undefined,
});

/** Hosts with the state that a test sets, and the number of times they were asked. */
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

test('the serving host is found among standbys and hosts that are down, with one search for all callers', async () => {
  const { state, serving } = someHosts();
  assert.deepEqual(await Promise.all([serving.find(), serving.find()]), [a, a]);
  await serving.find();
  assert.equal(state.asked, hosts.length);
});

test('the serving host is searched for again when a connection to it is lost, but not when one to another host is', async () => {
  const { state, serving } = someHosts();
  await serving.find();
  state.primary = 'b';
  serving.forget(b!);
  assert.deepEqual(await serving.find(), a);
  serving.forget(a!);
  assert.deepEqual(await serving.find(), b);
  // A connection that is closed late belongs to the previous host.
  serving.forget(a!);
  await serving.find();
  assert.equal(state.asked, 2 * hosts.length);
});

test('while no host serves, the database is unavailable and concurrent callers share one search; a host that starts to serve is found', async () => {
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

test('a rejected password is reported as such, not as unreachable hosts', async () => {
  const { state, serving } = someHosts();
  state.primary = undefined;
  state.error = Object.assign(new Error('password authentication failed'), { code: '28P01' });
  await assert.rejects(serving.find(), state.error);
});

test('to find out whether another host has taken over from a silent one, only the other hosts are asked', async () => {
  const { state, serving } = someHosts();
  await serving.find();
  state.asked = 0;
  assert.equal(await serving.isElsewhere(a!), false);
  state.primary = 'b';
  assert.equal(await serving.isElsewhere(a!), true);
  assert.equal(state.asked, 2 * (hosts.length - 1));
  assert.equal(await serving.isElsewhere(b!), false);
});

test('a standby is asked again while another host is silent, and is found once it is the primary', async () => {
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

test('while a host is silent, a rejected password is not tried repeatedly', async () => {
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

/** Hosts with these timelines: a number for a primary, undefined for a standby. */
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

test('of several primaries, the one with the highest timeline is found, whichever answers first', async () => {
  assert.deepEqual(await someTimelines([1, 3, 2]).serving.find(), b);
  assert.deepEqual(await someTimelines([undefined, 1, 2]).serving.find(), c);
});

test('all connections to a replaced primary are closed when the new one is seen', async () => {
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

test('a replaced primary is never used again, but a primary of another cluster is, as after an upgrade', async () => {
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

test('of two primaries with the same timeline, a node keeps the one it uses, with all its connections', async () => {
  const { timelines, serving, connect } = someTimelines([undefined, 2, undefined]);
  await serving.find();
  const socket = connect(b!);
  timelines[0] = 2;
  assert.equal(primariesOf(await serving.check()).length, 2);
  assert.deepEqual(await serving.find(), b);
  assert.equal(socket.destroyed, false);
  // If the node has to search again and finds the other one, all connections to the first are closed.
  timelines[1] = undefined;
  serving.forget(b!);
  assert.deepEqual(await serving.find(), a);
  assert.equal(socket.destroyed, true);
});

test('two hosts that lead to one server count as one primary, and connections to either are kept', async () => {
  const { timelines, serving, connect } = someTimelines([2, 2, undefined], ['same', 'same', 'c']);
  await serving.find();
  const [one, other] = [connect(a!), connect(b!)];
  assert.equal(primariesOf(await serving.check()).length, 1);
  timelines[0] = undefined;
  serving.forget(await serving.find());
  assert.deepEqual(await serving.find(), b);
  assert.deepEqual([one.destroyed, other.destroyed], [false, false]);
});
