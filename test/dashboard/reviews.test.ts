import assert from 'node:assert/strict';
import { after } from 'node:test';
import { startTestApp } from '../harness.ts';
import { member, organization, sampleKeys } from '../sample-platform.ts';
import { signInAs } from '../session.ts';
import { assertAccessible, assertClean, startBrowser } from './browser.ts';
import { buildDashboard } from './build-dashboard.ts';
import { test } from './chromium.ts';
import { openWithin } from './navigation.ts';
import { asDiff, sampleChanges } from './sample-changes.ts';

await buildDashboard();
const server = await startTestApp();
server.now = new Date();
const own = organization({ members: [member('9001', { role: 'cr_admin', seat: true })] });
await server.platform({ organizations: [own] });
const key = await server.createKey({ ...sampleKeys.user, org_id: own.provider_organization_id });
const { sql } = server.database;
const [row] = await sql`SELECT id FROM organizations`;
const base = `/organizations/${row!.id}`;
const url = await server.app.server.listen({ host: '127.0.0.1', port: 0 });
const browser = await startBrowser(url);
const session = await signInAs(server, 'user-9001@acme.test');
after(() => server.queue.stop());

async function visitor(options: Parameters<typeof browser.visitor>[0] = {}) {
  const visited = await browser.visitor(options);
  const [name, value] = session.cookie.split('=') as [string, string];
  await visited.context.addCookies([{ name, value, url }]);
  return visited;
}

async function review(title: string): Promise<string> {
  const change = sampleChanges.find((candidate) => candidate.title === title)!;
  const body = { repository_id: '501', ...asDiff(change) };
  const answer = await server.call('POST', '/v1/reviews', { key, body });
  assert.equal(answer.status, 202, answer.text);
  return answer.json.id;
}

test('a review is followed from waiting to its findings without reloading, at every width', async () => {
  const guest = await visitor();
  const { page } = guest;
  const id = await review('Discounts');
  const followed = page.waitForResponse(
    (response) => response.url().includes(`review-progress?`) && response.url().includes(id),
  );
  await page.goto(`${base}/reviews`);
  await page.getByRole('link', { name: 'Diff' }).click();
  await page.waitForURL(`**${base}/reviews/${id}`);
  await page.getByRole('status').getByText('queued').waitFor();
  await followed;
  await server.queue.startWorkers();
  await page.getByRole('heading', { name: 'Findings (2)' }).waitFor();
  await page.getByText('src/cart/totals.ts:11').waitFor();
  await page.getByRole('region', { name: 'Coverage' }).getByText('src/cart/totals.ts').waitFor();
  for (const width of [390, 1024, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await assertAccessible(page, `a review, ${width} px`);
    await assertClean(guest, `a review, ${width} px`);
  }
  const dark = await visitor({ colorScheme: 'dark', width: 390 });
  for (const place of ['reviews', `reviews/${id}`, 'review-settings']) {
    await openWithin(dark.page, `${base}/${place}`);
    await dark.page
      .getByText(/Diff|Nothing was saved|MCP servers/)
      .first()
      .waitFor();
    await assertAccessible(dark.page, `${place}, dark`);
    await assertClean(dark, `${place}, dark`);
  }
});

test('if server-sent events do not get through, the page polls', async () => {
  const id = await review('Discounts');
  const { page } = await visitor();
  await page.route('**/dashboard/v1/review-progress*', (route) => route.fulfill({ status: 503 }));
  let isFirst = true;
  await page.route(`**/dashboard/v1/reviews/${id}?*`, async (route) => {
    const response = await route.fetch();
    const run = await response.json();
    await route.fulfill({ response, json: isFirst ? { ...run, status: 'queued', finished_at: null } : run });
    isFirst = false;
  });
  await page.goto(`${base}/reviews/${id}`);
  await page.getByRole('heading', { name: 'Findings (2)' }).waitFor();
});

test('findings that wait for release are released one by one or all at once; earlier ones are listed separately', async () => {
  const id = await review('Discounts');
  const asked: unknown[] = [];
  for (const [width, colorScheme] of [
    [1440, 'light'],
    [390, 'dark'],
  ] as const) {
    const guest = await visitor({ width, colorScheme });
    const { page } = guest;
    let release = 'waiting';
    await page.route(`**/dashboard/v1/reviews/${id}?*`, async (route) => {
      const response = await route.fetch();
      const run = await response.json();
      const old = { path: 'src/cart/totals.ts', start_line: 3, rule: 'oxlint/no-eval', severity: 'minor' };
      const standing = { preexisting: [{ ...old, title: '`eval` executes text' }], total_preexisting: 51 };
      await route.fulfill({ response, json: { ...run, release, report: { ...run.report, ...standing } } });
    });
    await page.route(`**/dashboard/v1/reviews/${id}/release?*`, async (route) => {
      asked.push(route.request().postDataJSON());
      release = 'released';
      await route.fulfill({ status: 202, json: { id, status: 'succeeded' } });
    });
    await page.goto(`${base}/reviews/${id}`);
    await page.getByRole('status').getByText('Waiting for release').waitFor();
    await page.getByRole('heading', { name: 'Preexisting findings (51)' }).waitFor();
    await page.getByText('and 50 more').waitFor();
    await assertAccessible(page, `a draft, ${width} px`);
    await assertClean(guest, `a draft, ${width} px`);
    await page
      .getByRole('button', { name: /^Release (?!all)/ })
      .first()
      .click();
    await page.getByText('Findings that are not released count as dismissed.').waitFor();
    await page.getByRole('button', { name: 'Release all' }).click();
    await page.getByText('Released; it will be posted in a moment').first().waitFor();
  }
  const { findings } = (await server.get(`/v1/reviews/${id}`, key)).json;
  const one = { finding_ids: [findings[0].finding_id] };
  assert.deepEqual(asked.slice(0, 2), [one, {}]);
});

test('safe suggestions are committed by a button with a confirmation, and the page shows the outcome', async () => {
  const id = await review('Discounts');
  for (const [width, colorScheme] of [
    [1280, 'light'],
    [390, 'dark'],
  ] as const) {
    const guest = await visitor({ width, colorScheme });
    const { page } = guest;
    const none = {
      commit: null,
      finding_ids: [],
      left_over: 0,
      reason: null,
      requested_at: '2026-06-10T08:00:00Z',
    };
    const ends = [
      { ...none, status: 'refused', reason: 'The branch has moved since it was reviewed.' },
      { ...none, status: 'done', commit: 'c0ffee'.padEnd(40, '0'), finding_ids: ['a', 'b'] },
    ];
    let fix: object | null = null;
    let asked = 0;
    await page.route(`**/dashboard/v1/reviews/${id}?*`, async (route) => {
      const response = await route.fetch();
      const run = await response.json();
      const findings = run.findings.map((finding: object) => ({ ...finding, suggestion: 'better();' }));
      await route.fulfill({ response, json: { ...run, pull_request: 7, findings, fix } });
      if (fix !== null && asked > 0) fix = ends[asked - 1]!;
    });
    await page.route(`**/dashboard/v1/reviews/${id}/fix?*`, async (route) => {
      asked += 1;
      fix = { ...none, status: 'waiting' };
      await route.fulfill({ status: 202, json: fix });
    });
    await page.goto(`${base}/reviews/${id}`);
    for (const said of [
      /^No suggestions were committed\. The branch has moved/,
      /^Committed 2 suggestions as c0ffee0000/,
    ]) {
      await page.getByRole('button', { name: 'Commit suggestions' }).click();
      await page.getByText('Commit 2 suggestions?').waitFor();
      await page.getByRole('button', { name: 'Commit', exact: true }).click();
      await page.getByText(said).waitFor();
      await assertAccessible(page, `suggestions, ${width} px`);
      await assertClean(guest, `suggestions, ${width} px`);
    }
    assert.equal(await page.getByRole('button', { name: 'Commit suggestions' }).count(), 0);
    assert.equal(asked, 2);
  }
});

test('the list is filtered by repository and status, and the filters are in its address', async () => {
  const { page } = await visitor();
  await page.goto(`${base}/reviews`);
  await page.getByRole('link', { name: 'Diff' }).first().waitFor();
  await page.getByRole('combobox', { name: 'Repository' }).click();
  await page.getByRole('option', { name: 'web' }).click();
  await page.getByText('No reviews').waitFor();
  await page.waitForURL(/repository=502/);
  await page.goto(`${base}/reviews?status=cancelled`);
  await page.getByText('No reviews').waitFor();
});

test('a review that waits can be stopped', async () => {
  await server.queue.stop();
  const id = await review('Readiness for load balancers');
  const { page } = await visitor();
  await page.goto(`${base}/reviews/${id}`);
  await page.getByRole('img', { name: 'In progress' }).waitFor();
  await assertAccessible(page, 'a review that waits');
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Stop' }).click();
  await page.getByRole('status').getByText('Cancelled', { exact: true }).waitFor();
  await page.getByText(/cancelled by/).waitFor();
});

test('settings are saved, and an error of the server is shown at its field', async () => {
  const guest = await visitor();
  const { page } = guest;
  await page.goto(`${base}/review-settings`);
  await page.getByLabel('Defaults').fill('reviews:\n  fail_on: never\n');
  await page.getByRole('button', { name: 'Save' }).click();
  await page
    .getByRole('alert')
    .getByText(/line 2: reviews\.fail_on: must be one of/)
    .waitFor();
  await page.getByLabel('Defaults').fill('reviews:\n  fail_on: major\n');
  await page.getByLabel('Custom rules').fill('id: x\nlanguage: ts\nrule:\n  kind: no_such_kind\n');
  await page.getByLabel('Monthly model budget in US$').fill('12.5');
  await page.getByRole('button', { name: 'Save' }).click();
  await page
    .getByRole('alert')
    .getByText(/Custom rules: line 1, column 1: the rule x cannot be used/)
    .waitFor();
  await assertAccessible(page, 'review settings with faults');
  await page.getByLabel('Custom rules').fill('');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Review settings saved').waitFor();
  const saved = (await server.get('/v1/settings/reviews', key)).json;
  assert.equal(saved.budget_usd_per_month, 12.5);
  assert.deepEqual(saved.defaults, { reviews: { fail_on: 'major' } });
});

test('an MCP server is added, changed without typing its header again, and removed', async () => {
  const guest = await visitor({ width: 390 });
  const { page } = guest;
  await page.goto(`${base}/review-settings`);
  await page.getByRole('button', { name: 'Add server' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('tickets');
  await dialog.getByRole('textbox', { name: 'URL' }).fill('http://127.0.0.1:9/mcp');
  await dialog.getByRole('button', { name: 'Add header' }).click();
  await dialog.getByRole('textbox', { name: 'Header' }).fill('authorization');
  await dialog.getByRole('textbox', { name: 'Value' }).fill('Bearer of-the-team');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText(/internal address/).waitFor();
  await assertAccessible(page, 'add an MCP server');
  await dialog.getByRole('textbox', { name: 'URL' }).fill('https://mcp.acme.test/mcp');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('authorization: stored').waitFor();
  await page.getByRole('button', { name: 'Edit tickets' }).click();
  await dialog.getByRole('textbox', { name: 'URL' }).fill('https://mcp.acme.test/other');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('https://mcp.acme.test/other').waitFor();
  await page.getByText('authorization: stored').waitFor();
  assert.ok(!(await page.content()).includes('of-the-team'));
  await page.getByRole('button', { name: 'Remove tickets' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByText('No MCP servers yet').waitFor();
  // The browser logs every 400 in its console, such as the expected one above.
  assert.deepEqual(
    guest.problems.filter((problem) => !problem.includes('400')),
    [],
  );
});
