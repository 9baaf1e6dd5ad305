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
import type { ForgePull } from '../../../../test/hosts/forge/forge-data.ts';
import { fillForge, hostToken } from '../../../../test/hosts/forge/sample-forge.ts';
import { GiteaDouble } from '../../../../test/hosts/gitea/gitea-double.ts';
import { signInAs } from '../../../../test/session.ts';

const app = await startTestApp();
const { sql } = app.database;
const gitea = await startDouble(new GiteaDouble());
const forge = fillForge(gitea);
const { state } = gitea;
await app.queue.startWorkers();

const daysAgo = (days: number) => new Date(app.now.getTime() - days * 86_400_000);
const openAt = (at: Date, more: Parameters<typeof state.open>[2] = {}): ForgePull => {
  state.now = at;
  const pull = state.open(forge.app, forge.ada, more);
  gitea.takeDeliveries();
  return pull;
};

const old = openAt(daysAgo(400));
state.edit(old, { title: 'From before the connection' });
state.ask(old, [forge.ben]);
const draft = openAt(daysAgo(3), { isDraft: true });
const closed = openAt(daysAgo(5));
state.end(closed, 'closed');
const { id } = await connect(app, {
  provider: 'gitea',
  url: gitea.url,
  credentials: { token: hostToken },
  organizations: ['acme'],
  review: 'on',
});
await settled(app);
const [organization] = await sql`SELECT id FROM organizations WHERE name = 'acme'`;
const scope = `scope=organization:${organization!.id}`;
const ben = await signInAs(app, 'ben@people.test');

const inbox = async (tab: string) => {
  const { status, json, text } = await ben.call('GET', `/dashboard/v1/inbox?${scope}&tab=${tab}`);
  assert.equal(status, 200, text);
  return (json.data as { number: number; title: string }[]).map(({ number, title }) => `${number} ${title}`);
};
const isReading = async () =>
  (await ben.call('GET', `/dashboard/v1/inbox/summary?${scope}`)).json.is_reading as boolean;
const named = ({ number, title }: ForgePull) => `${number} ${title}`;
/** As an installation is after an update: it does not know what was open when it was connected. */
const forget = () => sql`UPDATE connection_repositories SET open_state = NULL`;
const resume = async () => {
  await runSchedule(app, 'resume-repositories');
  await settled(app);
};
const readsSince = (from: number) =>
  gitea.requests.slice(from).filter(({ path }) => /\/pulls\/\d+$/.test(path)).length;
const followed = async () =>
  (await sql`SELECT number FROM reviewed_pull_requests ORDER BY number`).map(({ number }) => number);

test('what was open before the connection is in the Inbox, and nothing is reviewed, checked or written for it', async () => {
  assert.deepEqual(await inbox('all'), [named(draft), named(old)]);
  assert.deepEqual(await inbox('waiting'), [named(old)]);
  assert.equal(await isReading(), false);
  assert.deepEqual(await followed(), []);
  assert.equal((await sql`SELECT 1 FROM review_runs`).length, 0);
  const writes = gitea.requests.filter(({ method, path }) => method !== 'GET' && !path.includes('/hooks'));
  assert.deepEqual(writes, []);
  const states = await sql`SELECT number, state FROM pull_requests ORDER BY number`;
  assert.deepEqual(
    states.map((row) => `${row.number} ${row.state}`),
    [`${old.number} open`, `${draft.number} open`],
  );
  const [ada] = await sql`SELECT last_active_at FROM members WHERE username = 'ada'`;
  assert.deepEqual(ada!.last_active_at, draft.updatedAt, 'a listing makes nobody active today');
});

test('a sweep leaves alone what was only listed, and a change of it is followed like any other', async () => {
  await runSchedule(app, 'start-due-readings');
  await settled(app);
  assert.deepEqual(await followed(), []);
  await app.operator('PATCH', `${connectionsPath}/${id}`, { review: 'off' });
  state.now = new Date(app.now.getTime() - 60_000);
  state.comment(old, forge.ben);
  for (const delivery of gitea.takeDeliveries()) await deliver(app, delivery);
  await settled(app);
  assert.deepEqual(await followed(), [old.number]);
});

test('an installation from before is filled once, without reading again what it knows', async () => {
  const missed = openAt(daysAgo(30));
  await forget();
  assert.equal(await isReading(), true);
  const calls = gitea.requests.length;
  await resume();
  assert.equal(await isReading(), false);
  assert.ok((await inbox('all')).includes(named(missed)));
  assert.equal(readsSince(calls), 1);
  const after = gitea.requests.length;
  await resume();
  assert.equal(gitea.requests.length, after);
});

test('what ended while nobody listened is open no more', async () => {
  const gone = openAt(daysAgo(20));
  await forget();
  await resume();
  assert.ok((await inbox('all')).includes(named(gone)));
  state.now = daysAgo(19);
  state.end(gone, 'merged');
  gitea.takeDeliveries();
  await forget();
  await resume();
  assert.ok(!(await inbox('all')).includes(named(gone)));
});

test('a listing that is overtaken by a delivery does not bring back what was closed meanwhile', async () => {
  const pull = openAt(daysAgo(10));
  await forget();
  const { promise: isClosed, resolve: release } = Promise.withResolvers<void>();
  let held = 0;
  // The listing has read the pull request itself, and waits for its commits.
  gitea.holds = ({ path }) => {
    if (!path.endsWith(`/pulls/${pull.number}/commits`) || held > 0) return undefined;
    held += 1;
    return isClosed;
  };
  await runSchedule(app, 'resume-repositories');
  await until(() => held === 1);
  app.now = new Date(app.now.getTime() + 1000);
  state.now = app.now;
  state.end(pull, 'closed');
  for (const delivery of gitea.takeDeliveries()) await deliver(app, delivery);
  await runSchedule(app, 'dispatch-deliveries');
  const stateOf = async () =>
    (await sql`SELECT state FROM host_pull_requests WHERE number = ${pull.number}`)[0]?.state;
  await until(async () => (await stateOf()) === 'closed');
  release();
  await settled(app);
  gitea.holds = () => undefined;
  assert.equal(await stateOf(), 'closed');
  const [reported] = await sql`SELECT state FROM pull_requests WHERE number = ${pull.number}`;
  assert.equal(reported!.state, 'closed');
  assert.ok(!(await inbox('all')).includes(named(pull)));
});

test('a host that asks to wait, and a pull request that it does not show at first, are waited for', async () => {
  const [first, second] = [openAt(daysAgo(9)), openAt(daysAgo(8))];
  await forget();
  const refused = new Set<string>();
  gitea.fault = ({ path }) => {
    const isMeant = path.endsWith('/app/pulls') || path.endsWith(`/pulls/${first.number}`);
    if (!isMeant || refused.has(path)) return undefined;
    refused.add(path);
    return path.endsWith('/app/pulls')
      ? { status: 429, headers: { 'retry-after': '1' }, json: { message: 'slow down' } }
      : { status: 500, json: {} };
  };
  await resume();
  gitea.fault = () => undefined;
  assert.equal(refused.size, 2);
  const shown = await inbox('all');
  assert.ok(shown.includes(named(first)) && shown.includes(named(second)));
  assert.equal(await isReading(), false);
  assert.equal((await show(app, id)).status, 'ready');
});

test('a paused connection is not asked, and says so to nobody as reading', async () => {
  await app.operator('PATCH', `${connectionsPath}/${id}`, { status: 'paused' });
  await forget();
  const calls = gitea.requests.length;
  await runSchedule(app, 'resume-repositories');
  assert.equal(await isReading(), false);
  assert.equal(gitea.requests.length, calls);
  await app.operator('PATCH', `${connectionsPath}/${id}`, { status: 'ready' });
  await resume();
});

test('what was given up is tried again with the next backfill', async () => {
  await sql`UPDATE connection_repositories SET open_state = 'failed'`;
  const missed = openAt(daysAgo(40));
  await resume();
  assert.ok(!(await inbox('all')).includes(named(missed)));
  await app.operator('POST', `${connectionsPath}/${id}/backfill`, { since: '2099-01-01' });
  await settled(app);
  assert.ok((await inbox('all')).includes(named(missed)));
});

test('of a repository with very many, those that changed last are read, and the connection says so', async () => {
  const large = state.addRepository(forge.acme, 'large');
  state.now = daysAgo(50);
  const pulls = Array.from({ length: 2001 }, () => state.open(large, forge.ada));
  gitea.takeDeliveries();
  // What is known already costs no request, so that the test does not take as long as the host would.
  gitea.fault = ({ path }) => (path.endsWith('/large/pulls') ? { status: 503, json: {} } : undefined);
  await app.operator('POST', `${connectionsPath}/${id}/sync`);
  await until(async () => (await sql`SELECT 1 FROM repositories WHERE name = 'large'`).length > 0);
  await sql`
    INSERT INTO host_pull_requests (organization_id, repository_id, number, state, fingerprint, host_updated_at, read_at, opened_at)
    SELECT organization_id, id, n, 'open', 'x', ${app.now}, ${app.now}, ${app.now} FROM repositories, generate_series(2, 2000) n
    WHERE name = 'large'`;
  const calls = gitea.requests.length;
  gitea.fault = () => undefined;
  await settled(app);
  assert.equal(readsSince(calls), 1, 'the newest; the oldest is left out');
  const titled = await sql`
    SELECT p.number FROM host_pull_requests p JOIN repositories r ON r.id = p.repository_id
    WHERE r.name = 'large' AND p.title IS NOT NULL`;
  assert.deepEqual(
    titled.map(({ number }) => number),
    [pulls.at(-1)!.number],
  );
  const { health } = await show(app, id);
  assert.match(health.last_error.message, /^acme\/large: only the 2000 open pull requests/);
});
