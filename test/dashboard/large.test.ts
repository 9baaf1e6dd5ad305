import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { startTestApp } from '../harness.ts';
import { fromDashboard, signInAs } from '../session.ts';
import { assertAccessible, assertClean, startBrowser } from './browser.ts';
import { buildDashboard } from './build-dashboard.ts';
import { test } from './chromium.ts';
import { findingCount, largeOrganization, pendingCount, peopleCount } from './large-organization.ts';
import { openWithin, scrollUntil } from './navigation.ts';

await buildDashboard();
const server = await startTestApp();
server.now = new Date();
const { id } = await largeOrganization(server, 'large');
const { cookie } = await signInAs(server, 'user-9001@acme.test');
const url = await server.app.server.listen({ host: '127.0.0.1', port: 0 });
const browser = await startBrowser(url);
const organization = `/organizations/${id}`;

async function visitor(options: Parameters<typeof browser.visitor>[0] = {}) {
  const visited = await browser.visitor(options);
  const [name, value] = cookie.split('=') as [string, string];
  await visited.context.addCookies([{ name, value, url }]);
  return visited;
}

const rowCount = (page: Page, table: string) =>
  page.getByRole('table', { name: table }).getByRole('row').count();

/** Scrolls down until this row is rendered, however many pages have to be loaded for it. */
async function scrollToRow(page: Page, row: number): Promise<void> {
  const lastRow = `Math.max(...[...document.querySelectorAll('tr[aria-rowindex]')].map((tr) => Number(tr.ariaRowIndex)))`;
  await scrollUntil(page, `row ${row}`, async () => ((await page.evaluate(lastRow)) as number) >= row);
}

const admin = await visitor();

test('of 2,000 people only the visible ones are rendered; the others can be found, sorted and scrolled to', async () => {
  const { page } = admin;
  await openWithin(page, `${organization}/people`);
  await page.getByText(`${peopleCount.toLocaleString('en-GB')} people`).waitFor();
  assert.ok((await rowCount(page, 'People')) < 60, 'few rows are in the page');
  await page.getByRole('checkbox', { name: 'Select person-0000' }).check();
  await page.getByText('1 selected').waitFor();
  await page.getByRole('textbox', { name: 'Search' }).fill('PERSON-1998');
  await page.getByText('1 person', { exact: true }).waitFor();
  await page.getByRole('checkbox', { name: 'Select person-1998' }).check();
  await page.getByText('2 selected').waitFor();
  await page.getByRole('textbox', { name: 'Search' }).fill('');
  await page.getByText(`${peopleCount.toLocaleString('en-GB')} people`).waitFor();
  await page.getByRole('button', { name: 'Sort by person' }).click();
  await page.getByRole('checkbox', { name: 'Select user-9001' }).waitFor();
  await scrollToRow(page, 300);
  assert.ok((await rowCount(page, 'People')) < 60, 'few rows are in the page after scrolling');
  await assertAccessible(page, 'people');
  await assertClean(admin, 'people');
});

test('a list that is loading more rows is accessible, too', async () => {
  const { page } = await visitor();
  const held = Promise.withResolvers<void>();
  await page.route(/dashboard\/v1\/people\?.*cursor=/, async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.goto(`${organization}/people`);
  await page.getByText(`${peopleCount.toLocaleString('en-GB')} people`).waitFor();
  await page.evaluate('window.scrollTo(0, document.body.scrollHeight)');
  await page.getByRole('img', { name: 'Loading more' }).waitFor();
  await assertAccessible(page, 'people, while more are loaded');
  held.resolve();
  await scrollToRow(page, 150);
});

test('at 390 px the role, the seat and the invitation of a person are visible', async () => {
  const narrow = await visitor({ width: 390 });
  await narrow.page.goto(`${organization}/people`);
  for (const control of [
    narrow.page.getByRole('combobox', { name: 'Role for person-0000' }),
    narrow.page.getByRole('switch', { name: 'Seat for person-0000' }),
    narrow.page.getByRole('button', { name: 'Invite p0@large.test' }),
  ]) {
    await control.waitFor({ state: 'attached' });
    const box = await control.boundingBox();
    assert.ok(box !== null && box.x >= 0 && box.x + box.width <= 390, JSON.stringify(box));
  }
  await assertAccessible(narrow.page, 'people, 390 px');
  await assertClean(narrow, 'people, 390 px');
});

test('an admin gives a custom role and invites, and the link is shown once', async () => {
  const { page } = admin;
  await openWithin(page, `${organization}/roles`);
  await page.getByRole('button', { name: 'Create role' }).click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Auditor');
  await page.getByRole('dialog').getByRole('button', { name: 'Create role' }).click();
  await page.getByRole('region', { name: 'Role Auditor' }).waitFor();
  await openWithin(page, `${organization}/people`);
  await page.getByRole('combobox', { name: 'Role for person-0001' }).selectOption({ label: 'Auditor' });
  await page.getByText('1 person changed').waitFor();
  await page.getByRole('button', { name: 'Invite p1@large.test' }).click();
  assert.match(await page.getByTestId('invitation-link').innerText(), /\/welcome#/);
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByText('Invited', { exact: true }).waitFor();
  await openWithin(page, `${organization}/audit-log`);
  await page.getByRole('table', { name: 'Audit log' }).getByText('Auditor').first().waitFor();
  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export CSV' }).click();
  assert.equal((await downloading).suggestedFilename(), 'audit-log.csv');
});

test('a team is created, filled by searching among 2,000 people, renamed, emptied, and deleted', async () => {
  const { page } = admin;
  await openWithin(page, `${organization}/teams`);
  await page.getByText('No teams yet').waitFor();
  await page.getByRole('button', { name: 'Create team' }).click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Payments');
  await page.getByRole('dialog').getByRole('button', { name: 'Create team' }).click();
  const team = page.getByRole('region', { name: 'Team Payments' });
  await team.getByText('Nobody is in this team').waitFor();
  const people = team.getByRole('combobox', { name: 'Add people' });
  await people.click();
  await page.getByText('There are more: type to narrow the list').waitFor();
  await assertAccessible(page, 'a long list of people to choose from');
  for (const name of ['person-1777', 'PERSON-0042']) {
    await people.fill(name);
    await page.getByRole('option', { name: name.toLowerCase() }).click();
  }
  await assertAccessible(page, 'adding people');
  await team.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByText('2 people changed').waitFor();
  await team.getByRole('link', { name: 'person-1777' }).waitFor();
  await team.getByRole('button', { name: 'Remove person-0042 from the team' }).click();
  await team.getByText('1 person', { exact: true }).waitFor();
  await team.getByRole('button', { name: 'Rename team' }).click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Money');
  await page.getByRole('dialog').getByRole('button', { name: 'Rename team' }).click();
  await page.getByRole('region', { name: 'Team Money' }).waitFor();
  await page.getByRole('button', { name: 'Delete team' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByText('No teams yet').waitFor();
  await assertClean(admin, 'teams');
});

test('of a team of 2,000 people only the visible ones are rendered, at every width', async () => {
  const scope = `scope=organization:${id}`;
  const headers = { cookie, ...fromDashboard };
  const { json } = await server.call('POST', `/dashboard/v1/teams?${scope}`, {
    headers,
    body: { name: 'Everybody' },
  });
  for (let start = 0; start < peopleCount - 1; start += 500) {
    const add = Array.from(
      { length: Math.min(500, peopleCount - 1 - start) },
      (_, index) => `p${String(start + index).padStart(4, '0')}`,
    );
    await server.call('PATCH', `/dashboard/v1/teams/${json.id}/members?${scope}`, { headers, body: { add } });
  }
  for (const width of [1440, 390]) {
    const guest = await visitor({ width });
    await guest.page.goto(`${organization}/teams?team=${json.id}`);
    const remove = guest.page.getByRole('button', { name: 'Remove person-0000 from the team' });
    await remove.waitFor();
    const box = await remove.boundingBox();
    assert.ok(box !== null && box.x >= 0 && box.x + box.width <= width, JSON.stringify(box));
    assert.ok((await rowCount(guest.page, 'People in the team')) < 60, 'few rows are in the page');
    await scrollToRow(guest.page, 250);
    await guest.page.getByRole('textbox', { name: 'Search in the team' }).fill('1998');
    await guest.page.getByRole('link', { name: 'person-1998' }).waitFor();
    await assertAccessible(guest.page, `a large team, ${width} px`);
    await assertClean(guest, `a large team, ${width} px`);
  }
});

test('of 5,000 findings any is found, opened with its history and code, and dismissed with a reason', async () => {
  const { page } = admin;
  await openWithin(page, `${organization}/security`);
  await page.getByText(`${findingCount.toLocaleString('en-GB')} findings`).waitFor();
  assert.ok((await rowCount(page, 'Findings')) < 60, 'few rows are in the page');
  await page.getByRole('textbox', { name: 'Search' }).fill('finding 4321');
  await page.getByText('1 finding', { exact: true }).waitFor();
  await page.getByRole('button', { name: /^Finding 4321/ }).click();
  const drawer = page.getByRole('dialog');
  await drawer.getByText('First detected').waitFor();
  await assertAccessible(page, 'a finding');
  await drawer.getByRole('textbox', { name: 'Reason for dismissal' }).fill('Only in tests');
  await drawer.getByRole('button', { name: 'Dismiss finding' }).click();
  await drawer.getByText('Dismissed by user-9001', { exact: true }).waitFor();
  await page.goto(`${organization}/security?state=dismissed`);
  await page.getByText('1 finding', { exact: true }).waitFor();
  await assertClean(admin, 'security');
});

test('a Learning is written for any of 300 repositories, and shown by its health', async () => {
  const { page } = admin;
  await openWithin(page, `${organization}/learnings`);
  await page.getByRole('button', { name: 'New Learning' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'Repository' }).fill('name-299');
  await page.getByRole('option', { name: 'service-with-a-long-name-299' }).click();
  await dialog.getByRole('textbox', { name: 'Learning' }).fill('Close what you open');
  await dialog.getByRole('button', { name: 'Create Learning' }).click();
  await page.getByText('Close what you open').waitFor();
  await page.getByRole('button', { name: /^Stale/ }).click();
  await page.getByText('Close what you open').waitFor({ state: 'detached' });
  await page
    .getByText(/^Learning \d+: prefer/)
    .first()
    .waitFor();
  await assertAccessible(page, 'Learnings');
  await assertClean(admin, 'Learnings');
});

test('a repository beyond the first hundred is found in the settings, and an owner of a key among 2,000 people', async () => {
  const { page } = admin;
  await openWithin(page, `${organization}/settings`);
  await page.getByRole('textbox', { name: 'Search' }).fill('NAME-299');
  await page
    .getByRole('textbox', { name: 'Approval delay for service-with-a-long-name-299, in days' })
    .waitFor();
  await openWithin(page, `${organization}/keys`);
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByRole('combobox', { name: 'Owner' }).fill('person-1998');
  await page.getByRole('option', { name: /person-1998/ }).click();
  await assertAccessible(page, 'owner of a key');
  await assertClean(admin, 'settings and keys');
});

test('of 600 pending Learnings none is cut off: the queue counts them, reaches the last, and decides about the ticked ones', async () => {
  const { page } = admin;
  await openWithin(page, `${organization}/learnings?tab=pending`);
  await page.getByText(`${pendingCount} pending`, { exact: true }).waitFor();
  await page.getByRole('checkbox', { name: 'Select Pending 001' }).check();
  await page.getByRole('button', { name: 'Approve', exact: true }).click();
  await page.getByText(`${pendingCount - 1} pending`, { exact: true }).waitFor();
  const last = page.getByText(`Pending ${pendingCount}: say what you mean.`);
  await scrollUntil(page, 'the last one', () => last.isVisible());
  await assertAccessible(page, 'the queue');
  await assertClean(admin, 'the queue');
});

/** The pages that neither the other tests here nor those of the numbers check, with a text of each. */
const otherPages: Record<string, string | RegExp> = {
  overview: 'No comments on merged pull requests in this period',
  reviews: 'No reviews',
  'reviews/01900000-0000-7000-8000-000000000000': /no such|not found/i,
  rules: 'No rule has been used yet',
  roles: /1,9\d\d people/,
  'audit-log': /\d entr(y|ies)$/,
  webhooks: 'No webhooks yet',
  'review-settings': 'No MCP servers yet',
};

test('every other page opens with 2,000 people and 5,000 findings', async () => {
  const { page } = admin;
  await openWithin(page, `${organization}/learnings`);
  for (const [place, text] of Object.entries(otherPages)) {
    await openWithin(page, `${organization}/${place}`);
    await page.getByText(text).first().waitFor();
    await assertAccessible(page, place);
  }
});
