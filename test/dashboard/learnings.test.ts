import assert from 'node:assert/strict';
import { citeLearnings } from '../citing-findings.ts';
import { startLearnings } from '../learnings-fixture.ts';
import { signInAs } from '../session.ts';
import { assertAccessible, assertClean, assertOnScale, startBrowser } from './browser.ts';
import { buildDashboard } from './build-dashboard.ts';
import { test } from './chromium.ts';

await buildDashboard();
const server = await startLearnings();
server.now = new Date();
const { sql } = server.database;
const repository = await server.repository('501');
const base = `/organizations/${repository.organizationId}/learnings`;
const url = await server.app.server.listen({ host: '127.0.0.1', port: 0 });
const browser = await startBrowser(url);
const folder = process.env.POSTIL_SCREENSHOTS;

await server.create('Use default exports in the React components of the shop');
await server.create('Never use default exports in the React components of the shop');
const one = await server.create('Close database connections in a finally block, always');
await server.create('Always close database connections in a finally block');
await server.create({ learning: 'Names of services end in -service', file: 'src/services' });
await server.create('Retries back off exponentially, with jitter, and give up after an hour');
await sql`UPDATE learnings SET file_missing_since = ${server.now} WHERE file IS NOT NULL`;
await sql`
  UPDATE learnings SET created_at = created_at - interval '200 days' WHERE learning LIKE 'Retries%'`;
for (const accepted of [true, true, false, null]) await citeLearnings(server, repository, [one], accepted);
await server.event('postil.learning_used', { learning_id: one });
await server.runSchedule('learnings-compare');

async function visitorAs(email: string, options: Parameters<typeof browser.visitor>[0] = {}) {
  const { cookie } = await signInAs(server, email);
  const visitor = await browser.visitor(options);
  const [name, value] = cookie.split('=') as [string, string];
  await visitor.context.addCookies([{ name, value, url }]);
  return visitor;
}

const appearances = [
  { width: 1440, colorScheme: 'light' },
  { width: 1024, colorScheme: 'dark' },
  { width: 390, colorScheme: 'light' },
  { width: 390, colorScheme: 'dark' },
] as const;

test('each Learning shows its effects, why it may be out of date, and similar ones, in every size', async () => {
  for (const options of appearances) {
    const guest = await visitorAs('user-9001@acme.test', options);
    const { page } = guest;
    const where = `the Learnings, ${options.width} px, ${options.colorScheme}`;
    await page.goto(base);
    await page.getByText('src/services is no longer on the default branch').waitFor();
    await page.getByText(/never used since it was written/).waitFor();
    await page.getByText('Cited by 4 comments: 2 accepted, 1 not accepted, 1 unknown').waitFor();
    // Both Learnings have the same text.
    await page
      .getByText(/only “Never use default exports in the React …” advises against “default”/)
      .nth(1)
      .waitFor();
    await page.getByText('Possible duplicate').nth(1).waitFor();
    if (folder)
      await page.screenshot({
        path: `${folder}/learnings-${options.width}-${options.colorScheme}.png`,
        fullPage: true,
      });
    if (options.colorScheme === 'dark') await assertAccessible(page, where);
    await assertOnScale(page, where);
    await assertClean(guest, where);
  }
});

test('the comments that cite a Learning lead to their places, and the keyboard comes back to where it was', async () => {
  const guest = await visitorAs('user-9001@acme.test');
  const { page } = guest;
  await page.goto(base);
  const opener = page.getByRole('button', { name: /^Cited by 4 comments/ });
  await opener.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Comments that cite this Learning' });
  const links = dialog.getByRole('link');
  await links.nth(3).waitFor();
  assert.match(
    (await links.first().getAttribute('href'))!,
    /\/pull-requests\/501\/7\?tab=changes&finding=f\d+$/,
  );
  await dialog.getByText('Not accepted', { exact: true }).waitFor();
  if (folder) await page.screenshot({ path: `${folder}/learnings-citing.png` });
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page
    .getByRole('button', { name: /^Cited by 4 comments/ })
    .and(page.locator(':focus'))
    .waitFor();
  await assertClean(guest, 'comments that cite a Learning');
});

test('a group of Learnings has its own address, and an empty one says why', async () => {
  const { page } = await visitorAs('user-9001@acme.test');
  await page.goto(base);
  await page.getByRole('button', { name: /^Retired 0/ }).click();
  await page.waitForURL(`**${base}?health=retired`);
  await page.getByText('Retire a Learning that reviews should no longer follow').waitFor();
  await page.getByRole('button', { name: /^Stale 2/ }).click();
  await page.getByText('Names of services').waitFor();
  assert.equal(await page.getByText('Always close database').count(), 0);
});

test('two are merged with the text of either or a new one, one is retired and brought back, and both can be right', async () => {
  const guest = await visitorAs('user-9001@acme.test', { width: 390 });
  const { page } = guest;
  await page.goto(`${base}?health=duplicate`);
  await page.getByRole('button', { name: 'Merge' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Merge two Learnings' });
  await dialog.getByRole('radio').nth(1).check();
  const field = dialog.getByRole('textbox', { name: 'Text to keep' });
  const other = await dialog.getByRole('radio').nth(1).getAttribute('value');
  const [{ learning } = { learning: '' }] = await sql<{ learning: string }[]>`
    SELECT learning FROM learnings WHERE organization_id = ${repository.organizationId} AND id = ${other}`;
  assert.equal(await field.inputValue(), learning);
  await assertAccessible(page, 'merging Learnings');
  if (folder) await page.screenshot({ path: `${folder}/learnings-merge.png` });
  await field.fill('Close connections to the database in a finally block');
  await dialog.getByRole('button', { name: 'Merge' }).click();
  await page.getByText('Merged; the other one is retired').waitFor();
  await page.goto(`${base}?health=retired`);
  await page.getByText(/^Retired .*, merged into another one$/).waitFor();
  await page.getByRole('button', { name: 'Restore' }).click();
  await page.getByText('Restored; reviews follow it again').waitFor();
  await page.getByText('Retire a Learning that reviews should no longer follow').waitFor();
  await page.goto(`${base}?health=conflict`);
  await page.getByRole('button', { name: 'Keep both' }).first().click();
  await page.getByText('They will no longer be shown as similar').waitFor();
  await page.getByText('No two Learnings seem to contradict each other').waitFor();
  await page.goto(`${base}?search=Retries`);
  await page.getByRole('button', { name: 'Retire', exact: true }).click();
  await page.getByText('Retired; reviews no longer follow it').waitFor();
  await assertClean(guest, 'merging and retiring');
  const exported = await server.list();
  assert.equal(
    exported.some(({ learning: text }) => text.startsWith('Retries')),
    false,
  );
});

test('people who may not write Learnings are offered no changes, and members of other organizations see none of them', async () => {
  const [elsewhere] = await sql`SELECT id FROM organizations WHERE provider_organization_id = '3001'`;
  await sql`
    UPDATE members SET role = 'cr_billing_admin' WHERE organization_id = ${repository.organizationId} AND provider_user_id = '9002'`;
  const reader = await visitorAs('user-9002@acme.test');
  await reader.page.goto(base);
  await reader.page.getByText('Names of services').waitFor();
  assert.equal(await reader.page.getByRole('button', { name: /^(Retire|Merge|Keep both|Edit)$/ }).count(), 0);
  await reader.page.goto(`/organizations/${elsewhere!.id}/learnings`);
  await reader.page.getByText('No Learnings', { exact: true }).waitFor();
  assert.equal(await reader.page.getByText('Names of services').count(), 0);
});
