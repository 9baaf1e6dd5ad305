import assert from 'node:assert/strict';
import { after } from 'node:test';
import { startTestApp } from '../harness.ts';
import { member, samplePlatform } from '../sample-platform.ts';
import { signInAs } from '../session.ts';
import { startWebhookReceiver, verify } from '../webhook-receiver.ts';
import { assertAccessible, assertClean, startBrowser } from './browser.ts';
import { buildDashboard } from './build-dashboard.ts';
import { test } from './chromium.ts';
import { untilShortlyShown } from './navigation.ts';

await buildDashboard();
const server = await startTestApp({
  settings: { customerAddresses: { ranges: [['127.0.0.1', 32]], hosts: [] } },
});
server.now = new Date();
await server.platform(samplePlatform());
const receiver = await startWebhookReceiver();
after(() => receiver.close());
const url = await server.app.server.listen({ host: '127.0.0.1', port: 0 });
const browser = await startBrowser(url);
const [own] = await server.database.sql`SELECT id FROM organizations WHERE provider_organization_id = '1001'`;
const organization = `/organizations/${own!.id}`;

async function visitorAs(email: string) {
  const { cookie } = await signInAs(server, email);
  const visitor = await browser.visitor();
  const [name, value] = cookie.split('=') as [string, string];
  await visitor.context.addCookies([{ name, value, url }]);
  return visitor;
}
const deliver = () =>
  server.app.schedules.find(({ name }) => name === 'deliver webhooks')!.run(new AbortController().signal);

test('a webhook: added with its secret shown once, tested, replayed, edited, rotated, paused and removed', async () => {
  const admin = await visitorAs('user-9001@acme.test');
  const { page } = admin;
  await page.goto(`${organization}/webhooks`);
  await page.getByText('No webhooks yet').waitFor();
  await page.getByRole('button', { name: 'Add webhook' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'URL' }).fill('http://10.0.0.1/');
  await dialog.getByRole('checkbox', { name: 'A member, role or seat has changed' }).check();
  await assertAccessible(page, 'the form');
  await dialog.getByRole('button', { name: 'Add webhook' }).click();
  await dialog.getByText('is an internal address').waitFor();
  await dialog.getByRole('textbox', { name: 'URL' }).fill(`${receiver.url}/postil`);
  await dialog.getByRole('button', { name: 'Add webhook' }).click();
  const secret = await page.getByTestId('webhook-secret').innerText();
  await untilShortlyShown(page, 'Copied', () => page.getByRole('button', { name: 'Copy secret' }).click());
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), secret);
  await page.getByRole('button', { name: 'Done' }).click();
  const card = page.getByRole('article');
  await card.getByText('Active').waitFor();
  assert.ok(!(await page.content()).includes(secret), 'the secret is not shown again');

  receiver.react = () => 500;
  await card.getByRole('button', { name: 'Send test' }).click();
  await page.getByText('A test event is on its way').waitFor();
  await deliver();
  verify(secret, receiver.calls[0]!);
  await card.getByRole('button', { name: 'Deliveries' }).click();
  await dialog.getByText('Response 500: an answer').waitFor();
  await assertAccessible(page, 'deliveries');
  receiver.react = () => 204;
  await dialog.getByRole('button', { name: /^Replay Test event/ }).click();
  await page.getByText('The event will be sent again').waitFor();
  await deliver();
  await dialog.getByRole('cell', { name: 'Delivered' }).waitFor();
  assert.equal(receiver.calls[1]!.event.id, receiver.calls[0]!.event.id);
  await page.keyboard.press('Escape');

  await card.getByRole('button', { name: 'Edit' }).click();
  await dialog.getByRole('checkbox', { name: 'A review has finished' }).check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await card.getByText('A member, role or seat has changed · A review has finished').waitFor();

  await card.getByRole('button', { name: 'Rotate secret' }).click();
  await dialog.getByRole('button', { name: 'Replace secret' }).click();
  const rotated = await page.getByTestId('webhook-secret').innerText();
  assert.notEqual(rotated, secret);
  await page.getByRole('button', { name: 'Done' }).click();
  await server.platform({
    organizations: [{ provider: 'github', provider_organization_id: '1001', members: [member('9070')] }],
  });
  await deliver();
  for (const valid of [secret, rotated]) verify(valid, receiver.calls[2]!);

  await card.getByRole('button', { name: 'Pause' }).click();
  await card.getByText('Paused').waitFor();
  await card.getByRole('button', { name: 'Resume' }).click();
  await card.getByText('Active').waitFor();
  receiver.react = () => 410;
  // The message about the first test event may still be shown, so the test waits for the response.
  const sent = page.waitForResponse((response) => response.url().includes('/test?'));
  await card.getByRole('button', { name: 'Send test' }).click();
  await sent;
  await deliver();
  await page.reload();
  await card.getByText(/Paused by the server/).waitFor();
  await card.getByText(/answered 410/).waitFor();
  await assertAccessible(page, 'a paused webhook');

  await card.getByRole('button', { name: 'Remove' }).click();
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await page.getByText('No webhooks yet').waitFor();
  // The browser logs the expected 400 in its console.
  admin.problems.splice(0, admin.problems.length, ...admin.problems.filter((text) => !text.includes('400')));
  await assertClean(admin, 'webhooks');
});

test('a member without the Admin role is not offered the page', async () => {
  const { page } = await visitorAs('user-9002@acme.test');
  await page.goto(`${organization}/overview`);
  const links = page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
  await links.first().waitFor();
  assert.ok(!(await links.allInnerTexts()).includes('Webhooks'));
});
