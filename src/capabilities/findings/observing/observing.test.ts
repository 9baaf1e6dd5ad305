import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { runSchedule, until } from '../../../../test/hosts/connected-host.ts';
import type { ForgePull, ForgeUser } from '../../../../test/hosts/forge/forge-data.ts';
import { startReviewingApp } from '../../../../test/hosts/reviewing-app.ts';

const { app, host, forge, reviews, connectionId, addRepository, deliverAll } = await startReviewingApp();
const { instance } = (await app.operator('GET', `/operator/v1/connections/${connectionId}`)).json;
const owner = { provider: 'gitea', org_id: String(forge.acme.id), instance, owner: String(forge.ada.id) };
const key = await app.createKey({ kind: 'user', name: 'ada', ...owner });
const organizationKey = await app.createKey({ kind: 'organization', name: 'all', ...owner });
const acme = { provider: 'gitea', provider_organization_id: String(forge.acme.id), instance };
await app.platform({
  organizations: [
    { ...acme, members: [{ user_id: String(forge.ada.id), username: 'ada', role: 'cr_admin' }] },
  ],
});
beforeEach(() => app.resetLimits());
const long = { timeout: 600_000 };

/** Unsafe, because what `finally` returns hides errors. */
const unsafe = (name: string) => [
  `export function ${name}(value: string): string {`,
  '  const text = value.trim();',
  '  try {',
  '    return text;',
  '  } finally {',
  "    return '';",
  '  }',
  '}',
];
const code = (...lines: string[]) => lines.map((line) => `${line}\n`).join('');
const spacer = Array.from({ length: 12 }, (_, index) => `export const value${index} = ${index};`);

/** A pull request with one finding, reviewed. */
async function reviewedPull() {
  const git = await addRepository();
  await git.git('checkout', '--quiet', '-b', 'topic');
  await git.commit({ 'src/load.ts': code(...unsafe('load'), ...spacer) });
  const pull = await git.open(forge.ada, 'topic');
  await deliverAll();
  const [thread] = reviews.pull(pull.repository, pull.number).threads;
  assert.ok(thread !== undefined, 'the finding is posted');
  const push = async (content: string, path = 'src/load.ts') => {
    await git.commit({ [path]: content });
    await git.push(pull, 'topic');
    await deliverAll();
  };
  return { git, pull, thread, push };
}

/** The first finding of the first run, with its signals. */
async function outcomeOf(pull: ForgePull) {
  const { json, text } = await app.get(`/v1/reviews?repository_ids=${pull.repository.id}`, key);
  assert.ok(json.data, text);
  const first = json.data.filter((run: { pull_request: number }) => run.pull_request === pull.number).at(-1);
  const run = (await app.get(`/v1/reviews/${first.id}`, key)).json;
  const [finding] = run.findings;
  const { data } = (await app.get(`/v1/reviews/${run.id}/findings/${finding.finding_id}/signals`, key)).json;
  const names = data.map((one: { signal: string }) => one.signal);
  return { finding, signals: data, names, path: `/v1/reviews/${run.id}/findings/${finding.finding_id}` };
}

async function merge(pull: ForgePull) {
  host.state.end(pull, 'merged');
  await deliverAll();
}

/** What the metrics say about the findings of a pull request. */
async function metricsOf(pull: ForgePull) {
  const day = host.state.now.toISOString().slice(0, 10);
  const { json } = await app.get(
    `/v1/metrics/review-comments?start_date=2020-01-01&end_date=${day}&repository_ids=${pull.repository.id}`,
    organizationKey,
  );
  return json.data.flatMap((entry: { coderabbit_comments: object[] }) => entry.coderabbit_comments);
}

function reply(thread: { comments: unknown[] }, user: ForgeUser, body: string) {
  const id = `r${thread.comments.length}-${user.id}`;
  const author = { id: String(user.id), username: user.login, isBot: user.isBot };
  thread.comments.push({
    id,
    url: `${host.url}/comments/${id}`,
    author,
    body,
    createdAt: app.now,
    isOwn: false,
    reactions: null,
  });
}

test(
  'a finding that was fixed is accepted, with evidence of what changed, also in the metrics',
  long,
  async () => {
    const { pull, push } = await reviewedPull();
    assert.equal((await outcomeOf(pull)).finding.accepted, null);
    await push(code(...unsafe('load').filter((line) => !line.includes("''")), ...spacer));
    const { finding, signals, names } = await outcomeOf(pull);
    assert.equal(finding.accepted, true);
    assert.ok(names.includes('finding_gone') && names.includes('lines_changed'), String(names));
    const { evidence } = signals.find(({ signal }: { signal: string }) => signal === 'lines_changed');
    assert.equal(evidence.head, pull.commits.at(-1)!.sha);
    assert.deepEqual(evidence.changes[0].removed, ["    return '';"]);
    await merge(pull);
    const [comment] = await metricsOf(pull);
    assert.equal(comment.accepted, true);
  },
);

test(
  'a finding near which nothing changed is not accepted once it is merged, wherever its lines have moved',
  long,
  async () => {
    const { pull, push } = await reviewedPull();
    await push(code('// A header', '', ...unsafe('load'), ...spacer, 'export const last = 1;'));
    assert.equal((await outcomeOf(pull)).finding.accepted, null);
    await merge(pull);
    const { finding, names, signals } = await outcomeOf(pull);
    assert.equal(finding.accepted, false);
    assert.deepEqual(names, ['merged_untouched']);
    assert.deepEqual(signals[0].evidence.lines, [8, 8]);
    assert.equal((await metricsOf(pull))[0].accepted, false);
  },
);

test('a change after which the rule still finds fault does not count', long, async () => {
  const { pull, push } = await reviewedPull();
  const still = unsafe('load').map((line) => line.replace("''", "'nothing'"));
  await push(code(...still, ...spacer));
  await merge(pull);
  const { finding, names } = await outcomeOf(pull);
  assert.equal(finding.accepted, null);
  assert.ok(!names.includes('merged_untouched'), String(names));
});

test('"won\'t fix" by a member settles a finding: not accepted, and not raised again', long, async () => {
  const { pull, thread, push } = await reviewedPull();
  reply(thread, forge.ben, "Won't fix, this is by design.");
  host.state.comment(pull, forge.ben, 'see above');
  await deliverAll();
  const { finding, signals } = await outcomeOf(pull);
  assert.equal(finding.accepted, false);
  assert.equal(finding.state, 'dismissed');
  assert.deepEqual([signals[0].signal, signals[0].actor.name], ['reply_wont_fix', 'ben']);
  assert.equal(signals[0].evidence.url, `${host.url}/comments/r1-${forge.ben.id}`);
  await push(code(...unsafe('load'), ...spacer, 'export const last = 2;'));
  assert.equal(reviews.pull(pull.repository, pull.number).threads.length, 1);
  assert.equal((await outcomeOf(pull)).finding.state, 'dismissed');
});

test(
  'what people do is judged without asking Git again, while the commits stay as they are',
  long,
  async () => {
    const { pull, thread, push } = await reviewedPull();
    // Only of this repository: work of earlier tests may still ask about theirs.
    const gitRequests = () =>
      host.requests.filter(({ path }) => path.includes(`/${pull.repository.name}.git/`)).length;
    const say = async (text: string) => {
      host.state.comment(pull, forge.ben, text);
      await deliverAll();
    };
    await say('I will look at it.');
    const before = gitRequests();
    reply(thread, forge.ben, "Won't fix");
    await say('see above');
    assert.equal((await outcomeOf(pull)).finding.accepted, false);
    // One fetch is for the conversation, which reads the configuration in the base branch.
    assert.ok(gitRequests() <= before + 2, `${gitRequests() - before} requests`);
    await push(code(...unsafe('load').filter((line) => !line.includes("''")), ...spacer));
    assert.ok(gitRequests() > before + 2);
    assert.ok((await outcomeOf(pull)).names.includes('lines_changed'));
  },
);

test('judging and reporting that the queue has lost are done after all', long, async () => {
  const { pull, thread } = await reviewedPull();
  reply(thread, forge.ben, "Won't fix");
  const { sql } = app.database;
  const isOfPull = sql`repository_id = (SELECT id FROM repositories WHERE provider_repository_id = ${String(pull.repository.id)})`;
  const due = await sql`
    UPDATE reviewed_pull_requests SET evaluation_due_at = ${new Date(app.now.getTime() - 3_600_000)}
    WHERE ${isOfPull} RETURNING evaluation_due_at AS due`;
  assert.equal(due.length, 1);
  await runSchedule(app, 'requeue evaluate-findings');
  await until(async () => {
    const rows =
      await sql`SELECT 1 FROM reviewed_pull_requests WHERE evaluation_due_at IS NOT NULL AND ${isOfPull}`;
    return rows.length === 0;
  });
  assert.equal((await outcomeOf(pull)).finding.accepted, false);
  await merge(pull);
  assert.equal((await metricsOf(pull))[0].accepted, false);
  await sql`
    UPDATE finding_outcomes SET is_reported = false, changed_at = ${new Date(app.now.getTime() - 3_600_000)} WHERE ${isOfPull}`;
  await runSchedule(app, 'requeue report-outcomes');
  await until(async () => {
    const rows = await sql`SELECT 1 FROM finding_outcomes WHERE NOT is_reported AND ${isOfPull}`;
    return rows.length === 0;
  });
});

test('words of strangers and bots, and looking twice, change nothing', long, async () => {
  const { pull, thread } = await reviewedPull();
  // Only the membership marks this account as a bot.
  const helper = host.state.addUser('helper');
  forge.acme.members.add(helper.id);
  await app.platform({
    organizations: [{ ...acme, members: [{ user_id: String(helper.id), username: 'helper', bot: true }] }],
  });
  reply(thread, { ...forge.ben, id: 999_999, login: 'stranger' }, "Won't fix");
  reply(thread, forge.reviewer, 'Fixed');
  reply(thread, helper, "Won't fix");
  for (const text of ['one', 'two']) {
    host.state.comment(pull, forge.ben, text);
    await deliverAll();
  }
  const { finding, signals } = await outcomeOf(pull);
  assert.equal(finding.accepted, null);
  assert.deepEqual(
    signals
      .filter(({ signal }: { signal: string }) => signal === 'reply_wont_fix')
      .map(({ actor }: { actor: object }) => actor),
    [{ id: String(helper.id), name: 'helper', is_bot: true }],
  );
});

test("a person's word wins over what was seen, and the metrics follow", long, async () => {
  const { pull } = await reviewedPull();
  await merge(pull);
  const { finding, path } = await outcomeOf(pull);
  assert.equal(finding.accepted, false);
  const answer = await app.call('PATCH', path, { key, body: { accepted: true } });
  assert.equal(answer.json.accepted, true);
  await deliverAll();
  assert.equal((await metricsOf(pull))[0].accepted, true);
  host.state.comment(pull, forge.ben, 'late');
  await deliverAll();
  assert.equal((await outcomeOf(pull)).finding.accepted, true, 'still');
  await app.call('PATCH', path, { key, body: { accepted: null } });
  await deliverAll();
  assert.equal((await metricsOf(pull))[0].accepted, false);
});

test('who resolves a thread is kept, and so is that it was opened again', long, async () => {
  const { pull, thread } = await reviewedPull();
  const ben = { id: String(forge.ben.id), username: 'ben' };
  const seen = async () => {
    host.state.comment(pull, forge.ben, 'look');
    await deliverAll();
    return outcomeOf(pull);
  };
  Object.assign(thread, { isResolved: true, resolvedBy: ben });
  assert.deepEqual((await seen()).names, ['thread_resolved']);
  Object.assign(thread, { isResolved: false, resolvedBy: undefined });
  const { names, finding } = await seen();
  assert.deepEqual(names.toSorted(), ['thread_reopened', 'thread_resolved']);
  assert.equal(finding.accepted, null);
});

test(
  'after a force-push that hides the reviewed commit, the lines are found by their text',
  long,
  async () => {
    const { git, pull } = await reviewedPull();
    await git.git('checkout', '--quiet', 'main');
    await git.git('checkout', '--quiet', '-b', 'other');
    await git.commit({ 'src/load.ts': code('// Rewritten', ...unsafe('load'), ...spacer) });
    await git.push(pull, 'other');
    await deliverAll();
    await merge(pull);
    assert.equal((await outcomeOf(pull)).finding.accepted, false);
  },
);

test('comments of reviewers that the organization lists are judged by the same rules', long, async () => {
  const settings = await app.call('PUT', '/v1/settings/reviews', {
    key,
    body: { other_reviewers: ['lint-bot'] },
  });
  assert.equal(settings.status, 200, settings.text);
  const { pull, push } = await reviewedPull();
  const author = { id: String(forge.reviewer.id), username: 'lint-bot', isBot: true };
  reviews.pull(pull.repository, pull.number).threads.push({
    id: 'other-1',
    path: 'src/load.ts',
    side: 'new',
    line: 2,
    headSha: pull.commits.at(-1)!.sha,
    isResolved: false,
    comments: [
      {
        id: '4711',
        url: `${host.url}/comments/4711`,
        author,
        body: '_⚠️ Potential issue_ | _🟠 Major_\n\n**Trim later**\n\n```suggestion\n  const text = value.trimEnd();\n```',
        createdAt: app.now,
        isOwn: false,
        reactions: null,
      },
    ],
  });
  host.state.comment(pull, forge.ben, 'look');
  await deliverAll();
  await push(code(...unsafe('load').with(1, '  const text = value.trimEnd();'), ...spacer));
  const rows = await app.database.sql`
    SELECT f.reviewer, f.severity, f.title, o.accepted, o.signal, o.chance
    FROM followed_findings f JOIN finding_outcomes o USING (organization_id, repository_id, finding_id)
    WHERE f.finding_id = 'gitea:4711'`;
  assert.deepEqual(
    rows.map(({ chance, ...row }) => ({ ...row, hasChance: chance !== null })),
    [
      {
        reviewer: 'lint-bot',
        severity: 'major',
        title: 'Trim later',
        accepted: true,
        signal: 'suggestion_landed',
        hasChance: true,
      },
    ],
  );
  await merge(pull);
  const comments = await metricsOf(pull);
  const other = comments.find(({ url }: { url: string }) => url === `${host.url}/comments/4711`);
  assert.deepEqual([other.severity, other.accepted], ['major', true]);
  assert.equal(comments.length, 2, 'ours and theirs, each once');
});

test(
  "another reviewer's outdated thread is followed by all its lines, from the version it was begun on",
  long,
  async () => {
    await app.call('PUT', '/v1/settings/reviews', { key, body: { other_reviewers: ['lint-bot'] } });
    const { pull, push } = await reviewedPull();
    const revision = pull.commits.at(-1)!.sha;
    const root = {
      id: '4712',
      url: `${host.url}/comments/4712`,
      author: { id: String(forge.reviewer.id), username: 'lint-bot', isBot: true },
      body: 'I suggest changing\n```\n  const text = value.trim();\n```\nto\n```\n  const text = value.trimStart();\n```',
      createdAt: app.now,
      isOwn: false,
      reactions: null,
    };
    await push(
      code('// A header', ...unsafe('load').with(1, '  const text = value.trimStart();'), ...spacer),
    );
    reviews.pull(pull.repository, pull.number).threads.push({
      id: 'other-2',
      path: 'src/load.ts',
      side: 'new',
      line: null,
      begun: { revision, startLine: 1, line: 2 },
      headSha: revision,
      isResolved: false,
      comments: [root],
    });
    host.state.comment(pull, forge.ben, 'look');
    await deliverAll();
    const { json } = await app.get('/v1/reviews/findings?reviewer=lint-bot', key);
    const found = json.data.find((one: { finding_id: string }) => one.finding_id === 'gitea:4712');
    assert.deepEqual(
      [found?.start_line, found?.end_line, found?.accepted],
      [1, 2, true],
      JSON.stringify(json),
    );
    assert.ok(found.signals.includes('suggestion_landed'));
  },
);
