import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestApp } from '../../../test/harness.ts';
import { samplePlatform } from '../../../test/sample-platform.ts';
import { signInAs } from '../../../test/session.ts';

const server = await startTestApp();
const admin = await signInAs(server, 'root@postil.test', { isInstallationAdmin: true });
const path = '/dashboard/v1/first-steps';
const read = async () => (await admin.call('GET', path)).json;
const isLed = async () => (await admin.call('GET', '/dashboard/v1/session')).json.is_being_set_up;

async function connect(syncedAt: Date | null) {
  const { sql } = server.database;
  const credentials = await server.database.transaction((tx) => server.vault.store(tx, 'test', 'x'));
  const [connection] = await sql`
    INSERT INTO connections (id, provider, url, account_id, account_username, credentials_id, webhook_secret_id, review,
      defaults, paused, synced_at, created_at)
    VALUES (gen_random_uuid(), 'gitea', 'https://git.acme.test', '1', 'postil-bot', ${credentials}, ${credentials}, 'on', '{}',
      false, ${syncedAt}, ${server.now})
    RETURNING id`;
  return connection!.id as string;
}

test('the steps follow the installation from nothing to reviews and people, and then nobody is led there', async () => {
  const { sql } = server.database;
  const steps = await read();
  assert.deepEqual(
    [
      steps.is_finished,
      steps.connect.is_done,
      steps.read.is_done,
      steps.review.is_done,
      steps.invite.is_done,
    ],
    [false, false, false, false, false],
  );
  assert.equal(await isLed(), true);

  const id = await connect(null);
  assert.deepEqual((await read()).connect, {
    is_done: true,
    connections: 1,
    host: 'git.acme.test',
    account: 'postil-bot',
    error: null,
  });
  assert.equal((await read()).read.is_done, false, 'not read yet');
  await sql`UPDATE connections SET failing_since = ${server.now}, last_error = 'bad token', last_error_at = ${server.now}`;
  assert.equal((await read()).connect.error, 'bad token');
  await sql`UPDATE connections SET failing_since = NULL, synced_at = ${server.now}`;

  await server.platform(samplePlatform());
  const [repository] = await sql`
    SELECT r.organization_id, r.id FROM repositories r JOIN organizations o ON o.id = r.organization_id
    WHERE o.provider_organization_id = '1001' ORDER BY r.id LIMIT 1`;
  const { organization_id: organization, id: repositoryId } = repository!;
  await sql`INSERT INTO connection_organizations (connection_id, organization_id, host_name) VALUES (${id}, ${organization}, 'acme')`;
  await sql`
    INSERT INTO connection_repositories (connection_id, organization_id, repository_id, full_name, backfill_state, backfill_done, backfill_total)
    VALUES (${id}, ${organization}, ${repositoryId}, 'acme/api', 'running', 3, 12)`;
  const progress = (await read()).read;
  assert.deepEqual(
    [progress.is_done, progress.organizations, progress.repositories, progress.open, progress.backfill],
    [true, 1, 1, { done: 0, total: 1 }, { done: 3, total: 12, is_running: true }],
  );

  const addRun = (status: string, finishedAt: Date | null) => sql`
    INSERT INTO review_runs (organization_id, id, repository_id, trigger, mode, status, created_at, finished_at, actor_name)
    VALUES (${organization}, gen_random_uuid(), ${repositoryId}, 'api', 'full', ${status}, ${server.now}, ${finishedAt}, 'x')
    RETURNING id`;
  await addRun('queued', null);
  await addRun('failed', server.now);
  const { review } = await read();
  assert.deepEqual(review, { is_done: false, running: 1, newest: null });
  const [run] = await addRun('succeeded', server.now);
  assert.deepEqual((await read()).review.newest, { organization, run: run!.id });
  assert.equal(await isLed(), true, 'nobody is invited yet');

  await server.operator('POST', '/operator/v1/dashboard-invitations', { email: 'user-9002@acme.test' });
  assert.deepEqual((await read()).invite, { is_done: true, invited: 1, signed_in: 0 });
  assert.equal((await read()).is_finished, true);
  assert.equal(await isLed(), false);
});

test('whoever puts the steps away is led there no more; another admin still is', async () => {
  const { sql } = server.database;
  await sql`DELETE FROM review_runs`;
  assert.equal(await isLed(), true);
  assert.equal((await admin.call('POST', `${path}/put-away`)).status, 204);
  assert.equal(await isLed(), false);
  assert.equal((await admin.call('GET', path)).status, 200, 'the page can still be opened');
  const other = await signInAs(server, 'second@postil.test', { isInstallationAdmin: true });
  assert.equal((await other.call('GET', '/dashboard/v1/session')).json.is_being_set_up, true);
});

test('an installation that is fed without connections leads nobody to the steps, nor does any lead a member there', async () => {
  await server.database.sql`DELETE FROM connections`;
  const other = await signInAs(server, 'third@postil.test', { isInstallationAdmin: true });
  assert.equal((await other.call('GET', '/dashboard/v1/session')).json.is_being_set_up, false);
  const member = await signInAs(server, 'user-9001@acme.test');
  assert.equal((await member.call('GET', '/dashboard/v1/session')).json.is_being_set_up, false);
  assert.equal((await member.call('GET', path)).status, 403);
});
