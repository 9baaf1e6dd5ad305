import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { startTestApp } from '../harness.ts';
import { finding, pullRequest, pullRequestEvent } from '../review-events.ts';
import { member, organization } from '../sample-platform.ts';
import { signInAs } from '../session.ts';
import { assertAccessible, assertClean, startBrowser } from './browser.ts';
import { buildDashboard } from './build-dashboard.ts';
import { test } from './chromium.ts';
import { openWithin, untilTrue } from './navigation.ts';

await buildDashboard();
const server = await startTestApp();
const hour = (count: number) => new Date(Date.UTC(2026, 2, 10) + count * 3_600_000).toISOString();
const repositories = Array.from({ length: 300 }, (_, index) => ({
  provider_repository_id: String(1000 + index),
  name: `service-${String(index).padStart(3, '0')}`,
}));
const people = Array.from({ length: 2000 }, (_, index) => member(String(20_000 + index)));
const own = organization({
  provider_organization_id: '1001',
  repositories,
  members: [member('9001', { role: 'cr_admin' }), ...people],
});
await server.platform({ organizations: [own] });
const severities = ['critical', 'major', 'minor', 'trivial', 'info'];
const sent = Array.from({ length: 1700 }, (_, index) =>
  pullRequest({
    number: index + 1,
    url: `https://git.test/acme/pull/${index + 1}`,
    repository_id: String(1000 + (index % 300)),
    author_id: String(20_000 + (index % 2000)),
    author_username: `user-${20_000 + (index % 2000)}`,
    created_at: hour((index % 480) - 30),
    first_human_review_at: hour((index % 480) - 30 + (index % 9)),
    merged_at: hour(index % 480),
    review_iterations: 1 + (index % 4),
    findings: Array.from({ length: 3 }, (__, place) =>
      finding({
        severity: severities[(index + place) % 5],
        accepted: [true, true, false, null][(index + place) % 4],
        url: `https://git.test/acme/pull/${index + 1}#c${place}`,
      }),
    ),
  }),
);
for (let start = 0; start < sent.length; start += 500)
  await server.events(sent.slice(start, start + 500).map((data) => pullRequestEvent(data)));
const session = await signInAs(server, 'user-9001@acme.test');
const url = await server.app.server.listen({ host: '127.0.0.1', port: 0 });
const browser = await startBrowser(url);
const [row] = await server.database.sql`SELECT id FROM organizations`;
const base = `/organizations/${row!.id}`;

async function makeTeam(name: string, userIds: readonly string[]): Promise<string> {
  const scope = `scope=organization:${row!.id}`;
  const { json } = await session.call('POST', `/dashboard/v1/teams?${scope}`, { body: { name } });
  for (let start = 0; start < userIds.length; start += 500) {
    const body = { add: userIds.slice(start, start + 500) };
    const changed = await session.call('PATCH', `/dashboard/v1/teams/${json.id}/members?${scope}`, { body });
    assert.equal(changed.json.status, 'success', changed.text);
  }
  return json.id;
}
await makeTeam(
  'All of them',
  people.map(({ user_id }) => String(user_id)),
);
const payments = await makeTeam('Payments', ['20000', '20001']);
const window = 'from=2026-03-01&to=2026-04-10';

async function visitor(options: Parameters<typeof browser.visitor>[0] = {}) {
  const visited = await browser.visitor(options);
  const [name, value] = session.cookie.split('=') as [string, string];
  await visited.context.addCookies([{ name, value, url }]);
  return visited;
}

/** The visitor of most tests, who goes from page to page without loading the dashboard for each. */
const reader = await visitor();

/** Waits until the page fits the window: charts adapt to its size with a delay. */
async function untilItFits(page: Page): Promise<void> {
  await untilTrue(page, 'document.documentElement.scrollWidth <= document.documentElement.clientWidth');
}

/** Reloads until the text is shown, because outcomes reach the metrics through the queue. */
async function untilShown(page: Page, text: Locator): Promise<void> {
  for (let attempt = 0; attempt < 600 && !(await text.isVisible()); attempt += 1) {
    await page.waitForTimeout(250);
    await page.reload({ waitUntil: 'networkidle' });
  }
  await text.waitFor();
}

test('from the overview to a repository, a pull request and the comment at the host, and back, in the same window', async () => {
  const { page } = reader;
  await openWithin(page, `${base}/overview?${window}`);
  await page.getByRole('region', { name: 'Totals' }).getByText('5,100', { exact: true }).waitFor();
  await page.getByRole('region', { name: 'Pull requests' }).getByRole('link', { name: '1,700' }).waitFor();
  await page.getByRole('link', { name: 'service-000' }).click();
  await page.waitForURL(`**${base}/repositories/1000?${window}`);
  await page.getByRole('heading', { level: 1, name: 'service-000' }).waitFor();
  await assertAccessible(page, 'a repository');
  const newest = page
    .getByRole('region', { name: 'Pull requests' })
    .getByRole('link', { name: /^#/ })
    .first();
  const number = (await newest.innerText()).slice(1);
  await newest.click();
  await page.getByRole('heading', { level: 1, name: `service-000 #${number}` }).waitFor();
  assert.ok(page.url().endsWith(`?${window}`), 'the window is kept');
  const comment = page.getByRole('link', { name: 'Comment c0' });
  assert.equal(await comment.getAttribute('href'), `https://git.test/acme/pull/${number}#c0`);
  await assertAccessible(page, 'a pull request');
  await page.goBack();
  await page.getByRole('heading', { level: 1, name: 'service-000' }).waitFor();
  await page.getByRole('link', { name: 'Comments', exact: true }).click();
  await page.waitForURL(`**${base}/comments?${window}`);
  await page.getByRole('heading', { level: 1, name: 'Comments' }).waitFor();
  await assertClean(reader, 'drill-down');
});

test('a number leads to exactly the list it counts, which can be filtered, undone with Back, paged and downloaded', async () => {
  const { page } = reader;
  await openWithin(page, `${base}/overview?${window}`);
  await page.getByRole('region', { name: 'Pull requests' }).first().waitFor();
  const critical = page
    .getByRole('region', { name: 'By severity', exact: true })
    .getByRole('row', { name: /^Critical/ });
  const link = critical.getByRole('link', { name: /not accepted/ }).first();
  const count = Number(await link.innerText());
  await link.click();
  await page.waitForURL(
    /comments\?.*severity=critical.*outcome=not_accepted|comments\?.*outcome=not_accepted/,
  );
  await page.getByRole('region', { name: 'Comments' }).waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download CSV' }).click(),
  ]);
  const stream = await download.createReadStream();
  const text = (await stream.toArray()).join('');
  assert.equal(text.trimEnd().split('\r\n').length - 1, count);
  await page.getByRole('button', { name: 'Remove filter: Outcome' }).click();
  await page.getByRole('button', { name: 'Remove filter: Outcome' }).waitFor({ state: 'detached' });
  await page.goBack();
  await page.getByRole('button', { name: 'Remove filter: Outcome' }).waitFor();
  await page.getByRole('button', { name: 'Show more' }).click();
  await page.getByRole('region', { name: 'Comments' }).getByRole('row').nth(60).waitFor();
  await assertAccessible(page, 'comments');
});

test('search boxes find one among thousands, by keyboard, and Back undoes a choice', async () => {
  const { page } = reader;
  await openWithin(page, `${base}/pull-requests?${window}`);
  const region = page.getByRole('region', { name: 'Pull requests' });
  await region.getByRole('row').nth(50).waitFor();
  const author = page.getByRole('combobox', { name: 'Author', exact: true });
  await author.click();
  await page.getByText('There are more: type to narrow the list').waitFor();
  await author.fill('USER-20777');
  await page.getByRole('option', { name: 'user-20777' }).waitFor();
  await assertAccessible(page, 'an open search box');
  await author.press('ArrowDown');
  await author.press('Enter');
  await page.waitForURL(/author=20777/);
  await region.getByRole('row').nth(2).waitFor({ state: 'detached' });
  await page.getByRole('group', { name: 'Filters' }).getByText('Author: user-20777').waitFor();
  const repository = page.getByRole('combobox', { name: 'Repository', exact: true });
  await repository.click();
  // Only repositories that match the other filters, such as the author, are offered.
  await page.getByRole('option', { name: 'service-177' }).click();
  await page.waitForURL(/repository=1177/);
  await page.goBack();
  await page.goBack();
  await region.getByRole('row').nth(50).waitFor();
  await page.getByRole('combobox', { name: 'Team', exact: true }).fill('pay');
  await page.getByRole('option', { name: 'Payments' }).click();
  await page.waitForURL(new RegExp(`team=${payments}`));
  await region.getByRole('row').nth(3).waitFor({ state: 'detached' });
  await region.getByRole('row').nth(2).waitFor();
  assert.equal(await region.getByRole('row').count(), 3);
  await page.reload();
  await page.getByRole('group', { name: 'Filters' }).getByText('Team: Payments').waitFor();
  await assertClean(reader, 'search boxes');
});

test('teams are compared by name, a number leads to its list, and the download has the same teams', async () => {
  const { page } = reader;
  await openWithin(page, `${base}/compare?${window}`);
  await page.getByRole('radiogroup', { name: 'What to compare' }).getByText('Teams').click();
  const table = page.getByRole('region', { name: 'Comparison by team' });
  await table.getByRole('row', { name: /^All of them/ }).waitFor();
  await page.getByText(/count in each of them/).waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download CSV' }).click(),
  ]);
  const lines = (await (await download.createReadStream()).toArray()).join('').trimEnd().split('\r\n');
  assert.deepEqual(
    lines.slice(1).map((line) => line.split(',').slice(1, 4)),
    [
      ['All of them', '', '1700'],
      ['Payments', '', '2'],
    ],
  );
  await assertAccessible(page, 'teams compared');
  await table
    .getByRole('row', { name: /^Payments/ })
    .getByRole('link', { name: '2', exact: true })
    .click();
  await page.waitForURL(new RegExp(`pull-requests\\?.*team=${payments}`));
  await page.getByRole('region', { name: 'Pull requests' }).getByRole('row').nth(2).waitFor();
  assert.equal(await page.getByRole('region', { name: 'Pull requests' }).getByRole('row').count(), 3);
  await openWithin(page, `${base}/compare?${window}&team=${payments}`);
  await page.getByRole('button', { name: 'Show the numbers: Comments by day' }).click();
  const days = page.getByRole('region', { name: 'Comments by day, as numbers' });
  await days.getByRole('row', { name: /^10 Mar.* 6 3 2 1\b/ }).waitFor();
  await assertClean(reader, 'teams compared');
});

test('pages that the navigation does not list fit every width, and are accessible in the dark', async () => {
  const guest = await visitor({ colorScheme: 'dark' });
  for (const place of ['repositories/1001', 'pull-requests/1001/2']) {
    await openWithin(guest.page, `${base}/${place}?${window}`);
    await guest.page
      .getByText(/Newest pull requests|Show the evidence/)
      .first()
      .waitFor();
    for (const width of [1440, 1024, 390]) {
      await guest.page.setViewportSize({ width, height: 900 });
      await untilItFits(guest.page);
      await assertClean(guest, `${place}, ${width} px`);
    }
    await assertAccessible(guest.page, `${place}, 390 px`);
  }
});

test("a person's verdict counts at once and is shown as evidence, until it is withdrawn", async () => {
  const { page } = await visitor();
  await page.goto(`${base}/pull-requests/1002/3?${window}`);
  const third = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('button', { name: /^Accept/ }) })
    .nth(1);
  await third.getByText('Unknown', { exact: true }).waitFor();
  const withdraw = third.getByRole('button', { name: /^Withdraw/ });
  assert.equal(await withdraw.count(), 0, 'nobody has said anything yet');
  await server.queue.startWorkers();
  await third.getByRole('button', { name: /^Accept/ }).click();
  await page.getByText('Marked as accepted').waitFor();
  await withdraw.waitFor();
  const openEvidence = async () => {
    const show = third.getByRole('button', { name: /^Show the evidence/ });
    if (await show.isVisible()) await show.click();
  };
  await openEvidence();
  await third.getByText('Marked as accepted by a person').waitFor();
  await third.getByText('source: dashboard').waitFor();
  await untilShown(page, third.getByText('Accepted', { exact: true }));
  await assertAccessible(page, 'evidence');
  await openEvidence();
  await withdraw.click();
  await third.getByText('A person withdrew their verdict').waitFor();
  await withdraw.waitFor({ state: 'detached' });
  await untilShown(page, third.getByText('Unknown', { exact: true }));
  await server.queue.stop();
});

test('a list that was still being loaded during a change shows the change', async () => {
  const { page } = await visitor();
  await page.goto(`${base}/pull-requests/1003/4?${window}`);
  const comment = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('button', { name: /^Accept/ }) })
    .first();
  const changed = page.waitForResponse((response) => response.request().method() === 'PATCH');
  let reads = 0;
  await page.route('**/signals?*', async (route) => {
    reads += 1;
    const response = await route.fetch();
    if (reads === 1) await changed;
    // The browser may have aborted the first request.
    await route.fulfill({ response }).catch(() => undefined);
  });
  await comment.getByRole('button', { name: /^Show the evidence/ }).click();
  await comment.getByRole('button', { name: /^Reject/ }).click();
  await comment.getByText('Marked as not accepted by a person').waitFor();
});
