import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { APIRequestContext, Page } from 'playwright-core';
import { demoOrganizations, demoPlatform } from '../src/cli/demo/company.ts';
import { openDemoApi } from '../src/cli/demo/demo-api.ts';
import { demoEvents } from '../src/cli/demo/events.ts';
import { reviewDemoChanges } from '../src/cli/demo/review-changes.ts';
import { startServer } from '../src/server.ts';
import { readSettings } from '../src/settings.ts';
import { endOnSignals } from '../src/stop-signals.ts';
import { buildDashboard } from '../test/dashboard/build-dashboard.ts';
import { launchBrowser } from '../test/dashboard/chromium.ts';

const password = 'only for screenshots of the demo';

interface Screenshot {
  readonly name: string;
  readonly view: 'workspace' | 'organization';
  readonly page: string;
  readonly width?: number;
  readonly colorScheme?: 'dark';
  /** Wait for this text first; the index of Learnings is built in the background. */
  readonly shows?: RegExp;
}

const screenshots: readonly Screenshot[] = [
  { name: 'overview', view: 'workspace', page: 'overview?from={90 days ago}' },
  { name: 'overview-dark', view: 'organization', page: 'overview?from={90 days ago}', colorScheme: 'dark' },
  { name: 'overview-narrow', view: 'organization', page: 'overview', width: 390 },
  { name: 'repository', view: 'organization', page: 'repositories/10016?from={90 days ago}' },
  { name: 'pull-request', view: 'organization', page: '{pull request}' },
  { name: 'compare', view: 'organization', page: 'compare?from={90 days ago}' },
  { name: 'learnings', view: 'organization', page: 'learnings' },
  {
    name: 'learnings-search',
    view: 'organization',
    page: 'learnings?tab=search&repository=10016&query=what to do with exceptions',
    shows: /meaning \d+%/,
  },
  { name: 'approvals', view: 'organization', page: 'learnings?tab=pending' },
  { name: 'reviews', view: 'organization', page: 'reviews', shows: /Degraded|Succeeded/ },
  { name: 'review', view: 'organization', page: 'reviews/{oldest review}', shows: /Findings/ },
  {
    name: 'review-narrow',
    view: 'organization',
    page: 'reviews/{oldest review}',
    width: 390,
    colorScheme: 'dark',
    shows: /Findings/,
  },
  { name: 'review-settings', view: 'organization', page: 'review-settings' },
  { name: 'security', view: 'organization', page: 'security' },
  { name: 'people', view: 'organization', page: 'people' },
  { name: 'roles', view: 'organization', page: 'roles' },
  { name: 'audit-log', view: 'organization', page: 'audit-log' },
];

/** Starts a server with the demo's companies in a temporary folder; `link` signs in its first admin. */
async function startDemo() {
  const dataDirectory = await mkdtemp(path.join(tmpdir(), 'postil-screenshots-'));
  const server = await startServer({
    ...readSettings({ POSTIL_PORT: '0', POSTIL_LOG_LEVEL: 'silent' }),
    dataDirectory,
  });
  const call = async (method: string, address: string, type: string, body: string) => {
    const headers = { authorization: `Bearer ${server.operatorToken}`, 'content-type': type };
    const response = await fetch(server.url + address, { method, headers, body });
    if (!response.ok) throw new Error(`${address}: ${await response.text()}`);
    return response.json() as Promise<{ value?: string }>;
  };
  const organizations = demoOrganizations();
  await call('PUT', '/operator/v1/platform', 'application/json', JSON.stringify(demoPlatform(organizations)));
  const lines = [...demoEvents(organizations, new Date())].map((event) => JSON.stringify(event));
  await call('POST', '/operator/v1/events', 'application/x-ndjson', lines.join('\n'));
  const { provider, orgId, people } = organizations[0]!;
  const owner = people[0]!.userId;
  const key = { name: 'screenshots', kind: 'user', provider, org_id: orgId, owner };
  const { value } = await call('POST', '/operator/v1/keys', 'application/json', JSON.stringify(key));
  await reviewDemoChanges(openDemoApi(server.url, value!), organizations[0]!);
  return {
    url: server.url,
    link: server.firstAdminLink!,
    async stop() {
      await server.stop();
      await rm(dataDirectory, { recursive: true, force: true });
    },
  };
}

async function signIn(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.getByLabel('Email address').fill('admin@northwind.test');
  for (const field of await page.locator('input[type=password]').all()) await field.fill(password);
  await page.getByRole('button', { name: 'Set password' }).click();
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
}

async function reloadUntil(page: Page, text: RegExp): Promise<void> {
  for (let attempt = 0; attempt < 60; attempt += 1) {
    if (await page.getByRole('main').getByText(text).first().isVisible()) return;
    await page.waitForTimeout(1000);
    await page.reload({ waitUntil: 'networkidle' });
  }
  throw new Error(`${text} did not appear`);
}

/** The page of a recent pull request with several comments. */
async function findPullRequest(request: APIRequestContext, organizationId: string): Promise<string> {
  const today = new Date().toISOString().slice(0, 10);
  const window = `start_date=2020-01-01&end_date=${today}`;
  const answer = await request.get(
    `/dashboard/v1/insights/pull-requests?scope=organization:${organizationId}&${window}`,
  );
  const { data } = (await answer.json()) as {
    data: { repository_id: string; number: number; posted: number }[];
  };
  const { repository_id, number } = data.find(({ posted }) => posted >= 3)!;
  return `pull-requests/${repository_id}/${number}`;
}

/** Takes the screenshots for the documentation from the demo's made-up companies. */
async function takeScreenshots(folder: string, only: readonly string[]): Promise<void> {
  await buildDashboard();
  await mkdir(folder, { recursive: true });
  const demo = await startDemo();
  const browser = await launchBrowser();
  try {
    const context = await browser.newContext({ baseURL: demo.url, locale: 'en-GB', reducedMotion: 'reduce' });
    const page = await context.newPage();
    await signIn(page, demo.link);
    const session = (await (await context.request.get('/dashboard/v1/session')).json()) as {
      workspaces: { id: string; slug: string }[];
      organizations: { id: string; name: string }[];
    };
    const places = {
      workspace: `/workspaces/${session.workspaces.find(({ slug }) => slug === 'northwind')!.id}`,
      organization: `/organizations/${session.organizations.find(({ name }) => name === 'northwind-shop')!.id}`,
    };
    const organizationId = places.organization.split('/').at(-1);
    const reviews = (await (
      await context.request.get(`/dashboard/v1/reviews?scope=organization:${organizationId}`)
    ).json()) as { data: { id: string }[] };
    const oldestReview = reviews.data.at(-1)!.id;
    const pullRequest = await findPullRequest(context.request, organizationId!);
    for (const screenshot of screenshots.filter(({ name }) => only.length === 0 || only.includes(name))) {
      await page.setViewportSize({
        width: screenshot.width ?? 1280,
        height: screenshot.width === undefined ? 860 : 844,
      });
      await page.emulateMedia({ colorScheme: screenshot.colorScheme ?? 'light' });
      const day = new Date(Date.now() - 89 * 86_400_000).toISOString().slice(0, 10);
      const address = screenshot.page
        .replace('{90 days ago}', day)
        .replace('{oldest review}', oldestReview)
        .replace('{pull request}', pullRequest);
      await page.goto(`${places[screenshot.view]}/${address}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForLoadState('networkidle');
      if (screenshot.shows !== undefined) await reloadUntil(page, screenshot.shows);
      await page.screenshot({ path: path.join(folder, `dashboard-${screenshot.name}.png`) });
    }
  } finally {
    await browser.close();
    await demo.stop();
  }
}

endOnSignals();
await takeScreenshots(path.join(import.meta.dirname, '../docs/images'), process.argv.slice(2));
