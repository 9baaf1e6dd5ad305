import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { deliver, runSchedule } from '../../../../../test/hosts/connected-host.ts';
import type { ForgeUser } from '../../../../../test/hosts/forge/forge-data.ts';
import { startReviewingApp } from '../../../../../test/hosts/reviewing-app.ts';

// Results about pull requests that Postil does not review, or has not read yet.

const { app, host, forge, reviews, addRepository, deliverAll, settleAll, until, adaKey } =
  await startReviewingApp();
const { sql } = app.database;
const key = await adaKey();
const outsider = host.state.addUser('outsider');
const long = { timeout: 600_000 };
beforeEach(() => app.resetLimits());

/** A pull request whose line 2 of src/a.ts is new. */
async function openPull(
  { author = forge.ada, isDraft = false }: { author?: ForgeUser; isDraft?: boolean } = {},
  files = {},
) {
  const git = await addRepository({ 'src/a.ts': 'one();\n', ...files });
  await git.git('checkout', '--quiet', '-b', 'topic');
  await git.commit({ 'src/a.ts': 'one();\ntwo();\n' });
  const pull = await git.open(author, 'topic', { isDraft });
  const repository_id = String(pull.repository.id);
  const read = async (id: string) => (await app.get(`/v1/reviews/${id}`, key)).json;
  return {
    git,
    pull,
    read,
    shown: reviews.pull(pull.repository, pull.number),
    /** Sends results of a build, and returns the run that was named. */
    async send(ruleId = 'fault'): Promise<string> {
      const physicalLocation = { artifactLocation: { uri: 'src/a.ts' }, region: { startLine: 2 } };
      const result = { ruleId, message: { text: 'is wrong' }, locations: [{ physicalLocation }] };
      const sarif = { version: '2.1.0', runs: [{ tool: { driver: { name: 'Lint' } }, results: [result] }] };
      const body = { repository_id, pull_request: pull.number, sarif };
      const answer = await app.call('POST', '/v1/reviews/results', { key, body });
      assert.equal(answer.status, 202, answer.text);
      return answer.json.id;
    },
    ask: () => app.call('POST', '/v1/reviews', { key, body: { repository_id, pull_request: pull.number } }),
    /** The runs of the pull request, oldest first. */
    async runs() {
      const { json } = await app.get(`/v1/reviews?repository_ids=${repository_id}`, key);
      return json.data.toReversed().map(({ id, trigger, status, reason }: Record<string, unknown>) => ({
        id,
        trigger,
        status,
        reason,
      }));
    },
    rulesOf: async (id: string) =>
      (await read(id)).findings.map(({ source }: { source: { name: string } }) => source.name),
    pause: () => sql`
      UPDATE reviewed_pull_requests SET paused_at = now(), paused_by = 'ada'
      WHERE repository_id = (SELECT id FROM repositories WHERE provider_repository_id = ${repository_id})`,
  };
}

/** Delivers what the host reports, and waits until a run hangs while it shows its first status there. */
async function startHeld() {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  let isHeld = false;
  reviews.fault = async (write, done) => {
    if (write !== 'setStatus' || done || isHeld) return;
    isHeld = true;
    await released;
  };
  for (const delivery of host.takeDeliveries()) assert.equal((await deliver(app, delivery)).status, 202);
  await until(() => isHeld);
  return async () => {
    release();
    await settleAll();
  };
}

const run = (id: string, trigger: string, status = 'succeeded', reason: string | null = null) => ({
  id,
  trigger,
  status,
  reason,
});

test(
  'results about a pull request that was not read yet are taken by the review that its opening starts',
  long,
  async () => {
    const { send, runs, rulesOf } = await openPull();
    const id = await send();
    await settleAll();
    assert.deepEqual(await runs(), [], 'results start no review');
    await deliverAll();
    assert.deepEqual(await runs(), [run(id, 'opened')]);
    assert.deepEqual(await rulesOf(id), ['Lint/fault']);
  },
);

test('a sweep starts that review too, if the host has delivered nothing', long, async () => {
  // The clock of the host, whose list of changes starts at the last sweep.
  host.state.now = app.now;
  const { send, runs, rulesOf } = await openPull();
  const id = await send();
  host.takeDeliveries();
  app.now = new Date(app.now.getTime() + 20 * 60_000);
  await runSchedule(app, 'start-due-readings');
  await settleAll();
  assert.deepEqual(await runs(), [run(id, 'opened')]);
  assert.deepEqual(await rulesOf(id), ['Lint/fault']);
});

test('drafts, configuration and seats decide as if no results had been sent', long, async () => {
  const draft = await openPull({ isDraft: true });
  const off = await openPull({}, { '.postil.yaml': 'reviews:\n  auto_review:\n    enabled: false\n' });
  const foreign = await openPull({ author: outsider });
  const [ofDraft, , ofForeign] = [await draft.send(), await off.send(), await foreign.send()];
  await deliverAll();
  assert.deepEqual([await draft.runs(), await off.runs()], [[], []]);
  assert.deepEqual(await foreign.runs(), [run(ofForeign, 'opened', 'skipped', 'NO_SEAT')]);
  assert.equal(foreign.shown.threads.length, 0);
  host.state.markReady(draft.pull);
  await deliverAll();
  assert.deepEqual(await draft.runs(), [run(ofDraft, 'ready')]);
  assert.deepEqual(await draft.rulesOf(ofDraft), ['Lint/fault']);
});

test(
  'a review that could not be stored when it was asked for does not replace the automatic one',
  long,
  async () => {
    const { ask, runs } = await openPull();
    await sql.unsafe(`
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no space left'; END $$;
    CREATE TRIGGER refuse BEFORE INSERT ON review_runs FOR EACH ROW EXECUTE FUNCTION refuse()`);
    assert.equal((await ask()).status, 500);
    await sql.unsafe('DROP TRIGGER refuse ON review_runs; DROP FUNCTION refuse()');
    await deliverAll();
    assert.deepEqual(
      (await runs()).map(({ trigger }: { trigger: string }) => trigger),
      ['opened'],
    );
  },
);

test(
  'a review that is asked for before the pull request was read is the only one of its head',
  long,
  async () => {
    const { ask, runs } = await openPull();
    const { json } = await ask();
    await settleAll();
    await deliverAll();
    assert.deepEqual(await runs(), [run(json.id, 'api')]);
  },
);

test('results do not make up for the missing seat of an author, whose run is under way', long, async () => {
  const { send, runs, shown } = await openPull({ author: outsider });
  const release = await startHeld();
  const id = await send();
  await release();
  assert.deepEqual(await runs(), [run(id, 'opened', 'skipped', 'NO_SEAT')]);
  assert.deepEqual([shown.threads.length, shown.statuses.at(-1)!.state], [0, 'neutral']);
});

test('results start no run while reviews are paused', long, async () => {
  const { send, runs, pause } = await openPull();
  const release = await startHeld();
  await pause();
  const id = await send();
  await release();
  await send('other');
  await settleAll();
  assert.deepEqual(await runs(), [run(id, 'opened')]);
});

test(
  'a run for results that is paused before it starts is skipped, and leaves the verdict of the head',
  long,
  async () => {
    const { pull, send, runs, shown, pause } = await openPull();
    const release = await startHeld();
    const id = await send();
    await pause();
    await release();
    const [first, second, ...others] = await runs();
    assert.deepEqual(
      [first, second, others],
      [run(first.id, 'opened'), run(id, 'api', 'skipped', 'PAUSED'), []],
    );
    assert.deepEqual(
      shown.statuses.map(({ sha, state }) => [sha, state]),
      ['pending', 'success'].map((state) => [pull.commits.at(-1)!.sha, state]),
    );
  },
);

test(
  'a head that a member had reviewed is not reviewed again for results, if its author has no seat',
  long,
  async () => {
    const { send, runs, ask, shown } = await openPull({ author: outsider });
    await deliverAll();
    const { json } = await ask();
    await settleAll();
    const statuses = shown.statuses.length;
    await send();
    await settleAll();
    assert.deepEqual(
      (await runs()).map(({ status }: { status: string }) => status),
      ['skipped', 'succeeded'],
    );
    assert.equal((await runs()).at(-1).id, json.id);
    assert.deepEqual([shown.threads.length, shown.statuses.length], [0, statuses]);
  },
);
