import { GiteaDouble } from '../hosts/gitea/gitea-double.ts';
import { startTalkingApp } from '../hosts/talking-app.ts';
import { organization } from '../sample-platform.ts';
import { signInAs } from '../session.ts';
import { assertAccessible, startBrowser } from './browser.ts';
import { buildDashboard } from './build-dashboard.ts';
import { test } from './chromium.ts';
import { openWithin } from './navigation.ts';

await buildDashboard();
const { app, double, forge, bring, openPull } = await startTalkingApp(new GiteaDouble(), 'gitea');
await app.platform({ organizations: [organization({ provider_organization_id: '3001' })] });
const session = await signInAs(app, 'root@acme.test', { isInstallationAdmin: true });
const url = await app.app.server.listen({ host: '127.0.0.1', port: 0 });
const browser = await startBrowser(url);
const guest = await browser.visitor();
const [name, value] = session.cookie.split('=') as [string, string];
await guest.context.addCookies([{ name, value, url }]);
const { page } = guest;
const folder = process.env.POSTIL_SCREENSHOTS;

const baseOf = async (orgId: string) => {
  const [row] = await app.database
    .sql`SELECT id FROM organizations WHERE provider_organization_id = ${orgId}`;
  return `/organizations/${row!.id}`;
};
const pages = ['overview', 'pull-requests', 'comments', 'compare'];

/** Opens every page about merged pull requests, and waits for this text on each of them. */
async function everyPageSays(base: string, text: RegExp, window = ''): Promise<void> {
  await page.goto(`${base}/settings`);
  for (const place of pages) {
    await openWithin(page, `${base}/${place}${window}`);
    await page.getByText(text).waitFor();
    if (folder) await page.screenshot({ path: `${folder}/${place}-${text.source.slice(0, 12)}.png` });
  }
  await assertAccessible(page, base);
}

test('before a host is connected, every page about merged pull requests says so and links to the connections', async () => {
  await everyPageSays(
    await baseOf('3001'),
    /No Git host is connected to org-3001, and no events have been received\./,
  );
  await page.getByRole('link', { name: 'Connect a Git host' }).click();
  await page.waitForURL('**/connections');
});

test('pages that show only merged pull requests mention the comments on open ones, and the newest merge', async () => {
  const base = await baseOf(String(forge.acme.id));
  await everyPageSays(base, /The Git host is connected, but no pull request has been read yet\./);
  const { pull } = await openPull({ isAutomatic: true });
  await page.reload();
  await everyPageSays(
    base,
    /^1 finding is on open pull requests; this (list|page) only covers merged ones\./,
  );
  await page.getByText('No pull request has been merged yet.').waitFor();
  await page.getByRole('link', { name: 'See the reviews' }).click();
  await page.waitForURL('**/reviews**');
  double.state.end(pull, 'merged');
  await bring();
  const window = '?from=2020-01-01&to=2020-02-01';
  await everyPageSays(base, /The latest merge was on .*: choose another period\./, window);
  await page.goto(`${base}/pull-requests`);
  await page.getByText('Pull requests merged in acme in this period, newest first').waitFor();
});
