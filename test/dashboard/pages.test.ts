import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { madeUpOrganizations, madeUpPlatform } from '../companies/companies.ts';
import { madeUpEvents } from '../companies/events.ts';
import { startTestApp } from '../harness.ts';
import { storeFindings } from '../posted-findings.ts';
import { signInAs } from '../session.ts';
import { assertAccessible, assertClean, assertOnScale, assertTablesFit, startBrowser } from './browser.ts';
import { buildDashboard } from './build-dashboard.ts';
import { test } from './chromium.ts';
import { openByAddress, openWithin } from './navigation.ts';

await buildDashboard();
const server = await startTestApp();
server.now = new Date();
const organizations = madeUpOrganizations();
await server.platform(madeUpPlatform(organizations));
const events = [...madeUpEvents(organizations, server.now)];
for (let start = 0; start < events.length; start += 1000)
  await server.events(events.slice(start, start + 1000));
const session = await signInAs(server, 'root@postil.test', { isInstallationAdmin: true });
const url = await server.app.server.listen({ host: '127.0.0.1', port: 0 });
const browser = await startBrowser(url);

const { sql } = server.database;
const idOf = async (table: 'organizations' | 'workspaces', name: string) =>
  (await sql`SELECT id FROM ${sql(table)} WHERE name = ${name}`)[0]!.id as string;
const organization = `/organizations/${await idOf('organizations', 'northwind-shop')}`;
const workspace = `/workspaces/${await idOf('workspaces', 'Northwind Group')}`;
await session.call(
  'POST',
  `/dashboard/v1/webhooks?scope=${organization.replace('/organizations/', 'organization:')}`,
  {
    body: { url: 'https://198.51.99.1/postil', types: ['postil.review.finished', 'postil.security.opened'] },
  },
);
await sql`UPDATE webhooks SET failing_since = ${server.now}`;

const [place] = await sql`
  SELECT id AS "repositoryId", organization_id AS "organizationId" FROM repositories
  WHERE organization_id = ${organization.replace('/organizations/', '')} LIMIT 1`;
await storeFindings(
  sql,
  place as unknown as Parameters<typeof storeFindings>[1],
  Array.from({ length: 24 }, (_, index) => ({
    id: `unwanted-${index}`,
    pull: 9001 + (index % 3),
    rules: ['ruff/F401'],
    accepted: false,
    chance: 0.1,
  })),
);

await sql`
  INSERT INTO repository_inventories (organization_id, repository_id, revision, read_at, due_at, packages, affected, notes)
  VALUES (${place!.organizationId}, ${place!.repositoryId}, ${'a'.repeat(40)}, now(), now(), 3, 1,
    ${['tools/poetry.lock was not read: line 3 is not valid TOML']})`;
await sql`
  INSERT INTO repository_packages (organization_id, repository_id, ecosystem, name, version, is_fixed, is_direct, licence, path, advisories, severity)
  SELECT ${place!.organizationId}, ${place!.repositoryId}, ecosystem, name, version, is_fixed, true, licence, path, advisories, severity
  FROM (VALUES
    ('npm', 'left-pad', '1.3.0', true, 'MIT', 'web/package-lock.json', ARRAY['GHSA-xxxx-yyyy-zzzz', 'CVE-2026-1', 'CVE-2026-2', 'CVE-2026-3'], 'major'),
    ('Go', 'github.com/northwind-shop/a-module-with-a-long-name/v2', 'v2.0.1-0.20240101000000-0123456789ab', true, NULL, 'go.mod', '{}', NULL),
    ('PyPI', 'requests', '>=2', false, NULL, 'tools/requirements.txt', '{}', NULL)
  ) AS held (ecosystem, name, version, is_fixed, licence, path, advisories, severity)`;

async function visitor(options: Parameters<typeof browser.visitor>[0] = {}) {
  const visited = await browser.visitor(options);
  const [name, value] = session.cookie.split('=') as [string, string];
  await visited.context.addCookies([{ name, value, url }]);
  return visited;
}

/** Every page, with a text that appears once its data is shown. */
const places: Record<string, string | RegExp> = {
  [`${organization}/inbox`]: 'No Git host is connected',
  [`${organization}/overview`]: 'Comments by day',
  [`${organization}/pull-requests`]: /^#\d+$/,
  [`${organization}/comments`]: /^by \S+$/,
  [`${organization}/compare`]: /^\d+\.\d per pull request$/,
  [`${organization}/reviews`]: 'No reviews',
  [`${organization}/checks`]: 'No pull requests',
  [`${organization}/rules`]: 'ruff/F401',
  [`${organization}/learnings`]: 'by ',
  [`${organization}/security`]: /\d findings?$/,
  [`${organization}/dependencies`]: 'left-pad',
  [`${organization}/digest`]: 'Weekly deliveries',
  [`${organization}/people`]: 'seats used',
  [`${organization}/teams`]: 'No teams yet',
  [`${organization}/roles`]: 'Organization management',
  [`${organization}/audit-log`]: 'entries',
  [`${organization}/keys`]: 'No keys yet',
  [`${organization}/webhooks`]: 'Failing since',
  [`${organization}/review-settings`]: 'No MCP servers yet',
  [`${organization}/settings`]: 'Isolated metrics',
  [`${workspace}/inbox`]: 'No Git host is connected',
  [`${workspace}/overview`]: 'Comments by day',
  [`${workspace}/pull-requests`]: /^#\d+$/,
  [`${workspace}/comments`]: /^by \S+$/,
  [`${workspace}/compare`]: /^\d+\.\d per pull request$/,
  [`${workspace}/learnings`]: /northwind-\S+ \/ /,
  [`${workspace}/security`]: /\d findings?$/,
  [`${workspace}/people`]: 'seats used',
  [`${workspace}/audit-log`]: 'Audit log',
  [`${workspace}/keys`]: 'No tokens yet',
  [`${workspace}/settings`]: 'northwind-data',
  '/connections': 'No connections yet',
};

/** Parts of pages that have their own URL. */
const subpages: Record<string, string> = {
  [`${organization}/compare?by=source`]: 'Reported by events',
  [`${organization}/compare?by=team`]: 'No team',
  [`${organization}/rules?untried=true`]: 'actionlint/credentials',
  [`${organization}/dependencies?show=repositories`]: 'Download',
  [`${organization}/learnings?tab=pending`]: 'Will be approved automatically',
  [`${organization}/learnings?tab=search`]: 'in your own words',
  [`${organization}/security?state=all&severity=critical`]: 'Critical',
  [`${organization}/roles?role=cr_member`]: 'Built-in roles cannot be changed',
};

const appearances = [
  { name: 'light and wide', options: {}, open: openByAddress },
  { name: 'dark and 390 px wide', options: { colorScheme: 'dark', width: 390 }, open: openWithin },
] as const;

describe('every page shows its data, without console error, outside request, axe finding, text off the scale or overflow', () => {
  const views = { organization, workspace, installation: '/connections' };
  for (const [view, base] of Object.entries(views))
    for (const { name, options, open } of appearances)
      test(`${view}, ${name}`, async () => {
        const guest = await visitor(options);
        for (const [place, expected] of Object.entries({ ...places, ...subpages })) {
          if (!place.startsWith(base)) continue;
          await open(guest.page, place);
          await guest.page.getByRole('heading', { level: 1 }).waitFor();
          await guest.page.getByText(expected).first().waitFor();
          await assertAccessible(guest.page, `${place}, ${name}`);
          await assertOnScale(guest.page, `${place}, ${name}`);
          await assertClean(guest, `${place}, ${name}`);
        }
      });
});

/** Pages with tables of numbers, and the regions that their tables are in. */
const tables: Record<string, readonly string[]> = {
  overview: ['By severity', 'By category', 'By repository'],
  compare: ['Comparison by repository'],
  'compare?by=author': ['Comparison by author'],
  'compare?by=team': ['Comparison by team'],
  'compare?by=source': ['Comparison by reviewer', 'Reviewers by severity'],
  'pull-requests': ['Pull requests'],
  comments: ['Comments'],
};

// Tested in a workspace, where names are longest.
test('no table of numbers hides a column or breaks a word, on a wide or a narrow screen', async () => {
  const { page } = await visitor();
  for (const [name, regions] of Object.entries(tables)) {
    await openWithin(page, `${workspace}/${name}`);
    for (const region of regions)
      await page.getByRole('region', { name: region, exact: true }).getByRole('table').waitFor();
    for (const width of [1440, 1024, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await assertTablesFit(page, `${name}, ${width} px`);
    }
  }
});

test('printed, pages are without the menu', async () => {
  const { page } = await visitor();
  await page.emulateMedia({ media: 'print' });
  for (const name of ['inbox', 'digest', 'rules', 'checks', 'learnings']) {
    const shown = places[`${organization}/${name}`]!;
    await openWithin(page, `${organization}/${name}`);
    await page.getByText(shown).first().waitFor();
    assert.equal(await page.getByRole('navigation', { name: 'Pages' }).count(), 0, name);
  }
});

test('the navigation lists exactly the pages that are checked here', async () => {
  const guest = await visitor();
  for (const base of [organization, workspace]) {
    await guest.page.goto(`${base}/settings`);
    const links = guest.page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
    await links.first().waitFor();
    const named = await Promise.all((await links.all()).map((link) => link.getAttribute('href')));
    assert.deepEqual(
      named.toSorted(),
      Object.keys(places)
        .filter((place) => place.startsWith(base) || place === '/connections')
        .toSorted(),
    );
  }
});

test('the navigation of an organization stays on the pages about the installation', async () => {
  const { page } = await visitor();
  await page.goto(`${organization}/settings`);
  await page.getByRole('link', { name: 'Connections' }).click();
  await page.waitForURL('**/connections');
  await page.getByText('No connections yet').waitFor();
  await page.reload();
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await page.waitForURL(`**${organization}/settings`);
});

test('the charts show the data, with the same numbers as the API', async () => {
  const guest = await visitor();
  const from = new Date(server.now.getTime() - 29 * 86_400_000).toISOString().slice(0, 10);
  const to = server.now.toISOString().slice(0, 10);
  await guest.page.goto(`${organization}/overview?from=${from}&to=${to}`);
  const key = await server.createKey({
    kind: 'organization',
    provider: 'github',
    org_id: '1001',
    owner: organizations[0]!.people[0]!.userId,
  });
  const { data } = (await server.get(`/v1/metrics/review-comments?start_date=${from}&end_date=${to}`, key))
    .json;
  const comments = data.flatMap(
    (entry: { coderabbit_comments: { accepted: boolean | null }[] }) => entry.coderabbit_comments,
  );
  assert.ok(comments.length > 50, 'there are comments');
  const count = (accepted: boolean | null) =>
    comments.filter((comment: { accepted: boolean | null }) => comment.accepted === accepted).length;
  const totals = guest.page.getByRole('region', { name: 'Totals' });
  await totals.waitFor();
  const text = (await totals.innerText()).replaceAll(/\s+/g, ' ');
  for (const [label, number] of [
    ['Posted', comments.length],
    ['Accepted', count(true)],
    ['Not accepted', count(false)],
    ['Unknown', count(null)],
  ] as const)
    assert.ok(text.includes(`${label} ${number}`), `${label} ${number} in: ${text}`);
  const bars = guest.page.getByRole('region', { name: 'Comments by day' });
  // The bars are drawn with a delay after their frame.
  await bars.locator('.recharts-bar-rectangle path').nth(20).waitFor({ state: 'attached' });
  await guest.page.getByRole('button', { name: 'Show the numbers: Comments by day' }).click();
  await guest.page.getByRole('region', { name: 'Comments by day, as numbers' }).waitFor();
  await guest.page
    .getByRole('region', { name: 'By severity' })
    .getByRole('cell', { name: 'Critical' })
    .waitFor();
});

test('a period without enough data says so instead of showing a rate, and one without any data says what to do', async () => {
  const guest = await visitor();
  await guest.page.goto(`${organization}/overview?from=2001-01-01&to=2001-02-01`);
  await guest.page.getByText('No comments on merged pull requests in this period').waitFor();
  const day = server.now.toISOString().slice(0, 10);
  await guest.page.goto(`${organization}/overview?from=${day}&to=${day}`);
  await guest.page
    .getByText(/Not enough data|No comments on merged/)
    .first()
    .waitFor();
});

test('an error says what went wrong, without API field names, and offers to try again', async () => {
  const { page } = await visitor();
  await page.goto(`${organization}/overview?from=2026-02-01&to=2026-01-01`);
  const alert = page.getByRole('alert');
  await alert.getByText(/^End date: .*start date/).waitFor();
  await page.getByRole('button', { name: 'Try again' }).waitFor();
});

test('the keyboard alone is enough to skip to the content, select another organization and open a page', async () => {
  const guest = await visitor();
  const { page } = guest;
  await page.goto(`${organization}/settings`);
  await page.getByText('Isolated metrics').waitFor();
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Skip to content');
  await page.keyboard.press('Tab');
  await page.keyboard.type('lumen-res');
  await page.getByRole('option', { name: 'lumen-research' }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/organizations/${await idOf('organizations', 'lumen-research')}/settings`);
  await page.getByText('lumen-research and its repositories').waitFor();
  await page.getByRole('link', { name: 'People' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('seats used').waitFor();
  await assertClean(guest, 'keyboard');
});

test('an installation admin selects a workspace admin as the owner of a token', async () => {
  const { page } = await visitor({ width: 390 });
  await page.goto(`${workspace}/keys`);
  await page.getByRole('button', { name: 'Create token' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('reports');
  await dialog.getByRole('combobox', { name: /^Owner/ }).click();
  await page.getByRole('option').first().click();
  await assertAccessible(page, 'create token');
  await dialog.getByRole('button', { name: 'Create token' }).click();
  assert.match(await page.getByTestId('key-value').innerText(), /^pst_w_/);
});
