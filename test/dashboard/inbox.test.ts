import assert from 'node:assert/strict';
import { newUuid } from '../../src/lib/uuid.ts';
import { startTestApp } from '../harness.ts';
import { storePulls, storeRun, storeVerdict } from '../open-pull-requests.ts';
import { storeFindings } from '../posted-findings.ts';
import { samplePlatform } from '../sample-platform.ts';
import { signInAs } from '../session.ts';
import { assertAccessible, assertClean, assertOnScale, assertTablesFit, startBrowser } from './browser.ts';
import { buildDashboard } from './build-dashboard.ts';
import { test } from './chromium.ts';
import { scrollUntil } from './navigation.ts';

await buildDashboard();
const server = await startTestApp();
server.now = new Date();
await server.platform(samplePlatform());
const { sql } = server.database;
const url = await server.app.server.listen({ host: '127.0.0.1', port: 0 });
const browser = await startBrowser(url);
const folder = process.env.POSTIL_SCREENSHOTS;

async function placeOf(orgId: string) {
  const [row] = await sql<{ organizationId: string; repositoryId: string }[]>`
    SELECT o.id AS "organizationId", r.id AS "repositoryId" FROM organizations o JOIN repositories r ON r.organization_id = o.id
    WHERE o.provider_organization_id = ${orgId} AND r.provider_repository_id = '501'`;
  return row!;
}
const [own, large, empty] = [await placeOf('1001'), await placeOf('1002'), await placeOf('3001')];
const base = `/organizations/${own.organizationId}`;
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
await storePulls(sql, own, [
  {
    number: 1,
    title: 'feat(cart): totals are rounded once, when the order is placed',
    asked: ['user:9001'],
    openedAt: hoursAgo(3),
  },
  {
    number: 2,
    title: 'fix(mail): no address is written twice',
    owners: ['@user-9001'],
    openedAt: hoursAgo(30),
  },
  { number: 3, title: 'chore: the build needs no network', author: '9001', openedAt: hoursAgo(200) },
  { number: 4, title: 'WIP: search by meaning', isDraft: true, openedAt: hoursAgo(1) },
]);
await storeFindings(sql, own, [
  { id: 'a', pull: 1, rules: ['oxlint/no-eval'], severity: 'critical' },
  { id: 'b', pull: 1, rules: ['oxlint/no-eval'], severity: 'minor' },
  { id: 'c', pull: 1, rules: ['oxlint/no-eval'], severity: 'minor' },
]);
await storeRun(sql, own, { id: newUuid(), pull: 1, status: 'degraded', reason: 'the model did not answer' });
await storeVerdict(sql, own, { pull: 1, verdict: 'failed' });
await storePulls(
  sql,
  large,
  Array.from({ length: 2000 }, (_, index) => ({ number: index + 1, author: '9002' })),
);

async function visitorAs(email: string, options: Parameters<typeof browser.visitor>[0] = {}) {
  const { cookie } = await signInAs(server, email);
  const visitor = await browser.visitor(options);
  const [name, value] = cookie.split('=') as [string, string];
  await visitor.context.addCookies([{ name, value, url }]);
  return visitor;
}

const appearances = [
  { width: 1440 },
  { width: 1024, colorScheme: 'dark' },
  { width: 390 },
  { width: 390, colorScheme: 'dark' },
] as const;
for (const options of appearances)
  test(`the Inbox shows what is known of each pull request: ${options.width} px, ${'colorScheme' in options ? 'dark' : 'light'}`, async () => {
    const admin = await visitorAs('user-9001@acme.test', options);
    const { page } = admin;
    await page.goto(base);
    await page.waitForURL('**/inbox');
    const row = page.getByRole('row', { name: /totals are rounded once/ });
    await row.getByText('your review is requested').waitFor();
    for (const text of [
      '+120 −14',
      'title',
      'Failed',
      '1 critical',
      '2 minor',
      'High',
      'Degraded',
      /did not answer/,
    ])
      await row.getByText(text).first().waitFor();
    assert.equal(await row.getByText('Failed: title').count(), 0, 'it is said once');
    await page.getByText('you own changed files').waitFor();
    assert.equal(await page.getByText('the build needs no network').count(), 0);
    if (folder)
      await page.screenshot({
        path: `${folder}/inbox-${options.width}-${'colorScheme' in options ? 'dark' : 'light'}.png`,
      });
    await page.getByRole('tab', { name: /^All/ }).click();
    await page.waitForURL('**/inbox?tab=all');
    await page.getByText('search by meaning').waitFor();
    if (folder)
      await page.screenshot({
        path: `${folder}/inbox-all-${options.width}-${'colorScheme' in options ? 'dark' : 'light'}.png`,
      });
    const where = `the Inbox, ${options.width} px`;
    await assertAccessible(page, where);
    await assertOnScale(page, where);
    await assertTablesFit(page, where);
    await assertClean(admin, where);
  });

test('filters are in the URL; changes at the host appear without reloading', async () => {
  const { page } = await visitorAs('user-9001@acme.test');
  await page.goto(`${base}/inbox?tab=all`);
  await page.getByText('search by meaning').waitFor();
  await page.getByRole('combobox', { name: 'Checks' }).click();
  await page.getByRole('option', { name: 'Failed' }).click();
  await page.waitForURL('**/inbox?tab=all&checks=failure');
  await page.getByText('search by meaning').waitFor({ state: 'detached' });
  await page.getByText('totals are rounded once').waitFor();
  await page.goBack();
  await page.getByText('search by meaning').waitFor();
  await page.getByRole('tab', { name: /^Mine/ }).click();
  await page.getByText('the build needs no network').waitFor();
  await storePulls(sql, own, [{ number: 5, title: 'docs: how it came here', author: '9001' }]);
  await page.getByText('docs: how it came here').waitFor();
  await sql`
    UPDATE host_pull_requests SET state = 'merged' WHERE organization_id = ${own.organizationId} AND number = 5`;
  await page.getByText('docs: how it came here').waitFor({ state: 'detached' });
});

test('a row is chosen with j and opened with Enter, and Ctrl-K finds a pull request and a finding', async () => {
  const { page } = await visitorAs('user-9001@acme.test');
  await page.goto(`${base}/inbox`);
  await page.getByText('totals are rounded once').waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/pull-requests/501/2?via=inbox');
  const trail = page.getByRole('navigation', { name: 'Breadcrumb' });
  await trail.getByRole('link', { name: 'Inbox' }).waitFor();
  await page.getByRole('heading', { level: 1 }).waitFor();
  const menu = page.getByRole('navigation', { name: 'Pages' });
  assert.deepEqual(await menu.locator('[aria-current=page]').allTextContents(), ['Inbox']);
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox', { name: /^Search pages/ });
  await field.fill('rounded');
  await page.getByRole('option', { name: /totals are rounded once.*api #1/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL('**/pull-requests/501/1');
  await trail.getByRole('link', { name: 'Overview' }).waitFor();
});

test('of 2,000 open pull requests only the visible ones are rendered, and the last one can be reached', async () => {
  const { page } = await visitorAs('user-9001@acme.test');
  await page.goto(`/organizations/${large.organizationId}/inbox?tab=all`);
  await page.getByText('Change 2000', { exact: true }).waitFor();
  const rows = page.getByRole('table', { name: 'Open pull requests' }).getByRole('row');
  assert.ok((await rows.count()) < 60, 'few rows are in the page');
  await scrollUntil(page, 'the last one', () => page.getByText('Change 1', { exact: true }).isVisible());
  assert.ok((await rows.count()) < 60, 'few rows are in the page after scrolling');
});

test('an empty Inbox says why, and what to do', async () => {
  const { page } = await visitorAs('user-9001@acme.test');
  const place = `/organizations/${empty.organizationId}/inbox`;
  await page.goto(place);
  await page.getByText('No Git host is connected to org-3001').waitFor();
  await page.goto(`${base}/inbox?tab=all&search=nothing+is+called+so`);
  await page.getByText('No open pull request matches the filters').waitFor();
  await assertAccessible(page, 'an empty Inbox');
});
