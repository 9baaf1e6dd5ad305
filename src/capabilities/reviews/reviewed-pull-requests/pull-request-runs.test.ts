import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { connect, deliver, runSchedule, until } from '../../../../test/hosts/connected-host.ts';
import { hostToken } from '../../../../test/hosts/forge/sample-forge.ts';
import type { Delivery } from '../../../../test/hosts/host-double.ts';
import { startReviewingApp } from '../../../../test/hosts/reviewing-app.ts';

const { app, host, forge, reviews, connectionId, addRepository, deliverAll, settleAll, adaKey } =
  await startReviewingApp();
const key = await adaKey();
beforeEach(() => app.resetLimits());

const long = { timeout: 600_000 };
/** Unsafe, because what `finally` returns hides errors. */
const unsafe = (name: string) =>
  `export function ${name}(value: string): string {\n  try {\n    return value.trim();\n  } finally {\n    return '';\n  }\n}\n`;

async function runsOf(pull: { repository: { id: number }; number: number }) {
  const { json } = await app.get(`/v1/reviews?repository_ids=${pull.repository.id}&limit=1000`, key);
  return json.data.filter((run: { pull_request: number }) => run.pull_request === pull.number);
}
const detailsOf = async (id: string) => (await app.get(`/v1/reviews/${id}`, key)).json;
const shownOn = (pull: { repository: { id: number }; number: number }) =>
  reviews.pull(pull.repository, pull.number);

/** A repository with a pull request that adds an unsafe function. */
async function newPull(
  options: Parameters<Awaited<ReturnType<typeof addRepository>>['open']>[2] = {},
  files = {},
) {
  const git = await addRepository(files);
  await git.git('checkout', '--quiet', '-b', 'topic');
  await git.commit({ 'src/load.ts': unsafe('load') });
  const pull = await git.open(forge.ada, 'topic', options);
  return { git, pull };
}

test('a pull request that is opened is reviewed: comment, summary, status, coverage', long, async () => {
  const { pull } = await newPull();
  await deliverAll();
  const [run, ...others] = await runsOf(pull);
  assert.equal(others.length, 0);
  assert.deepEqual(
    [run.status, run.trigger, run.mode, run.reason],
    ['succeeded', 'opened', 'incremental', null],
  );
  assert.equal(run.pr_url, `${host.url}/acme/${pull.repository.name}/pulls/${pull.number}`);
  assert.deepEqual([run.base_revision, run.head_revision], [pull.base.sha, pull.commits.at(-1)!.sha]);
  const { findings, coverage } = await detailsOf(run.id);
  assert.deepEqual(coverage, [{ path: 'src/load.ts', state: 'full', reason: null }]);
  assert.equal(findings.length, 1);
  const { threads, conversation, statuses } = shownOn(pull);
  assert.deepEqual(
    threads.map(({ path, line }) => [path, line]),
    [['src/load.ts', findings[0].end_line]],
  );
  assert.equal(findings[0].url, threads[0]!.comments[0]!.url);
  assert.equal(findings[0].state, 'open');
  assert.equal(conversation.length, 1);
  assert.deepEqual(
    statuses.map(({ sha, state }) => [sha, state]),
    [
      [run.head_revision, 'pending'],
      [run.head_revision, 'warning'],
    ],
  );
  for (const { url } of statuses)
    assert.match(url!, new RegExp(`^http://postil\\.test/organizations/[0-9a-f-]+/reviews/${run.id}$`));
});

test('a finding that is posted is announced, before the end of its review', long, async () => {
  const { sql } = app.database;
  const secret = crypto.randomUUID();
  await sql`INSERT INTO sealed_secrets (id, purpose, key_id, sealed) VALUES (${secret}, 'webhook secret', 'none', '')`;
  await sql`
    INSERT INTO webhooks (organization_id, id, url, types, active, secret_id, created_at)
    SELECT id, ${crypto.randomUUID()}, 'https://198.51.99.1/', ARRAY['postil.finding.posted', 'postil.review.finished'], true,
      ${secret}, now() FROM organizations WHERE provider_organization_id = ${String(forge.acme.id)}`;
  const { pull } = await newPull();
  await deliverAll();
  const announced = await sql`SELECT type, subject, data FROM webhook_deliveries ORDER BY position`;
  assert.deepEqual(
    announced.map(({ type }) => type),
    ['postil.finding.posted', 'postil.review.finished'],
  );
  const [first] = await runsOf(pull);
  const { findings } = await detailsOf(first.id);
  assert.deepEqual(announced[0]!.data, {
    repository_id: String(pull.repository.id),
    pull_request: pull.number,
    review_id: first.id,
    ...findings[0],
  });
  assert.equal(announced[0]!.subject, `findings/pull/${pull.number}/${findings[0].finding_id}`);
  await sql`DELETE FROM webhooks WHERE secret_id = ${secret}`;
});

test(
  'an organization that several connections serve is reviewed once for each head, whichever reads it first',
  long,
  async () => {
    const others = [];
    for (const review of ['off', 'on'])
      others.push(
        await connect(app, {
          provider: 'gitea',
          url: host.url,
          credentials: { token: hostToken },
          organizations: ['acme'],
          review,
        }),
      );
    const { git, pull } = await newPull();
    for (const { id } of others) await app.operator('POST', `/operator/v1/connections/${id}/sync`);
    await settleAll();
    const deliverTo = async (id: string | undefined, deliveries: Delivery[]) => {
      for (const delivery of deliveries.filter(({ url }) => id === undefined || url.endsWith(id)))
        assert.equal((await deliver(app, delivery)).status, 202);
      await settleAll();
    };
    for (const heads of [1, 2]) {
      const deliveries = host.takeDeliveries();
      for (const { id } of others) assert.ok(deliveries.some(({ url }) => url.endsWith(id)));
      await deliverTo(others[0].id, deliveries);
      assert.equal(
        (await runsOf(pull)).length,
        heads,
        'what is read by one that does not review is reviewed',
      );
      await deliverTo(undefined, deliveries);
      assert.equal((await runsOf(pull)).length, heads);
      if (heads === 2) break;
      await git.commit({ 'src/other.ts': 'export const other = 1;\n' });
      await git.push(pull, 'topic');
    }
    assert.equal(shownOn(pull).threads.length, 1);
    assert.equal(shownOn(pull).conversation.length, 1);
    host.takeDeliveries();
    for (const { id } of others)
      assert.equal((await app.operator('DELETE', `/operator/v1/connections/${id}`)).status, 204);
    await settleAll();
  },
);

test('doubled, late and repeated deliveries and sweeps start one run for each head', long, async () => {
  const { git, pull } = await newPull();
  const opened = host.takeDeliveries();
  for (const delivery of [...opened, ...opened]) await deliver(app, delivery);
  await settleAll();
  await git.commit({ 'src/other.ts': 'export const other = 1;\n' });
  await git.push(pull, 'topic');
  const pushed = host.takeDeliveries();
  for (const delivery of [...pushed, ...opened])
    await deliver(app, {
      ...delivery,
      headers: { ...delivery.headers, 'x-gitea-delivery': crypto.randomUUID() },
    });
  await settleAll();
  app.now = new Date(app.now.getTime() + 20 * 60_000);
  await runSchedule(app, 'start-due-readings');
  await settleAll();
  const runs = await runsOf(pull);
  assert.deepEqual(
    runs.map(({ trigger, status }: { trigger: string; status: string }) => [trigger, status]),
    [
      ['push', 'succeeded'],
      ['opened', 'succeeded'],
    ],
  );
  assert.equal(shownOn(pull).threads.length, 1);
});

test('drafts, bots and closed pull requests start no run; a draft that is ready does', long, async () => {
  const { git, pull } = await newPull({ isDraft: true });
  await deliverAll();
  assert.deepEqual(await runsOf(pull), []);
  const ofBot = await git.open(forge.reviewer, 'topic');
  const ofAccount = await git.open(forge.account, 'topic');
  await deliverAll();
  assert.deepEqual([await runsOf(ofBot), await runsOf(ofAccount)], [[], []]);
  host.state.markReady(pull);
  await deliverAll();
  assert.deepEqual(
    (await runsOf(pull)).map(({ trigger }: { trigger: string }) => trigger),
    ['ready'],
  );
  host.state.end(pull, 'closed');
  await deliverAll();
  await git.commit({ 'src/more.ts': 'export const more = 1;\n' });
  await git.push(pull, 'topic');
  await deliverAll();
  assert.equal((await runsOf(pull)).length, 1);
  host.state.reopen(pull);
  await deliverAll();
  assert.deepEqual(
    (await runsOf(pull)).map(({ trigger }: { trigger: string }) => trigger),
    ['reopened', 'ready'],
  );
});

test(
  'a rebase takes over the verdict, a fix resolves the thread, and neither posts anything twice',
  long,
  async () => {
    const { git, pull } = await newPull();
    await deliverAll();
    const { threads, statuses, conversation } = shownOn(pull);
    const shownFirst = statuses.at(-1)!.state;
    const [opened] = await runsOf(pull);
    const [{ finding_id: id }] = (await detailsOf(opened.id)).findings;
    await git.git('checkout', '--quiet', 'main');
    await git.commit({ 'docs/main.md': 'Main moves on.\n' });
    await git.upload('main', 'refs/heads/main');
    await git.git('checkout', '--quiet', 'topic');
    await git.git('rebase', '--quiet', 'main');
    await git.push(pull, 'topic');
    await deliverAll();
    const [rebased] = await runsOf(pull);
    assert.deepEqual([rebased.trigger, rebased.status, rebased.usage.calls], ['push', 'succeeded', 0]);
    const taken = await detailsOf(rebased.id);
    assert.deepEqual(
      taken.findings.map(({ finding_id, state }: { finding_id: string; state: string }) => [
        finding_id,
        state,
      ]),
      [[id, 'open']],
    );
    assert.deepEqual(taken.coverage, [{ path: 'src/load.ts', state: 'full', reason: null }]);
    assert.equal(threads.length, 1);
    assert.deepEqual([statuses.at(-1)!.sha, statuses.at(-1)!.state], [rebased.head_revision, shownFirst]);
    await git.git('mv', 'src/load.ts', 'src/renamed.ts');
    await git.commit();
    await git.push(pull, 'topic');
    await deliverAll();
    assert.equal(threads.length, 1, 'a renamed file is known');
    const [renamed] = await runsOf(pull);
    assert.equal((await detailsOf(renamed.id)).findings[0].finding_id, id);
    await git.commit({ 'src/renamed.ts': 'export const fixed = 1;\n' });
    await git.push(pull, 'topic');
    await deliverAll();
    assert.deepEqual([threads.length, threads[0]!.isResolved, threads[0]!.comments.length], [1, true, 2]);
    assert.deepEqual((await detailsOf((await runsOf(pull))[0].id)).findings, []);
    assert.equal((await detailsOf(opened.id)).findings[0].state, 'resolved', 'older runs show it, too');
    assert.equal(conversation.length, 1);
    assert.equal(statuses.at(-1)!.state, 'success');
  },
);

test('what was posted is in the metrics after the merge', long, async () => {
  const { pull } = await newPull();
  await deliverAll();
  host.state.end(pull, 'merged');
  await deliverAll();
  const { json } = await app.get(
    `/v1/metrics/reviews?start_date=2026-06-01&end_date=2026-06-30&limit=1000`,
    await app.createKey({
      kind: 'organization',
      name: 'metrics',
      provider: 'gitea',
      org_id: String(forge.acme.id),
      instance: (await app.operator('GET', `/operator/v1/connections/${connectionId}`)).json.instance,
      owner: String(forge.account.id),
    }),
  );
  const url = `${host.url}/acme/${pull.repository.name}/pulls/${pull.number}`;
  const entry = json.data.find((one: { pr_url: string }) => one.pr_url === url);
  assert.ok(entry, JSON.stringify(json).slice(0, 500));
  assert.ok(entry.estimated_complexity >= 1, JSON.stringify(entry));
  const [row] = await app.database.sql`
    SELECT count(*)::int AS count FROM review_findings f JOIN repositories r ON r.id = f.repository_id
    WHERE r.provider_repository_id = ${String(pull.repository.id)} AND f.url IS NOT NULL`;
  assert.equal(row!.count, 1);
});

test('the configuration of the base branch and seats decide', long, async () => {
  const off = await newPull({}, { '.postil.yaml': 'reviews:\n  auto_review:\n    enabled: false\n' });
  const labelled = await newPull(
    { labels: ['wip'] },
    { '.postil.yaml': 'reviews:\n  auto_review:\n    labels: ["!wip"]\n' },
  );
  const outsider = host.state.addUser('outsider');
  const foreign = await addRepository();
  await foreign.git('checkout', '--quiet', '-b', 'topic');
  await foreign.commit({ 'src/load.ts': unsafe('load') });
  const ofOutsider = await foreign.open(outsider, 'topic');
  await deliverAll();
  assert.deepEqual([await runsOf(off.pull), await runsOf(labelled.pull)], [[], []]);
  const [run] = await runsOf(ofOutsider);
  assert.deepEqual([run.status, run.reason, run.trigger], ['skipped', 'NO_SEAT', 'opened']);
  const { threads, statuses } = shownOn(ofOutsider);
  assert.deepEqual([threads.length, statuses.at(-1)!.state], [0, 'neutral']);

  const asked = await app.call('POST', '/v1/reviews', {
    key,
    body: { repository_id: String(off.pull.repository.id), pull_request: off.pull.number },
  });
  assert.equal(asked.status, 202, asked.text);
  await settleAll();
  const answered = await detailsOf(asked.json.id);
  assert.deepEqual([answered.status, answered.trigger, answered.findings.length], ['succeeded', 'api', 1]);
  for (const [repository_id, pull_request, status] of [
    [String(off.pull.repository.id), 99, 404],
    ['77777777', 1, 404],
  ] as const) {
    const refused = await app.call('POST', '/v1/reviews', { key, body: { repository_id, pull_request } });
    assert.equal(refused.status, status, refused.text);
  }
  await app.operator('PATCH', `/operator/v1/connections/${connectionId}`, { review: 'off' });
  const refused = await app.call('POST', '/v1/reviews', {
    key,
    body: { repository_id: String(off.pull.repository.id), pull_request: off.pull.number },
  });
  assert.deepEqual([refused.status, refused.json.error.code], [400, 'INVALID_REQUEST']);
  await app.operator('PATCH', `/operator/v1/connections/${connectionId}`, { review: 'on' });
});

test(
  'a run that is asked for while the connection is paused starts as soon as it is resumed',
  long,
  async () => {
    const { pull } = await newPull();
    await deliverAll();
    const connection = `/operator/v1/connections/${connectionId}`;
    await app.operator('PATCH', connection, { status: 'paused' });
    const asked = await app.call('POST', '/v1/reviews', {
      key,
      body: { repository_id: String(pull.repository.id), pull_request: pull.number, mode: 'full' },
    });
    assert.equal(asked.status, 202, asked.text);
    const { sql } = app.database;
    const putOff = () => sql`
    SELECT 1 FROM work.job
    WHERE data ->> 'runId' = ${asked.json.id} AND state IN ('created', 'retry') AND start_after > now()`;
    await until(async () => (await putOff()).length > 0);
    await app.operator('PATCH', connection, { status: 'ready' });
    assert.equal((await putOff()).length, 0);
    await settleAll();
    assert.equal((await detailsOf(asked.json.id)).status, 'succeeded');
  },
);
