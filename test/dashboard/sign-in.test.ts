import assert from 'node:assert/strict';
import { inviteFirstAdmin } from '../../src/capabilities/dashboard-session/accounts/invitation.ts';
import { startTestApp } from '../harness.ts';
import { samplePlatform } from '../sample-platform.ts';
import { password } from '../session.ts';
import { assertAccessible, assertClean, startBrowser } from './browser.ts';
import { buildDashboard } from './build-dashboard.ts';
import { test } from './chromium.ts';

await buildDashboard();
const server = await startTestApp();
const url = await server.app.server.listen({ host: '127.0.0.1', port: 0 });
const browser = await startBrowser(url);

test('the first admin opens the one-time link, sets a password, and is shown how to add organizations; the link works once', async () => {
  const visitor = await browser.visitor();
  const { page } = visitor;
  await page.goto('/');
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.getByText('No admin yet').waitFor();
  await assertAccessible(page, 'sign-in');

  const link = await inviteFirstAdmin(server, server.now);
  await page.goto(link!.path);
  await page.getByLabel('Email address').fill('root@postil.test');
  await assertAccessible(page, 'welcome');
  await page.getByRole('textbox', { name: /^Password/ }).fill(password);
  await page.getByRole('textbox', { name: 'Confirm password' }).fill(password);
  await page.getByRole('button', { name: 'Set password and sign in' }).click();
  await page.getByRole('heading', { name: 'First steps', level: 1 }).waitFor();
  await page.getByText('npm run -s postil -- apply platform.yaml').waitFor();
  assert.equal(await page.getByRole('link', { name: 'Go to the start page' }).count(), 0, 'it is this page');
  await page.getByRole('button', { name: 'Your account' }).waitFor();
  await assertAccessible(page, 'fresh installation');
  await server.platform(samplePlatform());
  await page.goto('/nonsense/page');
  await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  await page.getByRole('link', { name: 'Go to the start page' }).click();
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  await assertClean(visitor, 'first sign-in');

  const other = await browser.visitor();
  await other.page.goto(link!.path);
  await other.page.getByRole('heading', { name: 'This link does not work' }).waitFor();
});

test('signing in returns to the requested page, and signing out ends the session', async () => {
  const visitor = await browser.visitor();
  const { page } = visitor;
  const [row] = await server.database
    .sql`SELECT id FROM organizations WHERE provider_organization_id = '1002'`;
  const place = `/organizations/${row!.id}/settings`;
  await page.goto(place);
  await page.getByLabel('Email address').fill('root@postil.test');
  await page.getByRole('textbox', { name: 'Password' }).fill('not the password');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByText('The email address or password is incorrect').waitFor();
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.keyboard.press('Enter');
  await page.waitForURL(`**${place}`);
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
  await page.getByRole('button', { name: 'Your account' }).click();
  await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.goto(place);
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  assert.deepEqual(
    visitor.problems.filter((problem) => !problem.includes('401 (Unauthorized)')),
    [],
    'the wrong password is the only problem',
  );
});

test('signing in never redirects to another site, whatever the URL of the sign-in page says', async () => {
  for (const place of [
    '/\t/evil.test',
    '/\n/evil.test',
    '//evil.test',
    '/\\evil.test',
    'https://evil.test/',
  ]) {
    const visitor = await browser.visitor();
    const { page } = visitor;
    await page.goto(`/sign-in?return_to=${encodeURIComponent(place)}`);
    await page.getByLabel('Email address').fill('root@postil.test');
    await page.getByRole('textbox', { name: 'Password' }).fill(password);
    await page.keyboard.press('Enter');
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
    assert.equal(new URL(page.url()).origin, url);
    await assertClean(visitor, JSON.stringify(place));
  }
});
