import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestApp } from '../../../../test/harness.ts';
import {
  connect,
  connectionsPath,
  deliver,
  runSchedule,
  settled,
  show,
  startDouble,
  until,
} from '../../../../test/hosts/connected-host.ts';
import { checkAsked } from '../../../../test/hosts/contracts/asked-contract.ts';
import type { ForgePull } from '../../../../test/hosts/forge/forge-data.ts';
import { fillForge, hostToken } from '../../../../test/hosts/forge/sample-forge.ts';
import { GiteaDouble } from '../../../../test/hosts/gitea/gitea-double.ts';
import type { Delivery } from '../../../../test/hosts/host-double.ts';
import fc from '../../../../test/properties.ts';

const app = await startTestApp();
const gitea = await startDouble(new GiteaDouble());
const forge = fillForge(gitea);
await app.queue.startWorkers();
const request = {
  provider: 'gitea',
  url: gitea.url,
  credentials: { token: hostToken },
  organizations: ['acme'],
};
const { id } = await connect(app, request);
await settled(app);
const { sql } = app.database;

const later = (seconds: number) => {
  app.now = new Date(app.now.getTime() + seconds * 1000);
};

/** The stored state of a pull request, without the time of storing. */
async function stored({ number }: ForgePull) {
  const rows = await sql`
    SELECT p.state, v.author_id, v.ready_for_review_at, v.first_human_review_at, v.last_commit_at, v.merged_at, v.closed_at,
      v.review_iterations
    FROM pull_requests p JOIN review_metrics v USING (organization_id, repository_id, number)
    JOIN connection_repositories c USING (organization_id, repository_id)
    WHERE p.number = ${number} AND c.connection_id = ${id}`;
  return rows.map((row) => ({ ...row }));
}

/** The state that should be stored according to the host. */
function expected(pull: ForgePull) {
  const human = [...pull.comments, ...pull.reviews]
    .filter(({ user }) => user.id !== pull.author.id && !user.isBot)
    .map(({ at }) => at.getTime());
  const commits = pull.commits.filter(({ isMerge }) => !isMerge).map(({ at }) => at.getTime());
  return [
    {
      state: pull.state,
      author_id: String(pull.author.id),
      ready_for_review_at: pull.readyAt,
      first_human_review_at: human.length === 0 ? null : new Date(Math.min(...human)),
      last_commit_at: new Date(Math.max(...commits)),
      merged_at: pull.state === 'merged' ? pull.closedAt : null,
      closed_at: pull.closedAt,
      review_iterations: new Set(pull.reviews.map(({ commit }) => commit)).size,
    },
  ];
}

const act = fc.constantFrom('push', 'comment', 'bot-comment', 'review', 'merge', 'close', 'reopen');

function perform(pull: ForgePull, what: string): void {
  const { state } = gitea;
  const isOpen = pull.state === 'open';
  if (what === 'push' && isOpen) state.push(pull);
  if (what === 'comment') state.comment(pull, forge.ben);
  if (what === 'bot-comment') state.comment(pull, forge.reviewer);
  if (what === 'review' && isOpen) state.review(pull, forge.ben);
  if (what === 'merge' && isOpen) state.end(pull, 'merged');
  if (what === 'close' && isOpen) state.end(pull, 'closed');
  if (what === 'reopen' && pull.state === 'closed') state.reopen(pull);
}

test('after a sweep the data matches the host, regardless of reordered, lost and duplicate deliveries', async () => {
  const run = fc.record({
    acts: fc.array(act, { minLength: 1, maxLength: 8 }),
    /** For each delivery: its place in the order, and how often it arrives; 0 means lost. */
    fates: fc.array(fc.tuple(fc.nat(1000), fc.nat(2)), { minLength: 9, maxLength: 9 }),
    /** Whether work proceeds while further deliveries arrive. */
    isInterleaved: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(run, async ({ acts, fates, isInterleaved }) => {
      gitea.state.now = app.now;
      const pull = gitea.state.open(forge.app, forge.ada);
      for (const what of acts) perform(pull, what);
      app.now = gitea.state.now;
      const sent: [number, Delivery][] = gitea.takeDeliveries().flatMap((delivery, index) => {
        const [place, times] = fates[index]!;
        return Array.from({ length: times }, (_, time): [number, Delivery] => [place + time, delivery]);
      });
      sent.sort(([one], [other]) => one - other);
      for (const [, delivery] of sent) {
        later(1);
        const answer = await deliver(app, delivery);
        assert.equal(answer.status, 202);
        if (isInterleaved) await runSchedule(app, 'dispatch-deliveries');
      }
      await settled(app);
      later(16 * 60);
      await runSchedule(app, 'start-due-readings');
      await settled(app);
      assert.deepEqual(await stored(pull), expected(pull));
    }),
    { numRuns: 12 },
  );
});

checkAsked(app, gitea, forge, async () => {
  app.now = gitea.state.now;
  for (const delivery of gitea.takeDeliveries()) assert.equal((await deliver(app, delivery)).status, 202);
  later(1);
  await settled(app);
});

test('a server that stops between any two stages loses and duplicates nothing', async () => {
  const pull = gitea.state.open(forge.app, forge.ada);
  const [opened] = gitea.takeDeliveries();
  assert.equal((await deliver(app, opened!)).status, 202);
  await settled(app);
  const eventsOf = async () => (await stored(pull)).length;
  // Received but not scheduled; scheduled but lost by the queue; read but not settled.
  const stages = [
    () => sql`UPDATE hook_deliveries SET status = 'waiting', dispatched_at = NULL`,
    () =>
      sql`UPDATE hook_deliveries SET status = 'waiting', dispatched_at = ${new Date(app.now.getTime() - 48 * 3_600_000)}`,
    async () => {
      await sql`UPDATE hook_deliveries SET status = 'waiting', dispatched_at = NULL`;
      await sql`DELETE FROM host_pull_requests`;
    },
  ];
  for (const stage of stages) {
    gitea.state.push(pull);
    gitea.takeDeliveries();
    later(60);
    await stage();
    await settled(app);
    assert.deepEqual(await stored(pull), expected(pull));
    assert.equal(await eventsOf(), 1);
  }
});

test('a connection whose token was revoked shows as failing after the next call, and recovers by itself', async () => {
  const pull = gitea.state.open(forge.app, forge.ada);
  gitea.tokens.delete(hostToken);
  for (const delivery of gitea.takeDeliveries()) await deliver(app, delivery);
  await runSchedule(app, 'dispatch-deliveries');
  await until(async () => (await show(app, id)).status === 'failing');
  const { health } = await show(app, id);
  assert.match(health.last_error.message, /401/);
  assert.equal(health.waiting, 1);
  gitea.tokens.set(hostToken, forge.account);
  await runSchedule(app, 'probe-failing-connections');
  assert.equal((await show(app, id)).status, 'ready');
  await settled(app);
  assert.deepEqual(await stored(pull), expected(pull));
});

test('a host that asks to wait is not called until then, and nothing is lost', async () => {
  const pull = gitea.state.open(forge.app, forge.ada);
  let refused = 0;
  gitea.fault = ({ path }) => {
    if (!path.endsWith(`/pulls/${pull.number}`) || refused > 0) return undefined;
    refused += 1;
    return { status: 429, headers: { 'retry-after': '2' }, json: { message: 'slow down' } };
  };
  for (const delivery of gitea.takeDeliveries()) await deliver(app, delivery);
  await settled(app);
  gitea.fault = () => undefined;
  assert.deepEqual(await stored(pull), expected(pull));
  const tries = gitea.requests.filter(({ path }) => path.endsWith(`/pulls/${pull.number}`));
  assert.deepEqual(
    tries.map(({ status }) => status),
    [429, 200],
  );
});

test('an unresponsive host does not hold up another connection', async () => {
  const stalled = await startDouble(new GiteaDouble());
  const other = fillForge(stalled);
  const second = await connect(app, { ...request, url: stalled.url });
  await settled(app);
  stalled.fault = ({ path }) => (path.includes('/pulls/') ? 'stall' : undefined);
  for (let index = 0; index < 20; index += 1) stalled.state.open(other.app, other.ada);
  for (const delivery of stalled.takeDeliveries()) await deliver(app, delivery);
  await runSchedule(app, 'dispatch-deliveries');
  const pull = gitea.state.open(forge.app, forge.ada);
  for (const delivery of gitea.takeDeliveries()) await deliver(app, delivery);
  await until(async () => (await stored(pull)).length === 1);
  assert.deepEqual(await stored(pull), expected(pull));
  assert.equal((await show(app, second.id)).health.waiting, 20, 'the other one still waits');
  await app.operator('PATCH', `${connectionsPath}/${second.id}`, { status: 'paused' });
  await stalled.stop();
  await app.operator('DELETE', `${connectionsPath}/${second.id}`);
});

test('a thousand simultaneous deliveries are all durable, and each pull request is read once', async () => {
  await settled(app);
  const pulls = Array.from({ length: 5 }, () => gitea.state.open(forge.app, forge.ada));
  for (let index = 0; index < 199; index += 1) for (const pull of pulls) gitea.state.comment(pull, forge.ben);
  const deliveries = gitea.takeDeliveries();
  assert.equal(deliveries.length, 1000);
  const calls = gitea.requests.length;
  for (let start = 0; start < deliveries.length; start += 50) {
    const answers = await Promise.all(deliveries.slice(start, start + 50).map((one) => deliver(app, one)));
    assert.ok(answers.every(({ status }) => status === 202));
  }
  await settled(app);
  for (const pull of pulls) assert.deepEqual(await stored(pull), expected(pull));
  const [counted] = await sql`
    SELECT count(*)::int AS done FROM hook_deliveries
    WHERE status = 'done' AND delivery_id = ANY(${deliveries.map((delivery) => delivery.id)})`;
  assert.equal(counted!.done, 1000);
  const reads = gitea.requests.slice(calls).filter(({ path }) => /\/pulls\/\d+$/.test(path)).length;
  assert.ok(reads < 500, `${reads} reads for 1000 deliveries`);
});
