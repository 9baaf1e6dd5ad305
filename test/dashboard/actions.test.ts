import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { client, startIdentityProvider } from '../identity-provider.ts';
import { startLearnings } from '../learnings-fixture.ts';
import { member } from '../sample-platform.ts';
import { signInAs } from '../session.ts';
import { assertClean, startBrowser, type Visitor } from './browser.ts';
import { buildDashboard } from './build-dashboard.ts';
import { test } from './chromium.ts';
import { openFixedPortProxy } from './fixed-port-proxy.ts';
import { openWithin, untilShortlyShown } from './navigation.ts';

await buildDashboard();
const proxy = await openFixedPortProxy();
const { url } = proxy;
const identityProvider = await startIdentityProvider(url);
const server = await startLearnings({
  settings: {
    publicUrl: url,
    oidc: { issuer: identityProvider.issuer, ...client, trustEmail: false },
  },
});
server.now = new Date();
proxy.forwardTo(await server.app.server.listen({ host: '127.0.0.1', port: 0 }));
const browser = await startBrowser(url, [new URL(identityProvider.issuer).host]);

const { sql } = server.database;
const [{ id: organizationId }] = (await sql`
  SELECT id FROM organizations WHERE provider_organization_id = '1001'`) as unknown as [{ id: string }];
const [{ id: workspaceId }] = (await sql`SELECT id FROM workspaces`) as unknown as [{ id: string }];
const organization = `/organizations/${organizationId}`;

async function visitorAs(email: string): Promise<Visitor> {
  const { cookie } = await signInAs(server, email);
  const visitor = await browser.visitor();
  const [name, value] = cookie.split('=') as [string, string];
  await visitor.context.addCookies([{ name, value, url }]);
  return visitor;
}

const waitForText = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();
const admin = await visitorAs('user-9001@acme.test');

test('single sign-on goes through the identity provider to the requested page', async () => {
  identityProvider.user = { email: 'user-9002@acme.test', email_verified: true };
  const guest = await browser.visitor();
  await guest.page.goto(`${organization}/learnings`);
  await guest.page.getByRole('link', { name: 'Sign in with single sign-on' }).click();
  await guest.page.waitForURL(`**${organization}/learnings`);
  await guest.page.getByRole('heading', { level: 1, name: 'Learnings' }).waitFor();
  await guest.page.getByRole('button', { name: 'Your account' }).click();
  await waitForText(guest.page, 'user-9002@acme.test');
  await assertClean(guest, 'single sign-on');

  identityProvider.user = { email: 'stranger@elsewhere.test', email_verified: true };
  const stranger = await browser.visitor();
  await stranger.page.goto('/');
  await stranger.page.getByRole('link', { name: 'Sign in with single sign-on' }).click();
  await stranger.page.getByRole('alert').getByText('was not accepted').waitFor();
});

test('a workspace token: created with a name and an expiry, shown once, used with the API, and revoked', async () => {
  const { page } = admin;
  await page.goto(`/workspaces/${workspaceId}/keys`);
  await page.getByRole('button', { name: 'Create token' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('reports');
  const expires = new Date(server.now.getTime() + 30 * 86_400_000).toISOString().slice(0, 10);
  await page.getByLabel('Expiration date').fill(expires);
  await page.getByRole('dialog').getByRole('button', { name: 'Create token' }).click();
  const value = await page.getByTestId('key-value').innerText();
  assert.match(value, /^pst_w_/);
  await untilShortlyShown(page, 'Copied', () => page.getByRole('button', { name: 'Copy token' }).click());
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('cell', { name: /^reports/ }).waitFor();
  assert.ok(!(await page.content()).includes(value), 'the value is not shown again');

  const used = await server.get('/v1/organizations', value);
  assert.equal(used.status, 200);
  assert.equal(used.json.organizations.length, 2);

  await page.getByRole('button', { name: 'Revoke reports' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await waitForText(page, 'Revoked');
  assert.equal((await server.get('/v1/organizations', value)).status, 401);
  await assertClean(admin, 'tokens');
});

test('an organization key can be created and used', async () => {
  const { page } = admin;
  await openWithin(page, `${organization}/keys`);
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('ci');
  await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
  const value = await page.getByTestId('key-value').innerText();
  const me = await server.get('/v1/me', value);
  assert.deepEqual([me.json.kind, me.json.owner.user_id], ['organization', '9001']);
});

test('the owner of a key is selected by name, and an error is shown in the form', async () => {
  const { page } = admin;
  await page.goto(`${organization}/keys`);
  await page.getByRole('button', { name: 'Create key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('for another');
  await dialog.getByRole('combobox', { name: 'Owner' }).fill('user-9002');
  await page.getByRole('option', { name: /user-9002/ }).click();
  await page.route('**/dashboard/v1/keys?*', (route) =>
    route.fulfill({
      status: 404,
      json: { error: { code: 'NOT_FOUND', message: 'owner: is not an active member' } },
    }),
  );
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await dialog.getByText('is not an active member').waitFor();
  await page.unroute('**/dashboard/v1/keys?*');
  await dialog.getByRole('button', { name: 'Create key' }).click();
  const me = await server.get('/v1/me', await page.getByTestId('key-value').innerText());
  assert.equal(me.json.owner.user_id, '9002');
  // The browser logs the expected 404 in its console.
  admin.problems.splice(
    0,
    admin.problems.length,
    ...admin.problems.filter((problem) => !problem.includes('404')),
  );
  await assertClean(admin, 'owner of a key');
});

test('in a narrow window a key is a card with everything in sight, also the button that revokes it', async () => {
  const narrow = await browser.visitor({ width: 390 });
  await narrow.context.addCookies(await admin.context.cookies());
  await narrow.page.goto(`${organization}/keys`);
  await narrow.page.getByText('ci', { exact: true }).waitFor();
  const box = await narrow.page.getByRole('button', { name: 'Revoke ci' }).boundingBox();
  assert.ok(box !== null && box.x >= 0 && box.x + box.width <= 390, 'the button is in sight');
  await assertClean(narrow, 'keys, 390 px wide');
});

test('a pending Learning that is approved is in the export; one that is disapproved is not', async () => {
  await server.platform({
    organizations: [{ provider: 'github', provider_organization_id: '1001', approval_delay_days: 7 }],
  });
  await server.capture('Prefer early returns over nesting');
  await server.capture('Tabs are better than spaces');
  const { page } = admin;
  await openWithin(page, `${organization}/learnings?tab=pending`);
  await page.getByRole('checkbox', { name: /Prefer early returns/ }).check();
  await page.getByRole('button', { name: 'Approve', exact: true }).click();
  await waitForText(page, '1 approved');
  await page.getByRole('checkbox', { name: /Tabs are better/ }).check();
  await page.getByRole('button', { name: 'Disapprove' }).click();
  await waitForText(page, 'Nothing is waiting for approval');
  const texts = (await server.list()).map(({ learning }) => learning);
  assert.ok(
    texts.includes('Prefer early returns over nesting') && !texts.includes('Tabs are better than spaces'),
  );

  await page.getByRole('tab', { name: 'All' }).click();
  await waitForText(page, 'Prefer early returns over nesting');
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  const file = path.join(tmpdir(), `postil-export-${process.pid}.csv`);
  await (await downloading).saveAs(file);
  const csv = await readFile(file, 'utf8');
  assert.ok(csv.includes('Prefer early returns over nesting') && !csv.includes('Tabs are better'));
  await assertClean(admin, 'approvals');
});

test('Learnings are imported from a CSV file, found by meaning with reasons, edited and deleted', async () => {
  const { page } = admin;
  const file = path.join(tmpdir(), `postil-import-${process.pid}.csv`);
  await writeFile(
    file,
    'repository_id,learning,file\n501,"Log errors with the request id, never with the body",src/log.ts\n999,Lost,\n501,"=Sum of all fears",\n',
  );
  await page.goto(`${organization}/learnings`);
  await page.getByRole('button', { name: 'Import CSV' }).click();
  await page.locator('input[type=file]').setInputFiles(file);
  await page.getByRole('dialog').getByRole('button', { name: 'Import', exact: true }).click();
  await waitForText(page, '2 created, 0 already existed, 1 failed');
  await waitForText(page, /Row 3: Repository ID: /);
  await page.keyboard.press('Escape');

  await page.getByRole('tab', { name: 'Semantic search' }).click();
  await page.getByRole('combobox', { name: 'Repository' }).click();
  await page.getByRole('option', { name: 'api' }).click();
  await page.getByRole('textbox', { name: 'What is it about?' }).fill('log errors with the request id');
  await page.getByRole('main').getByRole('button', { name: 'Search' }).click();
  await waitForText(page, 'Log errors with the request id');
  await waitForText(page, /words \d+%/);

  const card = page.getByRole('listitem').filter({ hasText: 'Log errors with' });
  await card.getByRole('button', { name: 'Edit' }).click();
  await page
    .getByRole('textbox', { name: 'Learning' })
    .fill('Log errors with the trace id, never with the body');
  await page.getByRole('button', { name: 'Save' }).click();
  await waitForText(page, 'Log errors with the trace id');
  await page.getByRole('tab', { name: 'All' }).click();
  const edited = page.getByRole('listitem').filter({ hasText: 'Log errors with the trace id' });
  await edited.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await waitForText(page, 'Learning deleted');
  await edited.waitFor({ state: 'detached' });
  await assertClean(admin, 'Learnings');
});

test('a changed role takes effect immediately: its pages are no longer offered, and the server rejects its actions', async () => {
  await server.platform({
    organizations: [
      {
        provider: 'github',
        provider_organization_id: '1001',
        members: [member('9200', { role: 'cr_admin', seat: true })],
      },
    ],
  });
  const other = await visitorAs('user-9200@acme.test');
  await other.page.goto(`${organization}/people`);
  await other.page.getByText('seats used').waitFor();

  await openWithin(admin.page, `${organization}/people`);
  await admin.page.getByRole('combobox', { name: 'Role for user-9200' }).selectOption({ label: 'Member' });
  await waitForText(admin.page, '1 person changed');
  await admin.page.getByRole('checkbox', { name: 'Select user-9001' }).check();
  await admin.page.getByRole('combobox', { name: 'Give a role to the selected people' }).click();
  await admin.page.getByRole('listbox').getByRole('option', { name: 'Member' }).click();
  const refusal = admin.page.getByRole('alert').filter({ hasText: 'left without an admin' });
  await refusal.getByText('Something went wrong').waitFor();
  await assertClean(admin, 'people');

  await other.page.getByRole('switch', { name: 'Seat for user-9002' }).click({ force: true });
  await waitForText(other.page, 'Something went wrong');
  await other.page.goto(`${organization}/people`);
  await other.page.getByRole('alert').getByText('The Admin role is required').waitFor();
  const links = other.page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
  await links.first().waitFor();
  assert.deepEqual(await links.allInnerTexts(), [
    ...['Inbox', 'Reviews', 'Checks', 'Learnings', 'Security'],
    ...['Overview', 'Pull requests', 'Comments', 'Compare', 'Digest', 'Rules', 'Dependencies'],
    ...['Teams', 'Settings'],
  ]);
  await other.page.goto(`${organization}/settings`);
  await waitForText(other.page, 'Isolated metrics');
  assert.equal(await other.page.getByRole('button', { name: 'Save' }).count(), 0, 'read-only');
});

test('a role is created from another one, its permissions are changed in the grid, and it is deleted', async () => {
  const { page } = admin;
  await openWithin(page, `${organization}/roles`);
  await page.getByRole('button', { name: 'Create role' }).click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Auditor');
  await page.getByRole('dialog').getByRole('button', { name: 'Create role' }).click();
  const editor = page.getByRole('region', { name: 'Role Auditor' });
  await editor.getByRole('checkbox', { name: 'Audit log: read' }).check();
  await page.getByRole('button', { name: 'Save role' }).click();
  await waitForText(page, 'Role saved');
  const [role] = await server.database.sql`SELECT permissions FROM roles WHERE name = 'Auditor'`;
  assert.ok(role!.permissions.includes('audit_log:read'));
  await page.getByRole('button', { name: 'Delete role' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await waitForText(page, 'Role deleted');
  await assertClean(admin, 'roles');
});

test('settings are saved, and the audit log shows who did it', async () => {
  const { page } = admin;
  await openWithin(page, `${organization}/settings`);
  const delay = page.getByRole('textbox', { name: 'Approval delay for Learnings, in days' });
  await delay.fill('400');
  await delay.blur();
  await waitForText(page, 'Enter a whole number of days from 0 to 30');
  assert.equal(await delay.inputValue(), '400', 'what was typed is not replaced');
  assert.equal(await page.getByRole('button', { name: 'Save' }).isDisabled(), true);
  await delay.fill('5');
  await page.getByRole('button', { name: 'Save' }).click();
  await waitForText(page, 'Settings saved');
  const [row] = await server.database
    .sql`SELECT approval_delay_days FROM organizations WHERE id = ${organizationId}`;
  assert.equal(row!.approval_delay_days, 5);
  await openWithin(page, `${organization}/audit-log?search=user-9001`);
  await page.getByRole('table', { name: 'Audit log' }).getByText('Dashboard').first().waitFor();
  await assertClean(admin, 'settings');
});

test('signing out everywhere ends the other browser too', async () => {
  const other = await visitorAs('user-9200@acme.test');
  await other.page.goto(`${organization}/settings`);
  await waitForText(other.page, 'Isolated metrics');
  await other.page.getByRole('button', { name: 'Your account' }).click();
  await other.page.getByRole('menuitem', { name: 'Sign out everywhere' }).click();
  await other.page.getByRole('heading', { name: 'Sign in' }).waitFor();
  const [row] = await server.database.sql`
    SELECT count(*)::int AS count FROM dashboard_sessions s JOIN people p ON p.id = s.person_id
    WHERE p.email = 'user-9200@acme.test'`;
  assert.equal(row!.count, 0);
});
