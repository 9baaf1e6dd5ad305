import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { startTestApp } from '../harness.ts';
import { samplePlatform } from '../sample-platform.ts';
import { password, signInAs } from '../session.ts';
import { assertAccessible, startBrowser } from './browser.ts';
import { buildDashboard } from './build-dashboard.ts';
import { test } from './chromium.ts';
import { loadingOf, untilTrue } from './navigation.ts';

await buildDashboard();
const server = await startTestApp();
server.now = new Date();
await server.platform(samplePlatform());
const url = await server.app.server.listen({ host: '127.0.0.1', port: 0 });
const browser = await startBrowser(url);
const email = 'user-9001@acme.test';
await signInAs(server, email);
const [{ id }] = (await server.database
  .sql`SELECT id FROM organizations WHERE provider_organization_id = '1001'`) as unknown as [{ id: string }];
const organization = `/organizations/${id}`;

async function signIn(page: Page) {
  await page.getByLabel('Email address').fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.keyboard.press('Enter');
}

/** Opens the settings with a new visitor. */
async function visitSettings() {
  const { page, context } = await browser.visitor();
  const untilLoaded = loadingOf(page);
  await page.goto(`${organization}/settings`);
  await signIn(page);
  await page.getByText('Isolated metrics').waitFor();
  return {
    page,
    context,
    /** Ends the session once the page has loaded: otherwise a pending request would lead to sign-in by itself. */
    async endSession() {
      await untilLoaded();
      await server.database.sql`DELETE FROM dashboard_sessions`;
    },
  };
}

test('when the session has ended elsewhere, every next page leads to sign-in with a message, and back afterwards', async () => {
  const { page, endSession } = await visitSettings();
  for (const [name, path] of [
    ['People', 'people'],
    ['Security', 'security'],
    ['Learnings', 'learnings'],
    ['Reviews', 'reviews'],
    ['Digest', 'digest'],
    // Last, because it polls, which would lead to sign-in before the next link does.
    ['Inbox', 'inbox'],
  ] as const) {
    await endSession();
    await page.getByRole('link', { name, exact: true }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.getByText('Your session has ended').waitFor();
    if (path === 'people') await assertAccessible(page, 'sign-in after the session ended');
    await signIn(page);
    await page.waitForURL(`**${organization}/${path}`);
    await page.getByRole('heading', { level: 1, name }).waitFor();
  }
});

test('a change after the session has ended leads to sign-in, and back to the page', async () => {
  const { page, endSession } = await visitSettings();
  await endSession();
  await page.getByRole('button', { name: 'Save' }).first().click();
  await page.getByText('Your session has ended').waitFor();
  await signIn(page);
  await page.getByText('Isolated metrics').waitFor();
});

test('without a connection, a page says so and loads once there is one again', async () => {
  const { page, context } = await visitSettings();
  // The code of the page has been loaded before; only its data is missing.
  await page.getByRole('link', { name: 'Roles' }).click();
  await page.getByText('Organization management').waitFor();
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await page.getByText('Isolated metrics').waitFor();
  await context.route('**/dashboard/v1/**', (route) => route.abort());
  await page.getByRole('link', { name: 'Audit log' }).click();
  await page.getByText('The server cannot be reached').waitFor();
  await context.unroute('**/dashboard/v1/**');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page
    .getByText(/entr(y|ies)/)
    .first()
    .waitFor();
});

test('with reduced motion preferred, nothing is animated while a page loads', async () => {
  const { page } = await visitSettings();
  await page.route('**/dashboard/v1/people?*', () => {});
  await page.getByRole('link', { name: 'People' }).click();
  await page.getByRole('status').filter({ hasText: 'Loading' }).first().waitFor();
  assert.equal(await page.evaluate('document.getAnimations().length'), 0);
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  // Without the preference, something is animated.
  await untilTrue(page, 'document.getAnimations().length > 0');
});

test('an expired link says so and leads to sign-in', async () => {
  const invited = await server.operator('POST', '/operator/v1/dashboard-invitations', {
    email: 'user-9002@acme.test',
  });
  const link = new URL(invited.json.url);
  await server.database.sql`UPDATE dashboard_invitations SET expires_at = ${new Date(0)}`;
  const { page } = await browser.visitor();
  await page.goto(`/welcome${link.hash}`);
  await page.getByRole('heading', { name: 'This link does not work' }).waitFor();
  await page
    .getByRole('alert')
    .getByText(/expired|invalid|no longer/i)
    .waitFor();
  await assertAccessible(page, 'expired link');
  await page.getByRole('link', { name: 'Go to sign-in' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
});
