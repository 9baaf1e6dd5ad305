import assert from 'node:assert/strict';
import { startTestApp } from '../harness.ts';
import { deliver, settled, startDouble } from '../hosts/connected-host.ts';
import { fillForge, hostToken } from '../hosts/forge/sample-forge.ts';
import { GiteaDouble } from '../hosts/gitea/gitea-double.ts';
import { signInAs } from '../session.ts';
import { assertAccessible, assertClean, startBrowser } from './browser.ts';
import { buildDashboard } from './build-dashboard.ts';
import { test } from './chromium.ts';

await buildDashboard();
const app = await startTestApp();
app.now = new Date();
const url = await app.app.server.listen({ host: '127.0.0.1', port: 0 });
const gitea = await startDouble(new GiteaDouble());
const forge = fillForge(gitea);
await app.queue.startWorkers();
const browser = await startBrowser(url);

async function visitorAs(
  email: string,
  options: { isInstallationAdmin?: boolean; width?: number; colorScheme?: 'light' | 'dark' } = {},
) {
  const { cookie } = await signInAs(app, email, options);
  const visitor = await browser.visitor(options);
  const [name, value] = cookie.split('=') as [string, string];
  await visitor.context.addCookies([{ name, value, url }]);
  return visitor;
}

const admin = await visitorAs('root@postil.test', { isInstallationAdmin: true });
const { page } = admin;

test('a new installation leads its admin to the first steps, and from there to the connections', async () => {
  await page.goto('/');
  await page.getByRole('heading', { name: 'First steps', level: 1 }).waitFor();
  await page.getByRole('listitem', { name: 'Connect a Git host' }).getByText('Now').waitFor();
  await assertAccessible(page, 'first steps');
  await page.getByRole('link', { name: 'Connections' }).click();
  await page.getByRole('heading', { name: 'Connections', level: 1 }).waitFor();
  await page.getByText('No connections yet').waitFor();
  await assertAccessible(page, 'no connections');
  await assertClean(admin, 'no connections');
});

test('an error of the host is shown in the form; the right token connects it, and the secret is shown once', async () => {
  await page.getByRole('button', { name: 'Add connection' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'Host' }).click();
  await page.getByRole('option', { name: 'Gitea or Forgejo' }).click();
  await dialog.getByLabel('URL of the host').fill(gitea.url);
  await dialog.getByLabel('Access token').fill('wrong');
  await dialog.getByLabel('Organizations (optional)').fill('acme');
  await dialog.getByText('The account must be an owner of the organization').waitFor();
  await assertAccessible(page, 'the form');
  await dialog.getByRole('button', { name: 'Connect' }).click();
  await dialog.getByText('user does not exist').waitFor();
  await dialog.getByLabel('Access token').fill(hostToken);
  await dialog.getByRole('button', { name: 'Connect' }).click();
  const secret = await dialog.getByTestId('webhook-secret').innerText();
  await dialog.getByRole('button', { name: 'Done' }).click();
  const card = page.getByRole('article', { name: /postil-bot on/ });
  await card.getByText('Ready').waitFor();
  await settled(app);
  await card.getByText('acme', { exact: true }).waitFor();
  assert.equal(forge.acme.hooks[0]!.secret, secret);
  assert.ok(!(await page.content()).includes(secret));
  assert.ok(!(await page.content()).includes(hostToken));
  // The browser logs the expected 400 in its console.
  admin.problems.splice(
    0,
    admin.problems.length,
    ...admin.problems.filter((problem) => !problem.includes('400')),
  );
  await assertClean(admin, 'connected');
});

test('the first steps go on by themselves, and go away once all are done', async () => {
  const other = await visitorAs('setup@postil.test', { isInstallationAdmin: true });
  await other.page.goto('/');
  const step = (name: string) => other.page.getByRole('listitem', { name });
  await step('Connect a Git host').getByText('Done').waitFor();
  await step('Check the data that was read').getByText('Done').waitFor();
  await step('Get the first review').getByText('Now').waitFor();
  await app.database.sql`
    INSERT INTO review_runs (organization_id, id, repository_id, trigger, mode, status, created_at, finished_at, actor_name)
    SELECT organization_id, gen_random_uuid(), id, 'api', 'full', 'succeeded', now(), now(), 'test' FROM repositories LIMIT 1`;
  await step('Get the first review').getByRole('link', { name: 'Open the review' }).waitFor();
  await assertAccessible(other.page, 'first steps, some of them done');
  await assertClean(other, 'first steps');
  await other.page.getByText('Everything is set up').waitFor();
  await other.page.getByRole('link', { name: 'First steps' }).waitFor({ state: 'detached' });
  await other.page.goto('/');
  await other.page.waitForURL('**/organizations/**');
  // The URL changes before the page is rendered and listens to keys.
  await other.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  await other.page.keyboard.press('Control+k');
  await other.page.getByRole('combobox', { name: /^Search pages/ }).fill('first steps');
  await other.page.getByRole('option', { name: /^First steps/ }).click();
  await other.page.waitForURL('**/first-steps');
  await app.database.sql`DELETE FROM review_runs`;
});

test('a connection is checked, synced, paused and resumed', async () => {
  app.now = new Date(); // the check compares it with the host's clock
  const card = page.getByRole('article', { name: /postil-bot on/ });
  await card.getByRole('button', { name: 'Check' }).click();
  await page.getByRole('dialog').getByText('All checks passed.').waitFor();
  await assertAccessible(page, 'the check');
  await page.keyboard.press('Escape');
  await card.getByRole('button', { name: 'Sync' }).click();
  await page.getByText('The sync has started').waitFor();
  await card.getByRole('button', { name: 'Pause' }).click();
  await card.getByText('Paused', { exact: true }).waitFor();
  assert.equal(await card.getByRole('button', { name: 'Sync' }).isDisabled(), true);
  await card.getByRole('button', { name: 'Resume' }).click();
  await card.getByText('Ready').waitFor();
});

test('a backfill shows how far it is, and deliveries are filtered and replayed', async () => {
  for (const author of [forge.ada, forge.ben]) gitea.state.end(gitea.state.open(forge.app, author), 'merged');
  for (const delivery of gitea.takeDeliveries()) assert.equal((await deliver(app, delivery)).status, 202);
  await settled(app);
  const card = page.getByRole('article', { name: /postil-bot on/ });
  await card.getByRole('button', { name: 'Backfill' }).click();
  await page.getByRole('dialog').getByLabel('Since').fill('2020-01-01');
  await page.getByRole('button', { name: 'Start the backfill' }).click();
  await card.getByText('Read 2 of 2 pull requests').waitFor();
  await app.database.sql`
    UPDATE hook_deliveries SET status = 'failed', error = 'the host answered 500'
    WHERE id = (SELECT min(id::text)::uuid FROM hook_deliveries)`;
  await card.getByRole('button', { name: 'Deliveries' }).click();
  const dialog = page.getByRole('dialog');
  await dialog
    .getByRole('cell', { name: /^pull_request/ })
    .first()
    .waitFor();
  await dialog.getByRole('combobox', { name: 'Status' }).click();
  await page.getByRole('option', { name: 'Failed' }).click();
  await dialog.getByText('the host answered 500').waitFor();
  // The unfiltered list is shown until the filtered one is loaded.
  await dialog
    .getByRole('button', { name: /^Replay/ })
    .nth(1)
    .waitFor({ state: 'detached' });
  await assertAccessible(page, 'deliveries');
  await dialog.getByRole('button', { name: /^Replay/ }).click();
  await page.getByText('The delivery will be processed again').waitFor();
  await dialog.getByText('No failed deliveries').waitFor();
  await settled(app);
  await page.keyboard.press('Escape');
  await assertClean(admin, 'deliveries');
});

test('a host that refuses is shown with its reason, also in a narrow dark window', async () => {
  await app.database.sql`
    UPDATE connections SET failing_since = now(), last_error = 'the host answered 401: token is expired', last_error_at = now()`;
  const narrow = await visitorAs('second@postil.test', {
    isInstallationAdmin: true,
    width: 390,
    colorScheme: 'dark',
  });
  await narrow.page.goto('/connections');
  await narrow.page.getByRole('alert').getByText('token is expired').waitFor();
  await assertAccessible(narrow.page, 'failing, 390 px wide and dark');
  await assertClean(narrow, 'failing, 390 px wide');
  await narrow.page.goto('/first-steps');
  await narrow.page.getByRole('alert').getByText('token is expired').waitFor();
  await assertAccessible(narrow.page, 'first steps, 390 px wide and dark');
  await assertClean(narrow, 'first steps, 390 px wide');
  await narrow.page.getByRole('button', { name: 'Hide this page' }).click();
  await narrow.page.getByRole('button', { name: 'Hide this page' }).waitFor({ state: 'detached' });
});

test('a GitHub App leads to a page that sends the manifest to the host and nothing else', async () => {
  await page.goto('/connections?app=expired');
  await page.getByRole('alert').getByText('The link back from the host').waitFor();
  await page.getByRole('button', { name: 'Add connection' }).click();
  await page.getByLabel('Organization that owns the App').fill('acme');
  await page.getByLabel('URL of GitHub Enterprise Server (optional)').fill('https://github.acme.test');
  await page.getByRole('button', { name: 'Create the App on GitHub' }).click();
  await page.getByRole('button', { name: 'Continue to github.acme.test' }).waitFor();
  await assertAccessible(page, 'the page that leads to the host');
  await assertClean(admin, 'the page that leads to the host');
});

test('a connection is removed after a confirmation, and people who are not admins see none of this', async () => {
  await page.goto('/connections');
  const card = page.getByRole('article', { name: /postil-bot on/ });
  await card.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByText('No connections yet').waitFor();
  assert.equal(forge.acme.hooks.length, 0);
  const member = await visitorAs('ada@people.test');
  await member.page.goto('/connections');
  await member.page.getByText('You do not have access to this page').waitFor();
  assert.equal(await member.page.getByRole('link', { name: 'Connections' }).count(), 0);
  await assertClean(member, 'no admin');
});
