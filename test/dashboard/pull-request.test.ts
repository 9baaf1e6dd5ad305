import assert from 'node:assert/strict';
import { after } from 'node:test';
import type { Page } from 'playwright-core';
import { password, signInAs } from '../session.ts';
import { assertAccessible, assertClean, assertOnScale, startBrowser } from './browser.ts';
import { buildDashboard } from './build-dashboard.ts';
import { test } from './chromium.ts';
import { loadingOf, untilTrue } from './navigation.ts';
import { startReviewedOrganization } from './reviewed-pull-request.ts';

await buildDashboard();
const place = await startReviewedOrganization();
const { app, organizationId } = place;
const url = await app.app.server.listen({ host: '127.0.0.1', port: 0 });
const browser = await startBrowser(url);
const sessions = {
  admin: await signInAs(app, 'user-9001@acme.test'),
  biller: await signInAs(app, 'user-9004@acme.test'),
  stranger: await signInAs(app, 'user-9009@acme.test'),
};
after(() => app.queue.stop());
const { run } = await place.reviewFully(7);
const pageOf = (number: number) => `/organizations/${organizationId}/pull-requests/501/${number}`;

async function visitor(
  options: Parameters<typeof browser.visitor>[0] = {},
  who: keyof typeof sessions = 'admin',
) {
  const visited = await browser.visitor(options);
  const [name, value] = sessions[who].cookie.split('=') as [string, string];
  await visited.context.addCookies([{ name, value, url }]);
  return visited;
}

const hostile = [
  '<script>window.wasRun = 1</script><img src=x onerror="window.wasRun = 2">',
  '<iframe src="https://evil.test"></iframe><style>body { display: none }</style><svg onload="window.wasRun = 3">',
  '<form action="https://evil.test"><input autofocus onfocus="window.wasRun = 4"></form>',
  '![pixel](https://evil.test/pixel.png) ![](data:image/png;base64,AAAA) ![](//evil.test/a.png)',
  '[run](javascript:window.wasRun=5) [run](data:text/html,a) [here](/connections) [there](https://evil.test/page)',
  '<a href="javascript:window.wasRun=6">raw</a> <https://docs.test/a>',
  `${'>'.repeat(5_000)} deep`,
].join('\n\n');
const polite = `<!-- postil:finding -->
# A list

- one **bold** and \`code\`, https://plain.test/
- two

| a | b |
| --- | --- |
| 1 | 2 |

\`\`\`suggestion
return 1;
\`\`\`
<sub>Found by a rule.</sub>`;

/** The number of rows of the diff that are rendered. */
const rowsIn = async (page: Page): Promise<number> =>
  page.locator('section[aria-label="Diff"] [data-index]').count();

test('the report contains everything that the review knows, and each place in it links to the diff', async () => {
  const guest = await visitor({ width: 1440 });
  const { page } = guest;
  await page.goto(pageOf(7));
  await page.getByRole('heading', { level: 1, name: 'Totals with discounts' }).waitFor();
  for (const part of [
    'Checks (3)',
    'Findings (2)',
    'Impact (2)',
    'Dependencies (2)',
    'Contracts (1)',
    'Walkthrough',
  ])
    await page.getByRole('heading', { name: part }).waitFor();
  await page.getByText('2 open findings, 2 critical or major').waitFor();
  await assertAccessible(page, 'the report');
  await assertOnScale(page, 'the report');
  await assertClean(guest, 'the report');
  const uses = page.getByRole('list', { name: 'Uses of load' });
  await uses.getByRole('button', { name: 'Go to total' }).click();
  await page.getByRole('list', { name: 'Uses of total' }).waitFor();
  await page.getByRole('button', { name: /^load/ }).click();
  await uses.getByRole('button', { name: 'src/use.ts:12' }).click();
  const peek = page.getByRole('dialog', { name: 'src/use.ts:12' });
  await peek.getByText('export const use11 = 11;').waitFor();
  await assertAccessible(page, 'a place outside the diff');
  await page.keyboard.press('Escape');
  await page.getByRole('tab', { name: 'Report' }).click();
  await page.getByRole('button', { name: 'src/cart.ts:45' }).click();
  await page.getByRole('button', { name: 'Accept: Nothing equals `NaN`' }).waitFor();
});

test('findings are shown at their lines: reached with the keyboard, with a preview, links to places and verdict buttons', async () => {
  const guest = await visitor({ width: 1440 });
  const { page } = guest;
  await page.goto(`${pageOf(7)}?tab=changes`);
  const diff = page.getByRole('region', { name: 'Diff' });
  await diff.getByText('if (sum === NaN) return 0;').first().waitFor();
  await page.locator('.hl-keyword').first().waitFor();
  await page.getByRole('button', { name: 'Next finding' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('1 of 2', { exact: true }).waitFor();
  await untilTrue(page, "document.activeElement?.textContent.includes('Nothing equals')");
  const preview = diff.getByRole('group', { name: 'Suggestion' });
  await preview.getByText('if (Number.isNaN(sum)) return 0;').waitFor();
  await preview.getByText('if (sum === NaN) return 0;').waitFor();
  await diff.getByRole('button', { name: /^Show 40 unchanged lines from line 1 of/ }).click();
  await diff.getByText('export const step3 = 3;').waitFor();
  await page.getByText('Split', { exact: true }).click();
  await diff.locator('.diff-half').first().waitFor();
  await page.getByRole('button', { name: 'Next finding' }).click();
  const places = diff.getByRole('list', { name: 'Related places' });
  await places.getByRole('button', { name: 'src/cart.ts:46' }).click();
  await page.waitForURL('**at=src%2Fcart.ts%3A46**');
  await diff.locator('.diff-here').waitFor();
  const said = page.waitForRequest((request) => request.method() === 'PATCH');
  await page.route(`**/reviews/${run}/findings/*`, (route) => route.fulfill({ json: {} }));
  await page.getByRole('button', { name: 'Reject: Nothing equals `NaN`' }).click();
  assert.deepEqual((await said).postDataJSON(), { accepted: false });
  await assertAccessible(page, 'a split diff');
  await assertClean(guest, 'a split diff');
});

test('on a phone and in the dark the diff is readable, and reviews over time say what changed', async () => {
  const guest = await visitor({ width: 390, colorScheme: 'dark' });
  const { page } = guest;
  await page.goto(`${pageOf(7)}?tab=changes`);
  await page.getByRole('region', { name: 'Diff' }).getByText('if (sum === NaN) return 0;').first().waitFor();
  await page.locator('.hl-keyword').first().waitFor();
  await assertAccessible(page, 'a diff, 390 px, dark');
  await assertOnScale(page, 'a diff, 390 px, dark');
  await assertClean(guest, 'a diff, 390 px, dark');
  await page.getByRole('button', { name: 'Files (4)' }).click();
  await page
    .getByRole('dialog', { name: 'Files' })
    .getByRole('button', { name: /load\.ts/ })
    .click();
  await page.getByText('A call no longer fits').waitFor();
  await page.getByRole('tab', { name: 'Reviews (2)' }).click();
  await page.getByText('1 new, 1 gone, 1 unchanged').waitFor();
  await page.getByRole('button', { name: /^What changed/ }).click();
  await page
    .getByRole('list', { name: 'Gone findings' })
    .getByText('Was there in the first version')
    .waitFor();
  await assertAccessible(page, 'reviews over time');
  await page.getByRole('tab', { name: 'Conversation' }).click();
  await page.getByText('No Git host is connected for this repository.').waitFor();
  await page.goto(pageOf(7));
  await page.getByRole('heading', { name: 'Checks (3)' }).waitFor();
  await assertAccessible(page, 'the report, 390 px, dark');
  await assertClean(guest, 'the report, 390 px, dark');
});

test('untrusted text is shown as Markdown: it runs nothing, loads nothing and links only to the web', async () => {
  const guest = await visitor();
  const { page } = guest;
  const at = '2026-01-02T03:04:05.000Z';
  const said = (id: string, body: string) => ({
    id,
    author: { id: '9002', username: 'user-9002' },
    is_own: false,
    body,
    url: 'https://host.test/comment',
    created_at: at,
  });
  await page.route('**/pull-requests/501/7/conversation?*', (route) =>
    route.fulfill({
      json: { missing: null, is_cut: false, comments: [said('1', hostile), said('2', polite)], threads: [] },
    }),
  );
  await page.goto(`${pageOf(7)}?tab=conversation`);
  const texts = page.locator('.markdown');
  await texts.getByText('A list').waitFor();
  await texts.getByText('bold', { exact: true }).waitFor();
  const made = (await page.evaluate(`[...document.querySelectorAll('.markdown *')]
    .map(({ tagName, attributes }) => [tagName, ...[...attributes].map(({ name }) => name)].join(' '))
    .filter((one) => /^(SCRIPT|IMG|IFRAME|STYLE|FORM|INPUT|SVG|OBJECT|LINK|META|BASE|VIDEO|H[1-6])|\\bon/i.test(one))`)) as string[];
  assert.deepEqual(made, []);
  const links = (await page.evaluate(
    "[...document.querySelectorAll('.markdown a')].map(({ href, rel }) => href + ' ' + rel)",
  )) as string[];
  const rel = 'noopener noreferrer nofollow';
  assert.deepEqual(links, [
    `https://evil.test/pixel.png ${rel}`,
    `https://evil.test/page ${rel}`,
    `https://docs.test/a ${rel}`,
    `https://plain.test/ ${rel}`,
  ]);
  assert.equal(await page.evaluate('window.wasRun'), undefined);
  assert.equal(await texts.getByText('postil:finding').count(), 0);
  await assertAccessible(page, 'a conversation');
  await assertOnScale(page, 'a conversation');
  await assertClean(guest, 'a conversation');
});

test('people who may not see the code are told so, and get the findings', async () => {
  const guest = await visitor({}, 'biller');
  const { page } = guest;
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(`${pageOf(7)}?tab=changes`);
  await page
    .getByRole('heading', { name: 'You do not have access to the code of this repository' })
    .waitFor();
  await page.getByText('Nothing equals').waitFor();
  assert.deepEqual(
    asked.filter((one) => /\/(files|patch|lines|conversation)\?/.test(one)),
    [],
  );
  await assertAccessible(page, 'findings without code');
  await assertClean(guest, 'findings without code');
});

test('an admin of another organization sees neither the pull request nor the Inbox, digest and Learnings, nor a name of them', async () => {
  const { page } = await visitor({}, 'stranger');
  const told: string[] = [];
  page.on('response', (response) => {
    if (
      response.url().includes(organizationId) &&
      response.status() < 400 &&
      response.url().includes('/dashboard/v1/')
    )
      told.push(response.url());
  });
  const own = `/organizations/${organizationId}`;
  for (const path of [
    pageOf(7),
    `${pageOf(7)}?tab=changes`,
    `${own}/inbox`,
    `${own}/digest`,
    `${own}/learnings`,
  ]) {
    await page.goto(path);
    await page.getByRole('heading', { level: 1, name: 'You do not have access to this page' }).waitFor();
    assert.equal(await page.getByText(/Nothing equals|user-9001|org-\d+ #7/).count(), 0, path);
  }
  assert.deepEqual(told, []);
});

test('a session that has ended leads from a pull request to sign-in, and back to the same tab', async () => {
  const { page, context } = await visitor();
  const untilLoaded = loadingOf(page);
  await page.goto(pageOf(7));
  await page.getByRole('heading', { name: 'Checks (3)' }).waitFor();
  // A pending request would lead to sign-in by itself.
  await untilLoaded();
  await context.clearCookies();
  await page.getByRole('tab', { name: 'Conversation' }).click();
  await page.getByText('Your session has ended').waitFor();
  await page.getByLabel('Email address').fill('user-9001@acme.test');
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/pull-requests/501/7?tab=conversation');
  await page.getByText('No Git host is connected for this repository.').waitFor();
});

test('printed, a pull request is without the menu', async () => {
  const { page } = await visitor();
  await page.goto(pageOf(7));
  const menu = page.getByRole('navigation', { name: 'Pages' });
  await menu.waitFor();
  await page.getByRole('heading', { name: 'Checks (3)' }).waitFor();
  await page.emulateMedia({ media: 'print' });
  await menu.waitFor({ state: 'hidden' });
  await page.getByRole('heading', { name: 'Checks (3)' }).waitFor();
});

test('of 5,000 changed lines only the visible ones are rendered', async () => {
  const text = Array.from({ length: 5_000 }, (_, index) => `export const value${index} = ${index};\n`).join(
    '',
  );
  const finding = { path: 'src/long.ts', start_line: 4_900, end_line: 4_900, title: 'Far below' };
  await place.reviewLarge(8, { 'src/long.ts': text }, [finding]);
  const guest = await visitor();
  const { page } = guest;
  await page.goto(`${pageOf(8)}?tab=changes`);
  const diff = page.getByRole('region', { name: 'Diff' });
  await diff.getByText('value0 = 0;').waitFor();
  assert.ok((await rowsIn(page)) < 200);
  await page.getByRole('button', { name: 'Next finding' }).click();
  await page.getByText('Far below').waitFor();
  await diff.getByText('value4899 = 4899;').waitFor();
  assert.ok((await rowsIn(page)) < 200);
  await assertClean(guest, '5,000 changed lines');
});

test('of 3,000 changed files only the visible ones are requested', async () => {
  const names = Array.from({ length: 3_000 }, (_, index) => `src/part-${String(index).padStart(4, '0')}.ts`);
  await place.reviewLarge(
    9,
    Object.fromEntries(names.map((name) => [name, `export const a = '${name}';\n`])),
  );
  const guest = await visitor({ width: 1440 });
  const { page } = guest;
  let patches = 0;
  page.on('request', (request) => {
    if (request.url().includes('/patch?')) patches += 1;
  });
  await page.goto(`${pageOf(9)}?tab=changes`);
  await page.getByText('3,000 changed files').waitFor();
  const files = page.getByRole('complementary', { name: 'Files' });
  await files.getByLabel('Find a file').fill('part-2987');
  await files.getByRole('button', { name: /part-2987/ }).click();
  await page.getByRole('region', { name: 'Diff' }).getByText("'src/part-2987.ts'").waitFor();
  assert.ok((await rowsIn(page)) < 300);
  assert.ok(patches < 200, `${patches} patches were read`);
  await assertClean(guest, '3,000 changed files');
});
