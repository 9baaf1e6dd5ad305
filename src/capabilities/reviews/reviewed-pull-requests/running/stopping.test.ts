import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { deliver, runSchedule } from '../../../../../test/hosts/connected-host.ts';
import { startReviewingApp } from '../../../../../test/hosts/reviewing-app.ts';

const { app, host, forge, reviews, connectionId, addRepository, settleAll, until } =
  await startReviewingApp();
const { sql } = app.database;
const instance = (await app.operator('GET', `/operator/v1/connections/${connectionId}`)).json.instance;
const key = await app.createKey({
  kind: 'user',
  name: 'ada',
  provider: 'gitea',
  org_id: String(forge.acme.id),
  instance,
  owner: String(forge.ada.id),
});
beforeEach(() => app.resetLimits());
const long = { timeout: 600_000 };

const unsafe =
  "export function load(value: string): string {\n  try {\n    return value.trim();\n  } finally {\n    return '';\n  }\n}\n";
const git = await addRepository();
let serial = 0;

/** A pull request whose first run hangs while it shows the pending status at the host. */
async function heldRun() {
  serial += 1;
  const branch = `topic-${serial}`;
  await git.git('checkout', '--quiet', '-b', branch, 'main');
  await git.commit({ [`${branch}.ts`]: unsafe });
  const pull = await git.open(forge.ada, branch);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  let isHeld = false;
  reviews.fault = async (write, done) => {
    if (write !== 'setStatus' || !done || isHeld) return;
    isHeld = true;
    await released;
  };
  for (const delivery of host.takeDeliveries()) assert.equal((await deliver(app, delivery)).status, 202);
  await until(() => isHeld);
  const shown = reviews.pull(pull.repository, pull.number);
  const head = pull.commits.at(-1)!.sha;
  return {
    pull,
    branch,
    head,
    shown,
    statesOf: (sha: string) =>
      shown.statuses.filter((status) => status.sha === sha).map(({ state }) => state),
    /** Ends the hang, and waits until everything that follows is done. */
    async release() {
      release();
      await settleAll();
      await runSchedule(app, 'show ends of reviews');
      await settleAll();
    },
    async runs() {
      const { json } = await app.get(`/v1/reviews?repository_ids=${pull.repository.id}&limit=1000`, key);
      return json.data.filter((run: { pull_request: number }) => run.pull_request === pull.number);
    },
  };
}

const isEnded = (status: string, number: number) => async () => {
  const ended = await sql`SELECT 1 FROM review_runs WHERE pull_request = ${number} AND status = ${status}`;
  return ended.length > 0;
};

test(
  'a push while a run is under way takes its place, and its commit is not left pending',
  long,
  async () => {
    const { pull, branch, head, shown, statesOf, release, runs } = await heldRun();
    await git.commit({ [`${branch}.ts`]: `${unsafe}export const more = 1;\n` });
    await git.push(pull, branch);
    for (const delivery of host.takeDeliveries()) assert.equal((await deliver(app, delivery)).status, 202);
    await runSchedule(app, 'dispatch-deliveries');
    await until(isEnded('superseded', pull.number));
    await release();
    assert.deepEqual(
      (await runs()).map(({ trigger, status }: { trigger: string; status: string }) => [trigger, status]),
      [
        ['push', 'succeeded'],
        ['opened', 'superseded'],
      ],
    );
    const pushed = pull.commits.at(-1)!.sha;
    assert.deepEqual(
      shown.threads.map(({ headSha }) => headSha),
      [pushed],
    );
    assert.deepEqual(
      [statesOf(head), statesOf(pushed)],
      [
        ['pending', 'neutral'],
        ['pending', 'warning'],
      ],
    );
    const end = shown.statuses.findLast(({ sha }) => sha === head)!;
    assert.match(end.title, /newer commit/);
    assert.ok(end.url?.endsWith((await runs())[1].id));
  },
);

test('a run that a person stops posts nothing more, and is not left pending', long, async () => {
  const { head, shown, statesOf, release, runs } = await heldRun();
  const [run] = await runs();
  assert.equal((await app.call('DELETE', `/v1/reviews/${run.id}`, { key })).status, 204);
  await release();
  assert.equal((await runs())[0].status, 'cancelled');
  assert.deepEqual([shown.threads, shown.conversation], [[], []]);
  assert.deepEqual(statesOf(head), ['pending', 'neutral']);
  assert.doesNotMatch(shown.statuses.at(-1)!.title, /ada/);
  const again = await app.call('POST', '/v1/reviews', {
    key,
    body: { repository_id: run.repository_id, pull_request: run.pull_request },
  });
  assert.equal(again.status, 202, again.text);
  await settleAll();
  await runSchedule(app, 'show ends of reviews');
  await settleAll();
  assert.deepEqual(statesOf(head), ['pending', 'neutral', 'pending', 'warning']);
});

test('the end of a run does not hide what a later run of the same commit shows', long, async () => {
  const { pull, head, statesOf, release, runs } = await heldRun();
  const [run] = await runs();
  await app.call('DELETE', `/v1/reviews/${run.id}`, { key });
  const body = { repository_id: run.repository_id, pull_request: pull.number };
  assert.equal((await app.call('POST', '/v1/reviews', { key, body })).status, 202);
  await release();
  assert.deepEqual(statesOf(head), ['pending', 'pending', 'warning']);
});

test('a pull request that is closed while its run is under way is not left pending', long, async () => {
  const { pull, head, shown, statesOf, release } = await heldRun();
  host.state.end(pull, 'closed');
  for (const delivery of host.takeDeliveries()) assert.equal((await deliver(app, delivery)).status, 202);
  await runSchedule(app, 'dispatch-deliveries');
  await until(isEnded('cancelled', pull.number));
  await release();
  assert.deepEqual(statesOf(head), ['pending', 'neutral']);
  assert.deepEqual(shown.threads, []);
});

test('a paused connection stops a run under way, which goes on when it is resumed', long, async () => {
  const { pull, head, shown, statesOf, release, runs } = await heldRun();
  const path = `/operator/v1/connections/${connectionId}`;
  assert.equal((await app.operator('PATCH', path, { status: 'paused' })).status, 200);
  const writes = reviews.writes.length;
  const released = release();
  await until(async () => {
    const [run] = await sql`SELECT lease FROM review_runs WHERE pull_request = ${pull.number}`;
    return run!.lease === null;
  });
  assert.equal((await runs())[0].status, 'queued');
  assert.equal(reviews.writes.length, writes, 'nothing is written while it is paused');
  assert.equal((await app.operator('PATCH', path, { status: 'ready' })).status, 200);
  await released;
  assert.equal((await runs())[0].status, 'succeeded');
  assert.deepEqual([shown.threads.length, statesOf(head)], [1, ['pending', 'warning']]);
});

test(
  'turning reviews off stops a run under way: nothing is posted, and nothing stays pending',
  long,
  async () => {
    const { head, shown, statesOf, release, runs } = await heldRun();
    const path = `/operator/v1/connections/${connectionId}`;
    assert.equal((await app.operator('PATCH', path, { review: 'off' })).status, 200);
    await release();
    const [run] = await runs();
    assert.deepEqual([run.status, run.reason], ['failed', 'reviews of this connection were turned off']);
    assert.deepEqual([shown.threads, shown.conversation], [[], []]);
    assert.deepEqual(statesOf(head), ['pending', 'neutral']);
    assert.equal((await app.operator('PATCH', path, { review: 'on' })).status, 200);
  },
);

test('removing the connection stops a run under way', long, async () => {
  const { head, shown, statesOf, release, runs } = await heldRun();
  assert.equal((await app.operator('DELETE', `/operator/v1/connections/${connectionId}`)).status, 204);
  await release();
  const [run] = await runs();
  assert.deepEqual([run.status, run.reason], ['failed', 'no connection serves the repository any more']);
  assert.deepEqual([shown.threads, shown.conversation, statesOf(head)], [[], [], ['pending']]);
});
