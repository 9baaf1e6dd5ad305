import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inviteFirstAdmin } from '../../src/capabilities/dashboard-session/accounts/invite.ts';
import { startTestApp } from '../harness.ts';
import { samplePlatform } from '../sample-platform.ts';
import { password } from '../session.ts';
import { assertAccessible, assertClean, buildDashboard, startBrowser } from './browser.ts';

await buildDashboard();
const server = await startTestApp();
const url = await server.app.server.listen({ host: '127.0.0.1', port: 0 });
const browser = await startBrowser(url);

test('the first admin opens the one-time link, sets a password, is told how to add organizations, and is in; the link works once', async () => {
  const visitor = await browser.visitor();
  const { page } = visitor;
  await page.goto('/');
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.getByText('Nobody is admin yet').waitFor();
  await assertAccessible(page, 'sign-in');

  const link = await inviteFirstAdmin(server, server.now);
  await page.goto(link!.path);
  await page.getByLabel('Email address').fill('root@postil.test');
  await assertAccessible(page, 'welcome');
  await page.getByRole('textbox', { name: /^Password(?! again)/ }).fill(password);
  await page.getByRole('textbox', { name: 'Password again' }).fill(password);
  await page.getByRole('button', { name: 'Set the password and sign in' }).click();
  await page.getByRole('heading', { name: 'No organizations yet' }).waitFor();
  await page.getByText('npm run -s postil -- apply platform.yaml').waitFor();
  await page.getByRole('button', { name: 'Your account' }).waitFor();
  await assertAccessible(page, 'fresh installation');
  await server.platform(samplePlatform());
  await page.goto('/nonsense/page');
  await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
  await page.getByRole('link', { name: 'To the start' }).click();
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  await assertClean(visitor, 'first sign-in');

  const other = await browser.visitor();
  await other.page.goto(link!.path);
  await other.page.getByRole('heading', { name: 'This link does not work' }).waitFor();
});

test('signing in leads back to the deep link that was asked for, and signing out ends it', async () => {
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
  await page.getByRole('heading', { name: 'Settings' }).waitFor();
  await page.getByRole('button', { name: 'Your account' }).click();
  await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.goto(place);
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  assert.deepEqual(
    visitor.faults.filter((fault) => !fault.includes('401 (Unauthorized)')),
    [],
    'the wrong password is the only fault',
  );
});

test('signing in never leads to another site, whatever the address of the sign-in page says', async () => {
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
