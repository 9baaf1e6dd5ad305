import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { connect, connectionsPath, runSchedule, settled, until } from '../../../test/hosts/connected-host.ts';
import { GiteaDouble } from '../../../test/hosts/gitea/gitea-double.ts';
import { startTalkingApp } from '../../../test/hosts/talking-app.ts';

const host = Object.assign(new GiteaDouble(), { hasResolve: true, hasReplies: true });
const { app, double, forge, key, connectionId, bring, answersOn, openPull, say, reply, runsOf } =
  await startTalkingApp(host, 'gitea');
const { sql } = app.database;
const acme = { provider: 'gitea', provider_organization_id: String(forge.acme.id), instance: 'the-host' };
await app.platform({
  organizations: [
    { ...acme, members: [{ user_id: String(forge.ada.id), username: 'ada', role: 'cr_admin' }] },
  ],
});
beforeEach(() => app.resetLimits());
const long = { timeout: 600_000 };

/** The actors of the audit entries with this action. */
const auditOf = async (action: string) =>
  (await sql`SELECT actor_name FROM audit_entries WHERE action = ${action}`).map((row) => row.actor_name);

test(
  'a review that a member asks for is acknowledged once and done, however often the delivery comes',
  long,
  async () => {
    const { pull } = await openPull();
    assert.deepEqual(await runsOf(pull), []);
    const answers = await say(pull, forge.ben, '@Postil-Bot Review please', 3);
    assert.equal(answers.length, 1);
    assert.match(answers[0]!, /^I am reviewing `[0-9a-f]{10}`\.$/);
    const [run, ...others] = await runsOf(pull);
    assert.deepEqual(
      [run.trigger, run.mode, run.status, others.length],
      ['comment', 'incremental', 'succeeded', 0],
    );
    assert.equal(double.state.threads(pull).length, 1);

    // The comment is edited, read again by a sweep and delivered late, but carried out once.
    pull.comments[0]!.body = '@postil-bot full review';
    await app.operator('POST', `${connectionsPath}/${connectionId}/sync`);
    app.now = new Date(app.now.getTime() + 16 * 60_000);
    await runSchedule(app, 'start-due-readings');
    await settled(app);
    assert.equal(answersOn(pull).length, 1);
    assert.equal((await runsOf(pull)).length, 1);

    await say(pull, forge.ben, '@postil-bot full review');
    assert.equal((await runsOf(pull))[0].mode, 'full');
  },
);

test('a command whose answer stands at the host is not carried out again', long, async () => {
  const { pull } = await openPull();
  // The state after restoring a backup from before the command.
  const command = double.state.comment(pull, forge.ben, '@postil-bot review');
  double.state.comment(
    pull,
    forge.account,
    `<!-- postil:answer to=conversation/${command.id} -->\n\nI am reviewing.`,
  );
  await bring();
  assert.deepEqual([answersOn(pull), await runsOf(pull)], [['I am reviewing.'], []]);

  const { id } = double.state.comment(pull, forge.ben, '@postil-bot help');
  double.state.comment(pull, forge.ada, `<!-- postil:answer to=conversation/${id} -->\n\nNo.`);
  await bring();
  assert.equal(answersOn(pull).length, 2, 'only the own account answers for us');
});

test('an answer whose arrival the host never confirmed is not posted again', long, async () => {
  const { pull } = await openPull();
  let lost = 0;
  double.loses = ({ method, path }) => {
    if (method !== 'POST' || !path.endsWith(`/issues/${pull.number}/comments`) || lost > 0) return false;
    lost += 1;
    return true;
  };
  const answers = await say(pull, forge.ben, '@postil-bot help');
  double.loses = () => false;
  assert.equal(lost, 1);
  assert.equal(answers.length, 1, answers.join('\n---\n'));
  await until(async () => {
    const rows = await sql`SELECT 1 FROM addressed_comments WHERE state = 'pending'`;
    return rows.length === 0;
  });
});

test(
  'paused reviews are skipped with a reason, shown in the summary, and resumed with what is new',
  long,
  async () => {
    const { git, pull } = await openPull({ isAutomatic: true });
    const summary = () => pull.comments.find(({ body }) => body.startsWith('<!-- postil:summary'))!.body;
    assert.doesNotMatch(summary(), /are paused/);
    assert.match((await say(pull, forge.ben, '@postil-bot pause'))[0]!, /are paused/);
    assert.match(summary(), /are paused/);
    assert.match((await say(pull, forge.ada, '@postil-bot pause'))[0]!, /already/);
    await git.commit({ 'src/more.ts': 'export const more = 1;\n' });
    await git.push(pull, 'topic');
    await bring();
    const [skipped] = await runsOf(pull);
    assert.deepEqual([skipped.status, skipped.reason, skipped.trigger], ['skipped', 'PAUSED', 'push']);
    const head = pull.commits.at(-1)!.sha;
    assert.equal(git.repository.statuses.findLast(({ sha }) => sha === head)?.state, 'warning');
    assert.match((await say(pull, forge.ben, '@postil-bot resume'))[0]!, /on again\. I am reviewing/);
    const [resumed] = await runsOf(pull);
    assert.deepEqual(
      [resumed.status, resumed.trigger, resumed.head_revision],
      ['succeeded', 'comment', head],
    );
    assert.doesNotMatch(summary(), /are paused/);
    assert.match((await say(pull, forge.ben, '@postil-bot resume'))[0]!, /not paused/);
    for (const action of ['pull_request.reviews_paused', 'pull_request.reviews_resumed'])
      assert.deepEqual(await auditOf(action), ['ben'], action);
  },
);

test('resolve and ignore concern own threads only', long, async () => {
  const { pull } = await openPull({ isAutomatic: true });
  double.state.review(pull, forge.ben, {
    comments: ['Why?'],
    place: { path: 'src/load.ts', side: 'new', startLine: 1, line: 1 },
  });
  await bring();
  const threads = double.state.threads(pull);
  const own = threads.find(([root]) => root!.user.login === 'postil-bot')![0]!;
  const foreign = threads.find(([root]) => root!.user.login === 'ben')![0]!;
  assert.match((await reply(pull, forge.ben, foreign, '@postil-bot resolve'))[0]!, /Somebody else started/);
  assert.match((await reply(pull, forge.ben, foreign, '@postil-bot ignore'))[0]!, /Somebody else started/);
  assert.match((await reply(pull, forge.ben, own, '@postil-bot ignore'))[0]!, /dismissed/);
  const [run] = await runsOf(pull);
  const { findings } = (await app.get(`/v1/reviews/${run.id}`, key)).json;
  assert.deepEqual([findings[0].state, findings[0].accepted], ['dismissed', false]);
  assert.match(
    (await say(pull, forge.ben, '@postil-bot resolve'))[0]!,
    /threads that I started are resolved/,
  );
  assert.deepEqual([own.resolver?.login, foreign.resolver], ['postil-bot', null]);
  assert.deepEqual(await auditOf('review_finding.judged'), ['ben']);
});

test(
  'what a member says to remember, or against a finding, becomes a Learning once, under the approval delay',
  long,
  async () => {
    const base = {
      '.postil.yaml':
        'reviews:\n  auto_review:\n    enabled: true\nknowledge_base:\n  learnings:\n    approval_delay: 3\n',
    };
    const { pull } = await openPull({ base });
    const learnings = () =>
      sql`SELECT learning AS text, approval, origin, author_id FROM learnings l
      JOIN repositories r ON r.organization_id = l.organization_id AND r.id = l.repository_id
      WHERE r.provider_repository_id = ${String(pull.repository.id)} ORDER BY learning DESC`;
    assert.match(
      (await say(pull, forge.ben, '@postil-bot remember that we log with `pino`'))[0]!,
      /as a Learning/,
    );
    assert.match((await say(pull, forge.ben, '@postil-bot remember'))[0]!, /what to remember/);
    const [root] = double.state.threads(pull)[0]!;
    const first = await reply(pull, forge.ben, root!, "Won't fix, the caller logs it.");
    assert.match(first[0]!, /will not raise this again .* proposed it as a Learning/);
    assert.deepEqual(
      await reply(pull, forge.ada, root!, 'Agreed, by design.'),
      [],
      'never twice for one finding',
    );
    const rows = await learnings();
    assert.deepEqual(
      rows.map(({ text, approval, origin, author_id }) => [text, approval, origin, author_id]),
      [
        ['we log with `pino`', 'pending', 'chat', String(forge.ben.id)],
        [rows[1]!.text, 'pending', 'chat', String(forge.ben.id)],
      ],
    );
    assert.match(
      rows[1]!.text,
      /^Findings like ".+" \(oxlint\/no-unsafe-finally\) .* Won't fix, the caller logs it\.$/,
    );
  },
);

test('strangers get one line on a pull request, bots and our own words none', long, async () => {
  const { pull } = await openPull();
  const stranger = double.state.addUser('mallory');
  // Only the membership marks this account as a bot.
  const helper = double.state.addUser('helper');
  forge.acme.members.add(helper.id);
  await app.platform({
    organizations: [{ ...acme, members: [{ user_id: String(helper.id), username: 'helper', bot: true }] }],
  });
  for (const [user, body] of [
    [stranger, '@postil-bot full review'],
    [stranger, '@postil-bot remember that all is well'],
    [double.state.addUser('eve'), '@postil-bot pause'],
    [forge.reviewer, '@postil-bot review'],
    [helper, '@postil-bot review'],
    [forge.account, '@postil-bot review'],
    [forge.ben, 'As @postil-bot said, fine.'],
    [forge.ben, '`@postil-bot review` and\n> @postil-bot review'],
    [forge.ben, '@postil-bot make coffee'],
    [forge.ben, '@postil-bot make tea'],
  ] as const)
    double.state.comment(pull, user, body);
  await bring();
  assert.deepEqual(answersOn(pull), [
    'Only members of this organization can talk to me.',
    'I do not know that command, and I cannot answer questions because no model is set up here. Mention me and say `help` to see what I can do.',
  ]);
  assert.deepEqual(await runsOf(pull), []);
});

test('tagging gives a seat in automatic mode; without one, no review is started', long, async () => {
  const cleo = double.state.addUser('cleo');
  forge.acme.members.add(cleo.id);
  const { pull } = await openPull();
  const seats = async () =>
    (await sql`SELECT seat FROM members WHERE provider_user_id = ${String(cleo.id)}`)[0]!.seat;
  assert.equal(await seats(), false);
  await sql`UPDATE organizations SET seat_assignment_mode = 'manual' WHERE provider_organization_id = ${String(forge.acme.id)}`;
  assert.match((await say(pull, cleo, '@postil-bot review'))[0]!, /no seat/);
  assert.deepEqual([await seats(), await runsOf(pull)], [false, []]);
  await sql`UPDATE organizations SET seat_assignment_mode = 'automatic' WHERE provider_organization_id = ${String(forge.acme.id)}`;
  assert.match((await say(pull, cleo, '@postil-bot review'))[0]!, /I am reviewing/);
  assert.equal(await seats(), true);
  assert.equal((await runsOf(pull)).length, 1);
});

test('a program that answers every answer soon finds nobody who talks to it', long, async () => {
  const { pull } = await openPull();
  // An account that is not marked as a bot.
  for (let round = 0; round < 12; round += 1) double.state.comment(pull, forge.ben, '@postil-bot help');
  await bring();
  assert.equal(answersOn(pull).length, 10);
  assert.match(answersOn(pull).at(-1)!, /last answer here for an hour/);
  app.now = new Date(app.now.getTime() + 61 * 60_000);
  assert.equal((await say(pull, forge.ben, '@postil-bot help')).length, 1);
});

test(
  'accounts of the same installation, and other installations, do not talk to each other',
  long,
  async () => {
    // Nothing marks this account as a bot.
    const second = double.state.addUser('second-reviewer');
    forge.acme.members.add(second.id);
    double.tokens.set('token-of-the-second', second);
    const { pull } = await openPull();
    const other = await connect(app, {
      provider: 'gitea',
      url: double.url,
      instance: 'the-host',
      credentials: { token: 'token-of-the-second' },
      organizations: ['acme'],
    });
    await settled(app);
    assert.deepEqual(await say(pull, second, '@postil-bot help'), []);
    await app.operator('DELETE', `${connectionsPath}/${other.id}`);
    const foreign = '<!-- postil:answer to=conversation/1 -->\n\n@postil-bot help';
    assert.deepEqual(await say(pull, forge.ben, foreign), []);
    const [answer] = await say(pull, forge.ben, '@postil-bot help');
    assert.doesNotMatch(answer!, /@/, 'an answer calls nobody');
  },
);

test(
  'where reviews are off, nothing is answered; work that the queue has lost is done after all',
  long,
  async () => {
    const { pull } = await openPull();
    await app.operator('PATCH', `${connectionsPath}/${connectionId}`, { review: 'off' });
    assert.deepEqual(await say(pull, forge.ben, '@postil-bot help'), []);
    await app.operator('PATCH', `${connectionsPath}/${connectionId}`, { review: 'on' });
    await sql`UPDATE reviewed_pull_requests SET answers_due_at = ${new Date(app.now.getTime() - 3_600_000)}
    WHERE repository_id = (SELECT id FROM repositories WHERE provider_repository_id = ${String(pull.repository.id)})`;
    await runSchedule(app, 'requeue answer-comments');
    await until(() => answersOn(pull).length === 1);
  },
);
