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
import { fillForge, hostToken } from '../../../../test/hosts/forge/sample-forge.ts';
import { GiteaDouble } from '../../../../test/hosts/gitea/gitea-double.ts';

const app = await startTestApp();
const gitea = await startDouble(new GiteaDouble());
const forge = fillForge(gitea);
await app.queue.startWorkers();
// The host lists acme first, so that whatever stops there never gets to the other organization.
const { id } = await connect(app, {
  provider: 'gitea',
  url: gitea.url,
  credentials: { token: hostToken },
});
await settled(app);
const { sql } = app.database;

const later = (seconds: number) => {
  app.now = new Date(app.now.getTime() + seconds * 1000);
};
const requestSync = async () => {
  later(1);
  assert.equal((await app.operator('POST', `${connectionsPath}/${id}/sync`)).status, 202);
};
const repositoriesOf = async (organization: string) =>
  (
    await sql`
      SELECT r.name FROM repositories r JOIN organizations o ON o.id = r.organization_id
      WHERE o.name = ${organization} AND r.active ORDER BY 1`
  ).map(({ name }) => name);
const knows = (organization: string, repository: string) => async () =>
  (await repositoriesOf(organization)).includes(repository);
const recover = async () => {
  gitea.fault = () => undefined;
  await requestSync();
  await settled(app);
  assert.equal((await show(app, id)).status, 'ready');
};

test('an organization whose lists are malformed does not stop the sync of those after it, and is named as the fault', async () => {
  gitea.fault = ({ path }) =>
    path.endsWith('/acme/members') ? { status: 200, json: [{ id: 7 }] } : undefined;
  gitea.state.addRepository(forge.other, 'after-malformed');
  gitea.state.addRepository(forge.acme, 'found-later');
  const acmeBefore = await repositoriesOf('acme');
  await requestSync();
  await until(knows('other', 'after-malformed'));
  await until(async () => (await show(app, id)).status === 'failing');
  const shown = await show(app, id);
  assert.equal(
    shown.health.last_error.message,
    `acme: ${new URL(gitea.url).host} sent its members in an unexpected form`,
  );
  assert.deepEqual(shown.organizations, ['acme', 'other'], 'it is still served');
  assert.deepEqual(await repositoriesOf('acme'), acmeBefore, 'nothing of it changed');
  assert.equal(forge.acme.hooks.length, 1);
  await recover();
  assert.ok(await knows('acme', 'found-later')());
});

test('an organization that stalls does not hold up the sync of the others', async () => {
  gitea.fault = ({ path }) => (path.endsWith('/acme/repos') ? 'stall' : undefined);
  gitea.state.addRepository(forge.other, 'beside-stalled');
  await requestSync();
  await until(knows('other', 'beside-stalled'));
  // Ends the stalled call.
  gitea.fault = () => undefined;
  gitea.goAway();
  gitea.comeBack();
  await recover();
});

test('a first sync with one faulty organization is enough for the sweeps and backfills of the others', async () => {
  gitea.fault = ({ path }) => (path.endsWith('/acme/members') ? { status: 200, json: {} } : undefined);
  const fresh = gitea.state.addRepository(forge.other, 'fresh');
  gitea.state.now = new Date(app.now.getTime() - 3_600_000);
  const pull = gitea.state.open(fresh, forge.ada);
  gitea.state.end(pull, 'merged');
  gitea.tokens.set('token-of-ada', forge.ada);
  forge.other.members.add(forge.ada.id);
  const second = await connect(app, {
    provider: 'gitea',
    url: gitea.url,
    instance: 'second',
    credentials: { token: 'token-of-ada' },
  });
  await app.operator('POST', `${connectionsPath}/${second.id}/backfill`, { since: '2026-01-01' });
  const isRead = async () =>
    (
      await sql`SELECT 1 FROM pull_requests p JOIN repositories r ON r.id = p.repository_id WHERE r.name = 'fresh'`
    ).length > 0;
  await until(isRead);
  assert.deepEqual((await show(app, second.id)).organizations, ['other']);
  gitea.fault = () => undefined;
  forge.other.members.delete(forge.ada.id);
  assert.equal((await app.operator('DELETE', `${connectionsPath}/${second.id}`)).status, 204);
});

test('a repository whose pull requests cannot be listed does not stop the sweep of the others, and misses nothing', async () => {
  await recover();
  gitea.state.now = new Date(app.now.getTime() - 60_000);
  const missed = gitea.state.open(forge.app, forge.ada);
  const found = gitea.state.open(gitea.state.repositories.find(({ name }) => name === 'fresh')!, forge.ada);
  gitea.takeDeliveries();
  gitea.fault = ({ path }) =>
    path.endsWith('/acme/app/pulls') || path.endsWith('/acme/app/issues')
      ? { status: 200, json: [{ number: 'one' }] }
      : undefined;
  const isRead = (repository: string, number: number) => async () =>
    (
      await sql`
        SELECT 1 FROM pull_requests p JOIN repositories r ON r.id = p.repository_id JOIN organizations o ON o.id = r.organization_id
        LEFT JOIN instances i ON i.id = o.instance_id
        WHERE r.name = ${repository} AND p.number = ${number} AND i.slug <> 'second'`
    ).length > 0;
  await runSchedule(app, 'start-due-readings');
  await until(isRead('fresh', found.number));
  await until(async () => (await show(app, id)).health.last_error?.message.startsWith('acme/app: '));
  assert.ok(!(await isRead('app', missed.number)()));
  // Much later the host is right again.
  later(6 * 60 * 60);
  gitea.fault = () => undefined;
  await runSchedule(app, 'start-due-readings');
  await settled(app);
  assert.ok(await isRead('app', missed.number)());
});

test('a pull request that cannot be stored or shown does not halt the backfill of its repository, and is named', async () => {
  gitea.state.now = new Date(app.now.getTime() - 3_600_000);
  const strange = gitea.state.addUser('d'.repeat(300));
  const unstorable = gitea.state.open(forge.app, strange);
  const pulls = [unstorable, ...Array.from({ length: 23 }, () => gitea.state.open(forge.app, forge.ada))];
  for (const pull of pulls) gitea.state.end(pull, 'merged');
  gitea.takeDeliveries();
  const hidden = pulls[1]!;
  pulls[2]!.title = 'half \ud800 and none \0';
  gitea.fault = ({ path }) =>
    path.endsWith(`/pulls/${hidden.number}`) ? { status: 200, json: { number: 'one' } } : undefined;
  const ended = async () => {
    const rows = await sql`
      SELECT p.number FROM pull_requests p JOIN repositories r ON r.id = p.repository_id AND r.organization_id = p.organization_id
      JOIN connection_repositories c ON c.repository_id = r.id AND c.connection_id = ${id} WHERE r.name = 'app' AND p.state = 'merged'`;
    return rows.map(({ number }) => number as number);
  };
  const request = { since: '2026-06-01' };
  assert.equal((await app.operator('POST', `${connectionsPath}/${id}/backfill`, request)).status, 202);
  const others = pulls.filter((pull) => pull !== unstorable && pull !== hidden);
  await until(async () => {
    const read = await ended();
    return others.every(({ number }) => read.includes(number));
  });
  await until(async () =>
    (await show(app, id)).health.last_error?.message.startsWith(`acme/app#${hidden.number}: `),
  );
  assert.equal((await show(app, id)).backfill.state, 'running');
  gitea.fault = () => undefined;
  await settled(app);
  const shown = await show(app, id);
  assert.deepEqual([shown.status, shown.backfill.state], ['ready', 'done']);
  assert.ok((await ended()).includes(hidden.number));
  assert.ok(!(await ended()).includes(unstorable.number));
  assert.match(
    shown.health.last_error.message,
    new RegExp(`acme/app#${unstorable.number}: .*author_username`),
  );
});

test('a revoked token shows from the first refused call, and the connection recovers by itself', async () => {
  await settled(app);
  assert.equal((await show(app, id)).status, 'ready');
  gitea.tokens.delete(hostToken);
  const calls = gitea.requests.length;
  gitea.state.now = new Date(app.now.getTime() - 30_000);
  gitea.state.open(forge.app, forge.ada);
  for (const delivery of gitea.takeDeliveries()) assert.equal((await deliver(app, delivery)).status, 202);
  await runSchedule(app, 'dispatch-deliveries');
  await until(() => gitea.requests.slice(calls).some(({ status }) => status === 401));
  await until(async () => (await show(app, id)).status === 'failing');
  assert.match((await show(app, id)).health.last_error.message, /401/);
  gitea.tokens.set(hostToken, forge.account);
  await runSchedule(app, 'probe-failing-connections');
  assert.equal((await show(app, id)).status, 'ready');
  await settled(app);
});
