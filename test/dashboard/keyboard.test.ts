import assert from 'node:assert/strict';
import { startTestApp } from '../harness.ts';
import { samplePlatform } from '../sample-platform.ts';
import { signInAs } from '../session.ts';
import { assertAccessible, assertClean, assertOnScale, startBrowser } from './browser.ts';
import { buildDashboard } from './build-dashboard.ts';
import { test } from './chromium.ts';

await buildDashboard();
const server = await startTestApp();
server.now = new Date();
await server.platform(samplePlatform());
const url = await server.app.server.listen({ host: '127.0.0.1', port: 0 });
const browser = await startBrowser(url);
const [own] = await server.database.sql<{ id: string; repositoryId: string }[]>`
  SELECT o.id, r.id AS "repositoryId" FROM organizations o JOIN repositories r ON r.organization_id = o.id
  WHERE o.provider_organization_id = '1001' LIMIT 1`;
const place = `/organizations/${own!.id}`;
await server.database.sql`
  INSERT INTO learnings (organization_id, id, repository_id, learning, content_hash, author_id, origin, visibility,
    pull_requests, approval, redactor_version, created_at, updated_at, usage_count, index_due_at, index_version)
  SELECT ${own!.id}, gen_random_uuid(), ${own!.repositoryId}, 'Learning ' || n || ': prefer the clear way.',
    sha256(n::text::bytea), '9001', 'api', 'shared', '{}', 'approved', 1, timestamptz '2026-01-01' + n * interval '1 hour', '2026-01-01', 0, '2100-01-01', 0
  FROM generate_series(1, 60) AS n`;

async function visitorAs(email: string, options: Parameters<typeof browser.visitor>[0] = {}) {
  const { cookie } = await signInAs(server, email);
  const visitor = await browser.visitor(options);
  const [name, value] = cookie.split('=') as [string, string];
  await visitor.context.addCookies([{ name, value, url }]);
  return visitor;
}
const palette = 'Search pages, pull requests, people, Learnings and findings';

test('the navigation has three groups, and each lists only what the person can open', async () => {
  const { page } = await visitorAs('user-9001@acme.test');
  await page.goto(`${place}/reviews`);
  const navigation = page.getByRole('navigation', { name: 'Pages' });
  await navigation.getByRole('list', { name: 'Work' }).getByRole('link', { name: 'Reviews' }).waitFor();
  await navigation.getByRole('list', { name: 'Insights' }).getByRole('link', { name: 'Overview' }).waitFor();
  await navigation
    .getByRole('list', { name: 'Administration' })
    .getByRole('link', { name: 'People' })
    .waitFor();
  const member = await visitorAs('user-9002@acme.test');
  await member.page.goto(`${place}/reviews`);
  await member.page.getByRole('list', { name: 'Work' }).waitFor();
  assert.equal(await member.page.getByRole('link', { name: 'Audit log' }).count(), 0);
});

for (const options of [{}, { width: 390, colorScheme: 'dark' }] as const)
  test(`Ctrl-K finds pages, people and Learnings without the mouse, and gives the focus back: ${options.width ?? 1280} px`, async () => {
    const admin = await visitorAs('user-9001@acme.test', options);
    const { page } = admin;
    await page.goto(`${place}/learnings`);
    await page.getByText('Learning 60:').waitFor();
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: palette });
    await field.waitFor();
    await page.getByRole('option', { name: /^Overview/ }).waitFor();
    await assertAccessible(page, 'the palette');
    await assertOnScale(page, 'the palette');
    await page.keyboard.press('Escape');
    await field.waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await field.fill('user-9002');
    await page.getByRole('option', { name: /user-9002@acme\.test/ }).waitFor();
    await assertAccessible(page, 'people in the palette');
    const chosen = await field.getAttribute('aria-activedescendant');
    assert.match((await page.locator(`[id="${chosen}"]`).textContent()) ?? '', /user-9002@acme\.test/);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/people?search=user-9002');
    // The URL changes before the page is rendered and listens to keys; the same holds below.
    await page.getByRole('heading', { level: 1, name: 'People' }).waitFor();
    await page.keyboard.press('Control+k');
    await field.fill('learning 41');
    await page.getByRole('option', { name: /Learning 41: prefer/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/learnings?search=Learning+41*');
    await page.getByText('Learning 41: prefer').waitFor();
    await page.keyboard.press('Control+k');
    await field.fill('audit');
    await page.getByRole('option', { name: /^Audit log/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/audit-log');
    await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor();
    await page.keyboard.press('Control+k');
    await field.fill('nothing is called so');
    await page.getByText('Nothing found').waitFor();
    await assertClean(admin, 'the palette');
  });

test('the palette requests only data that a member may see', async () => {
  const { page } = await visitorAs('user-9002@acme.test');
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto(`${place}/reviews`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: palette }).fill('learning 7');
  await page.getByRole('option', { name: /Learning 7:/ }).waitFor();
  assert.equal(asked.includes('/dashboard/v1/people'), false);
  assert.equal(await page.getByRole('option', { name: /^Audit log/ }).count(), 0);
});

test('j and k go through the rows of a list, Enter opens one, and ? shows the shortcuts; typing in a field triggers none', async () => {
  const admin = await visitorAs('user-9001@acme.test');
  const { page } = admin;
  await page.goto(`${place}/learnings`);
  await page.getByText('Learning 60:').waitFor();
  const current = () =>
    page.evaluate(`document.activeElement.closest('[data-row]')?.textContent ?? ''`) as Promise<string>;
  await page.keyboard.press('j');
  assert.match(await current(), /Learning 60:/);
  for (let step = 0; step < 30; step += 1) await page.keyboard.press('j');
  assert.match(await current(), /Learning 30:/);
  await page.keyboard.press('k');
  assert.match(await current(), /Learning 31:/);
  await page.getByRole('textbox', { name: 'Text' }).pressSequentially('jk?');
  await page.waitForURL('**/learnings?search=jk*');
  await page.goto(`${place}/teams`);
  await page.getByRole('heading', { level: 1, name: 'Teams' }).waitFor();
  await page.evaluate(`(() => {
    const row = Object.assign(document.createElement('div'), { tabIndex: -1 });
    row.dataset.row = '';
    const button = Object.assign(document.createElement('button'), { onclick: () => { window.acted = true; } });
    row.append(button);
    document.querySelector('main').append(row);
    window.addedRow = row;
    row.focus();
  })()`);
  await page.keyboard.press('Enter');
  assert.equal(
    await page.evaluate('window.acted ?? false'),
    false,
    'buttons of a row are not pressed by Enter',
  );
  await page.evaluate('window.addedRow.remove()');
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  await assertAccessible(page, 'the keys');
  await assertOnScale(page, 'the keys');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await assertClean(admin, 'the keyboard');
});
