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
import { checkTeams } from '../../../../test/hosts/contracts/team-contract.ts';
import { fillForge, hostToken } from '../../../../test/hosts/forge/sample-forge.ts';
import { GiteaDouble } from '../../../../test/hosts/gitea/gitea-double.ts';

const app = await startTestApp();
const gitea = await startDouble(new GiteaDouble());
const forge = fillForge(gitea);
await app.queue.startWorkers();
const { id } = await connect(app, {
  provider: 'gitea',
  url: gitea.url,
  credentials: { token: hostToken },
  organizations: ['acme'],
});
await settled(app);
const { sql } = app.database;

const later = (seconds: number) => {
  app.now = new Date(app.now.getTime() + seconds * 1000);
};
const sync = async () => {
  later(1);
  assert.equal((await app.operator('POST', `${connectionsPath}/${id}/sync`)).status, 202);
  await settled(app);
};
const members = async () =>
  Object.fromEntries(
    (
      await sql`
        SELECT m.username, p.email, m.role, m.bot, m.active FROM members m LEFT JOIN people p ON p.id = m.person_id
        JOIN organizations o ON o.id = m.organization_id WHERE o.name = 'acme'`
    ).map(({ username, email, role, bot, active }) => [username, { email, role, bot, active }]),
  );
const repositories = async () =>
  Object.fromEntries(
    (
      await sql`
        SELECT r.name, r.active, r.private FROM repositories r
        JOIN organizations o ON o.id = r.organization_id WHERE o.name = 'acme'`
    ).map((row) => [row.name, { active: row.active, private: row.private }]),
  );
const pulls = async () =>
  (
    await sql`
      SELECT r.name || '#' || p.number AS pull, p.state FROM pull_requests p
      JOIN repositories r ON r.organization_id = p.organization_id AND r.id = p.repository_id ORDER BY 1`
  ).map(({ pull, state }) => `${pull} ${state}`);

test('a new connection is synced immediately: people with email addresses and roles, bots, private and archived repositories', async () => {
  const { ada, 'postil-bot': account, 'lint-bot': bot } = await members();
  assert.deepEqual([ada!.email, ada!.bot, ada!.active], ['ada@people.test', false, true]);
  assert.equal(bot!.bot, true);
  assert.notEqual(account!.role, ada!.role, 'owners of the host administer');
  assert.deepEqual(await repositories(), {
    app: { active: true, private: false },
    vault: { active: true, private: true },
    attic: { active: false, private: false },
  });
  const readers = await sql`
    SELECT m.username FROM repository_readers x
    JOIN repositories r ON r.organization_id = x.organization_id AND r.id = x.repository_id
    JOIN members m ON m.organization_id = x.organization_id AND m.provider_user_id = x.provider_user_id
    WHERE r.name = 'vault' ORDER BY 1`;
  assert.deepEqual(
    readers.map(({ username }) => username),
    ['ada', 'postil-bot'],
  );
});

checkTeams(app, gitea, forge, { id, provider: 'gitea' });

async function setMembers(given: readonly object[]): Promise<void> {
  const [organization] = await sql`SELECT provider_organization_id FROM organizations WHERE name = 'acme'`;
  await app.platform({
    organizations: [
      {
        provider: 'gitea',
        provider_organization_id: organization!.provider_organization_id,
        instance: (await show(app, id)).instance,
        members: given,
      },
    ],
  });
}

test('who is a bot is what the platform document says, whatever the host calls them', async () => {
  const bots = async () => {
    const { ben, 'lint-bot': linter } = await members();
    return [ben!.bot, linter!.bot];
  };
  const linter = forge.reviewer;
  await setMembers([
    { user_id: String(forge.ben.id), bot: true },
    { user_id: String(linter.id), bot: false },
  ]);
  await sync();
  assert.deepEqual(await bots(), [true, false]);
  await setMembers([
    { user_id: String(forge.ben.id), bot: false },
    { user_id: String(linter.id), bot: true },
  ]);
});

test('people who leave the host become inactive, those who return active, and roles assigned in Postil stay', async () => {
  await setMembers([{ user_id: String(forge.ada.id), role: 'cr_admin' }]);
  const given = (await members()).ada!.role;
  forge.acme.members.delete(forge.ben.id);
  await sync();
  assert.equal((await members()).ben!.active, false);
  assert.equal((await members()).ada!.role, given);
  forge.acme.members.add(forge.ben.id);
  forge.acme.members.delete(forge.ada.id);
  await sync();
  assert.deepEqual([(await members()).ben!.active, (await members()).ada!.active], [true, false]);
  forge.acme.members.add(forge.ada.id);
  await sync();
  assert.deepEqual([(await members()).ada!.active, (await members()).ada!.role], [true, given]);
});

test('archived, deleted, renamed and restored repositories are updated here', async () => {
  forge.attic.isArchived = false;
  forge.app.name = 'application';
  const gone = gitea.state.addRepository(forge.acme, 'gone');
  await sync();
  assert.equal((await repositories()).attic!.active, true);
  assert.equal((await repositories()).application!.active, true);
  gitea.state.repositories.splice(gitea.state.repositories.indexOf(gone), 1);
  forge.attic.isArchived = true;
  await sync();
  assert.deepEqual(
    [(await repositories()).gone!.active, (await repositories()).attic!.active],
    [false, false],
  );
  forge.app.name = 'app';
  await sync();
});

test('a list that the host does not return makes nobody inactive', async () => {
  for (const what of ['members', 'repos']) {
    gitea.fault = ({ path }) => (path.endsWith(`/acme/${what}`) ? { status: 404, json: {} } : undefined);
    later(1);
    await app.operator('POST', `${connectionsPath}/${id}/sync`);
    await until(async () => (await show(app, id)).status === 'failing');
    assert.ok(Object.values<{ active: boolean }>(await members()).every(({ active }) => active));
    assert.equal((await repositories()).app!.active, true);
    gitea.fault = () => undefined;
    await settled(app);
    assert.equal((await show(app, id)).status, 'ready');
  }
});

test('a connection that is resumed goes on at once, and so does a sync requested after the pause', async () => {
  const set = async (status: string) =>
    assert.equal((await app.operator('PATCH', `${connectionsPath}/${id}`, { status })).status, 200);
  const isPutOff = async () =>
    (await sql`SELECT 1 FROM work.job WHERE group_id = ${id} AND state = 'created' AND start_after > now()`)
      .length > 0;
  await set('paused');
  assert.equal((await app.operator('POST', `${connectionsPath}/${id}/sync`)).status, 202);
  await until(isPutOff);
  later(1);
  await set('ready');
  assert.ok(!(await isPutOff()));
  await until(async () => (await show(app, id)).synced_at === app.now.toISOString());
  await settled(app);
  await set('paused');
  await app.operator('POST', `${connectionsPath}/${id}/sync`);
  await until(isPutOff);
  await sql`UPDATE connections SET paused = false WHERE id = ${id}`;
  later(1);
  await sync();
  assert.equal((await show(app, id)).synced_at, app.now.toISOString());
});

test('lists are read to the end, also in small pages', async () => {
  gitea.maxPageSize = 2;
  for (let index = 0; index < 7; index += 1) {
    const user = gitea.state.addUser(`person-${index}`);
    forge.acme.members.add(user.id);
  }
  await sync();
  gitea.maxPageSize = 50;
  assert.equal(Object.values<{ active: boolean }>(await members()).filter(({ active }) => active).length, 11);
});

test('a sweep finds what was never delivered, and open pull requests of the last 14 days', async () => {
  const lost = gitea.state.open(forge.app, forge.ada);
  gitea.takeDeliveries();
  gitea.state.now = new Date(app.now.getTime() - 60_000);
  gitea.state.comment(lost, forge.ben);
  gitea.takeDeliveries();
  await runSchedule(app, 'start-due-readings');
  await settled(app);
  assert.deepEqual(await pulls(), ['app#1 open']);
  const calls = gitea.requests.length;
  await runSchedule(app, 'start-due-readings');
  await settled(app);
  assert.equal(gitea.requests.length, calls, 'not due again');
  gitea.state.end(lost, 'merged');
  // The host does not list it as changed, but open ones are read regardless.
  lost.updatedAt = new Date('2026-06-05T00:00:00Z');
  later(16 * 60);
  await sql`UPDATE host_pull_requests SET host_updated_at = ${new Date('2026-06-05T00:00:00Z')}`;
  await runSchedule(app, 'start-due-readings');
  await settled(app);
  assert.deepEqual(await pulls(), ['app#1 merged']);
  gitea.takeDeliveries();
});

test('the inventory is read again every hour, since hosts do not report who left', async () => {
  later(61 * 60);
  forge.acme.members.delete(forge.ben.id);
  await runSchedule(app, 'start-due-readings');
  await settled(app);
  assert.equal((await members()).ben!.active, false);
  forge.acme.members.add(forge.ben.id);
  await sync();
});

test('a backfill reads pull requests that ended since its date, with the comments of bots, and reports its progress', async () => {
  gitea.state.now = new Date('2026-02-01T00:00:00Z');
  const wanted = Array.from({ length: 5 }, () => gitea.state.open(forge.app, forge.ada));
  for (const pull of wanted) {
    gitea.state.review(pull, forge.reviewer, { comments: ['line is wrong', 'and this'] });
    gitea.state.review(pull, forge.account, { comments: ['a comment of our own'] });
    gitea.state.review(pull, forge.ben, { comments: ['a comment of a person'] });
    gitea.state.end(pull, 'merged');
  }
  const early = gitea.state.open(forge.app, forge.ada);
  early.closedAt = new Date('2025-12-01T00:00:00Z');
  early.state = 'closed';
  const open = gitea.state.open(forge.app, forge.ada);
  gitea.takeDeliveries();
  const before = await pulls();
  for (const body of [
    {},
    { since: 'yesterday' },
    { since: '2026-02-30' },
    { since: '2026-01-01', until: 'x' },
  ])
    assert.equal((await app.operator('POST', `${connectionsPath}/${id}/backfill`, body)).status, 400);
  const answer = await app.operator('POST', `${connectionsPath}/${id}/backfill`, { since: '2026-01-01' });
  assert.deepEqual([answer.status, answer.text], [202, '{}']);
  assert.deepEqual((await show(app, id)).backfill.since, '2026-01-01');
  await settled(app);
  assert.deepEqual((await show(app, id)).backfill, { state: 'done', since: '2026-01-01', done: 6, total: 6 });
  const after = await pulls();
  assert.equal(after.length, before.length + wanted.length);
  for (const { number } of [early, open]) assert.ok(!after.some((pull) => pull.startsWith(`app#${number} `)));
  const entries = await sql`SELECT entry FROM review_metrics WHERE entry IS NOT NULL`;
  const links = entries.flatMap(({ entry }) => entry.match(/#issuecomment-/g) ?? []);
  assert.equal(links.length, 10, 'two of the other bot on each');
});

test('an interrupted backfill continues without reading anything twice', async () => {
  await sql`UPDATE connection_repositories SET backfill_state = 'running'`;
  const calls = gitea.requests.length;
  assert.equal((await show(app, id)).backfill.state, 'running');
  await runSchedule(app, 'resume-repositories');
  await settled(app);
  assert.equal((await show(app, id)).backfill.state, 'done');
  assert.ok(!gitea.requests.slice(calls).some(({ path }) => /\/pulls\/\d+$/.test(path)));
});

test('a backfill that is requested while another one runs is done in full', async () => {
  const backfill = `${connectionsPath}/${id}/backfill`;
  let second: Promise<unknown> | undefined;
  gitea.fault = ({ path }) => {
    if (path.endsWith('/pulls')) second ??= app.operator('POST', backfill, { since: '2026-01-01' });
    return undefined;
  };
  await app.operator('POST', backfill, { since: '2099-01-01' });
  await until(async () => second !== undefined);
  await second;
  await settled(app);
  gitea.fault = () => undefined;
  assert.deepEqual((await show(app, id)).backfill, { state: 'done', since: '2026-01-01', done: 6, total: 6 });
});

test('an account that sees less than the one of an older connection makes nothing inactive', async () => {
  gitea.tokens.set('token-of-ben', forge.ben);
  const [instance] = await sql`SELECT slug FROM instances`;
  const before = [await repositories(), await members()];
  const second = await connect(app, {
    provider: 'gitea',
    url: gitea.url,
    instance: instance!.slug,
    credentials: { token: 'token-of-ben' },
    organizations: ['acme'],
  });
  await settled(app);
  assert.notEqual((await show(app, second.id)).organizations.length, 0);
  assert.deepEqual([await repositories(), await members()], before);
  await app.operator('DELETE', `${connectionsPath}/${second.id}`);
});

test('a backfill can be requested before the first sync', async () => {
  gitea.fault = ({ path }) => (path.endsWith('/acme/repos') ? { status: 503, json: {} } : undefined);
  gitea.tokens.set('token-of-ada', forge.ada);
  const second = await connect(app, {
    provider: 'gitea',
    url: gitea.url,
    instance: 'again',
    credentials: { token: 'token-of-ada' },
    organizations: ['acme'],
  });
  const answer = await app.operator('POST', `${connectionsPath}/${second.id}/backfill`, {
    since: '2026-01-01',
  });
  assert.equal(answer.status, 202);
  assert.equal((await show(app, second.id)).backfill.state, 'running');
  gitea.fault = () => undefined;
  await settled(app);
  const { backfill } = await show(app, second.id);
  assert.deepEqual([backfill.state, backfill.done], ['done', 6]);
  await app.operator('DELETE', `${connectionsPath}/${second.id}`);
});

test('the history of a pull request appears in the metrics', async () => {
  gitea.state.now = new Date(app.now.getTime() - 3_600_000);
  const pull = gitea.state.open(forge.app, forge.ada, { isDraft: true });
  gitea.state.comment(pull, forge.ada);
  gitea.state.comment(pull, forge.reviewer);
  gitea.state.markReady(pull);
  const readyAt = pull.readyAt!;
  gitea.state.comment(pull, forge.ben);
  const reviewedAt = pull.updatedAt;
  gitea.state.review(pull, forge.ben);
  gitea.state.push(pull);
  const pushedAt = pull.updatedAt;
  gitea.state.push(pull, { isMerge: true });
  gitea.state.review(pull, forge.ben, { state: 'approved' });
  gitea.state.end(pull, 'merged');
  for (const delivery of gitea.takeDeliveries()) await deliver(app, delivery);
  await settled(app);
  const [row] = await sql`
    SELECT p.state, v.* FROM pull_requests p JOIN review_metrics v USING (organization_id, repository_id, number)
      JOIN repositories r ON r.id = p.repository_id
      AND r.organization_id = p.organization_id JOIN organizations o ON o.id = p.organization_id
      LEFT JOIN instances i ON i.id = o.instance_id
    WHERE r.name = 'app' AND p.number = ${pull.number} AND i.slug <> 'again'`;
  assert.deepEqual(
    [row!.state, row!.ready_for_review_at, row!.first_human_review_at, row!.last_commit_at, row!.merged_at],
    ['merged', readyAt, reviewedAt, pushedAt, pull.closedAt],
  );
  assert.equal(row!.review_iterations, 2);
});
