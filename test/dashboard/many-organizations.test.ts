import { startTestApp } from '../harness.ts';
import { until } from '../hosts/connected-host.ts';
import { organization } from '../sample-platform.ts';
import { signInAs } from '../session.ts';
import { assertAccessible, assertClean, startBrowser } from './browser.ts';
import { buildDashboard } from './build-dashboard.ts';
import { test } from './chromium.ts';

await buildDashboard();
const server = await startTestApp();
server.now = new Date();
await server.platform({
  workspaces: [{ slug: 'wide', name: 'Wide', admins: [] }],
  organizations: Array.from({ length: 130 }, (_, index) =>
    organization({
      provider_organization_id: String(6000 + index),
      name: `Branch ${String(index).padStart(3, '0')}`,
      workspace: index < 125 ? 'wide' : undefined,
      repositories: [],
    }),
  ),
});
const session = await signInAs(server, 'root@postil.test', { isInstallationAdmin: true });
const url = await server.app.server.listen({ host: '127.0.0.1', port: 0 });
const browser = await startBrowser(url);

test('with more organizations than are listed, each is found by its name, opened, and opened again', async () => {
  const visitor = await browser.visitor();
  const { page, context } = visitor;
  const [name, value] = session.cookie.split('=') as [string, string];
  await context.addCookies([{ name, value, url }]);
  const select = page.getByRole('combobox', { name: 'Organization or workspace' });
  // The URL and the page change before the name is loaded.
  const untilSelected = async (expected: string) => {
    await until(async () => (await select.inputValue()) === expected);
  };

  await page.goto('/');
  await page.waitForURL('**/workspaces/*/overview');
  await untilSelected('Wide (all)');
  await page.getByRole('link', { name: 'Organizations' }).click();
  await page.getByRole('link', { name: 'Branch 124' }).waitFor();

  await select.click();
  await page.getByRole('option', { name: 'Branch 003' }).waitFor();
  await page.getByRole('option', { name: 'There are more: type to narrow the list' }).waitFor();
  await select.fill('branch 129');
  await page.getByRole('option', { name: 'Branch 129' }).click();
  await page.waitForURL('**/organizations/*/settings');
  await page.getByText('Branch 129 and its repositories').waitFor();
  await untilSelected('Branch 129');

  await page.reload();
  await page.getByText('Branch 129 and its repositories').waitFor();
  await untilSelected('Branch 129');
  await assertAccessible(page, 'settings');

  await page.getByRole('link', { name: 'Connections' }).click();
  await page.waitForURL('**/connections');
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await page.getByText('Branch 129 and its repositories').waitFor();

  await select.fill('nothing is called this');
  await page.getByRole('option', { name: 'No matches' }).waitFor();
  await select.fill('wide');
  await page.getByRole('option', { name: 'Wide (all)' }).click();
  await page.waitForURL('**/workspaces/*/settings');
  await page.goto(`/organizations/${'0'.repeat(8)}-0000-0000-0000-${'0'.repeat(12)}/overview`);
  await page.getByText('You do not have access to this page').waitFor();
  await page.goto('/organizations/none/overview');
  await page.getByText('You do not have access to this page').waitFor();
  await assertClean(visitor, 'the selector');
});
