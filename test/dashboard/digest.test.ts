import assert from 'node:assert/strict';
import { after } from 'node:test';
import { fillWeek, makeDigestOrganizations, monday } from '../digest-organization.ts';
import { startTestApp } from '../harness.ts';
import { headerOf, startMailServer } from '../mail-server.ts';
import type { TestSession } from '../session.ts';
import { assertAccessible, assertClean, startBrowser } from './browser.ts';
import { buildDashboard } from './build-dashboard.ts';
import { test } from './chromium.ts';
import { untilTrue } from './navigation.ts';

await buildDashboard();
const mail = await startMailServer();
after(() => mail.close());
const server = await startTestApp({ settings: { mail: mail.settings } });
const [one, two] = await makeDigestOrganizations(server);
await fillWeek(server, '6001');
server.now = monday;
await server.database.sql`
  INSERT INTO review_rules (organization_id, rule, accepted, rejected, state, since)
  VALUES (${one.organizationId}, 'noisy/rule', 1, 19, 'quiet', '2026-06-16')`;
const url = await server.app.server.listen({ host: '127.0.0.1', port: 0 });
const browser = await startBrowser(url);
const path = `/organizations/${one.organizationId}/digest`;

async function visitorWith({ cookie }: TestSession, options: Parameters<typeof browser.visitor>[0] = {}) {
  const visitor = await browser.visitor(options);
  const [name, value] = cookie.split('=') as [string, string];
  await visitor.context.addCookies([{ name, value, url }]);
  return visitor;
}

test('an admin reads the week, chooses a team, sets up a digest, previews it and has it mailed', async () => {
  const visitor = await visitorWith(one.admin);
  const { page } = visitor;
  await page.goto(path);
  await page.getByRole('region', { name: 'Stuck' }).getByText('<img src=x onerror="alert(1)">').waitFor();
  await page.getByText('The digest is not sent by mail or to a chat yet.').waitFor();
  await assertAccessible(page, 'digest');
  await page.getByLabel('Digest of').selectOption({ label: 'Team 6001' });
  await page.waitForURL(`**/digest?team=${one.teamId}`);
  await page.getByText('2 fixed, 1 not').waitFor({ state: 'detached' });
  assert.equal(await page.getByText('Rules that went quiet').count(), 0);

  const add = page.getByRole('button', { name: 'Add digest' });
  await add.click();
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await untilTrue(page, "document.activeElement?.textContent === 'Add digest'");
  await add.click();
  await dialog.getByLabel('Email addresses').fill('nobody');
  await dialog.getByLabel('Chat').selectOption('slack');
  await dialog.getByLabel('URL of the incoming webhook').fill('https://chat.example/T0/B0/secret-path');
  await assertAccessible(page, 'the form of a digest');
  await dialog.getByRole('button', { name: 'Add digest' }).click();
  await dialog.getByRole('alert').waitFor();
  await dialog.getByLabel('Email addresses').fill('lead@one.test');
  await dialog.getByRole('button', { name: 'Add digest' }).click();
  const card = page.getByRole('article', { name: 'Digest: The whole organization' });
  await card.getByText('Monday at 07:00 UTC to 1 address and Slack (chat.example)').waitFor();
  assert.ok(!(await page.content()).includes('secret-path'));

  await card.getByRole('button', { name: 'Send test mail to me' }).click();
  await page.getByText('Sent to admin@one.test').waitFor();
  await card.getByRole('button', { name: 'Preview' }).click();
  const preview = page.getByRole('dialog');
  await preview.frameLocator('iframe').getByRole('heading', { name: 'The week of Org 6001' }).waitFor();
  await preview.getByRole('tab', { name: 'Slack' }).click();
  await preview.getByText('"plain_text"').first().waitFor();
  await page.keyboard.press('Escape');
  // The browser logs the expected 400 in its console.
  visitor.problems.splice(
    0,
    visitor.problems.length,
    ...visitor.problems.filter((problem) => !problem.includes('400')),
  );
  await assertClean(visitor, 'digest');
});

test('in a narrow dark window as well, with the deliveries that failed', async () => {
  await server.database
    .sql`UPDATE digests SET next_due_at = ${monday}, chat_kind = NULL, chat_host = NULL, chat_secret_id = NULL`;
  mail.answerRecipient = () => '550 no such user';
  await server.app.schedules.find(({ name }) => name === 'send digests')!.run(new AbortController().signal);
  mail.answerRecipient = () => '250 fine';
  const visitor = await visitorWith(one.admin, { width: 390, colorScheme: 'dark' });
  await visitor.page.goto(path);
  await visitor.page.getByText('550 no such user').waitFor();
  await assertAccessible(visitor.page, 'digest, 390 px wide and dark');
  await assertClean(visitor, 'digest, 390 px wide');
});

test('a digest that cannot be sent, since there is no mail server, is not called active', async () => {
  const { page } = await visitorWith(one.admin);
  await page.route('**/dashboard/v1/digests?*', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), has_mail: false } });
  });
  await page.goto(path);
  const card = page.getByRole('article', { name: 'Digest: The whole organization' });
  await card.getByText(/^No mails are sent until .* POSTIL_SMTP_URL/).waitFor();
  assert.equal(await card.getByText('Active', { exact: true }).count(), 0);
});

test('a member reads the week and is offered no settings; another organization’s admin sees nothing of it', async () => {
  const member = await visitorWith(one.member);
  await member.page.goto(path);
  await member.page.getByRole('region', { name: 'Stuck' }).getByText('api #72').waitFor();
  assert.equal(await member.page.getByText('Weekly deliveries').count(), 0);
  await assertClean(member, 'digest of a member');
  const stranger = await visitorWith(two.admin);
  await stranger.page.goto(path);
  await stranger.page.getByText('You do not have access to this page').waitFor();
  assert.ok(!(await stranger.page.content()).includes('Org 6001'));
});

test('the link in a mail unsubscribes without signing in', async () => {
  const received = mail.mails.find(({ to }) => to === 'admin@one.test')!;
  const oneClick = new URL(/<(.*)>/.exec(headerOf(received, 'List-Unsubscribe')!)![1]!);
  const visitor = await browser.visitor({ width: 390 });
  await visitor.page.goto(`${oneClick.pathname}${oneClick.search}`);
  await visitor.page.getByRole('button', { name: 'Unsubscribe' }).waitFor();
  await assertAccessible(visitor.page, 'unsubscribe');
  await visitor.page.getByRole('button', { name: 'Unsubscribe' }).click();
  await visitor.page.getByText('admin@one.test will no longer receive this digest').waitFor();
  await assertClean(visitor, 'unsubscribe');
});
