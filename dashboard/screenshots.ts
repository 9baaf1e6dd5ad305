import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { endOnSignals } from '../src/stop-signals.ts';
import { buildDashboard } from '../test/dashboard/build-dashboard.ts';
import { launchBrowser } from '../test/dashboard/chromium.ts';

const password = 'only for screenshots of the demo';

interface Screenshot {
  readonly name: string;
  readonly page: string;
  readonly width?: number;
  readonly height?: number;
  readonly colorScheme?: 'dark';
  /** Wait for this text first; the index of Learnings is built in the background. */
  readonly shows?: RegExp;
  /** Press this button, and wait for what it leads to. */
  readonly opens?: string;
}

/** The pictures of the guides. */
const screenshots: readonly Screenshot[] = [
  { name: 'inbox', page: 'inbox', height: 620, shows: /lodash/ },
  { name: 'changes', page: 'pull-requests/601/122?tab=changes', height: 780, opens: 'Next finding' },
  { name: 'report', page: 'pull-requests/601/122', shows: /api-docs/ },
  { name: 'overview', page: 'overview?from={180 days ago}', shows: /Acceptance/ },
  { name: 'compare', page: 'compare?from={90 days ago}', shows: /storefront/ },
  { name: 'rules', page: 'rules', height: 720, shows: /quiet/i },
  { name: 'digest', page: 'digest', height: 720, shows: /Merged/ },
  { name: 'outcomes', page: 'pull-requests/602/89?tab=outcomes', shows: /hash/ },
  { name: 'inbox-narrow', page: 'inbox', width: 390, height: 844, colorScheme: 'dark', shows: /lodash/ },
];

/** Every page, for those who look at all of them at several widths. */
const pages: readonly Screenshot[] = [
  ...[
    'inbox',
    'inbox?tab=mine',
    'inbox?tab=all',
    'overview?from={180 days ago}',
    'pull-requests',
    'comments',
  ],
  ...['compare', 'digest', 'reviews', 'checks', 'rules', 'learnings', 'learnings?tab=pending', 'security'],
  ...[
    'dependencies',
    'people',
    'teams',
    'roles',
    'audit-log',
    'keys',
    'webhooks',
    'review-settings',
    'settings',
  ],
  ...['repositories/601', '/connections', '/first-steps'],
  ...['pull-requests/601/122', 'pull-requests/601/122?tab=changes', 'pull-requests/602/90?tab=changes'],
  ...[
    'pull-requests/602/90?tab=reviews',
    'pull-requests/601/120?tab=conversation',
    'pull-requests/602/89?tab=outcomes',
  ],
  ...[
    'pull-requests/601/125',
    'pull-requests/601/124',
    'pull-requests/601/123?tab=changes',
    'pull-requests/604/3',
  ],
].map((page) => ({ name: page.replaceAll(/\W+/g, '-').replace(/^-/, ''), page }));

/** Starts the demo in a temporary folder; `link` signs in the person who looks at it. */
async function startDemo() {
  const folder = await mkdtemp(path.join(tmpdir(), 'postil-screenshots-'));
  const command = [path.join(import.meta.dirname, '../src/cli/main.ts'), 'demo'];
  const env = { ...process.env, POSTIL_PORT: '0', POSTIL_DEMO_DIR: path.join(folder, 'demo') };
  const child = spawn(process.execPath, command, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()));
  const link = await new Promise<string>((resolve, reject) => {
    let said = '';
    child.stderr.on('data', (chunk) => {
      said += chunk;
      const [, found] = /with this link: (\S+)\n/.exec(said) ?? [];
      if (found !== undefined) resolve(found);
    });
    child.on('close', () => reject(new Error(said)));
  });
  return {
    link,
    async stop() {
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function signIn(page: Page, link: string): Promise<void> {
  await page.goto(link);
  const set = page.getByRole('button', { name: 'Set password' });
  await set.waitFor();
  for (const field of await page.locator('input[type=password]').all()) await field.fill(password);
  await set.click();
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

const daysAgo = (days: string) => new Date(Date.now() - Number(days) * 86_400_000).toISOString().slice(0, 10);

async function take(page: Page, place: string, screenshot: Screenshot, file: string): Promise<void> {
  const { width = 1280, height = 860, colorScheme = 'light' } = screenshot;
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme });
  const address = screenshot.page.replaceAll(/\{(\d+) days ago\}/g, (_, days: string) => daysAgo(days));
  await page.goto(address.startsWith('/') ? address : `${place}/${address}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForLoadState('networkidle');
  if (screenshot.shows !== undefined) await reloadUntil(page, screenshot.shows);
  if (screenshot.opens !== undefined) {
    await page.getByRole('button', { name: screenshot.opens }).click();
    await page.waitForTimeout(1500);
  }
  await page.screenshot({ path: file });
}

/** Takes screenshots of the demo: those of the guides, or of every page at several widths, light and dark. */
async function takeScreenshots(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { all: { type: 'string' }, link: { type: 'string' } },
    allowPositionals: true,
  });
  await buildDashboard();
  const folder = values.all ?? path.join(import.meta.dirname, '../docs/images');
  await mkdir(folder, { recursive: true });
  const demo = values.link === undefined ? await startDemo() : { link: values.link, async stop() {} };
  const browser = await launchBrowser();
  try {
    const baseURL = new URL(demo.link).origin;
    const context = await browser.newContext({ baseURL, locale: 'en-GB', reducedMotion: 'reduce' });
    const page = await context.newPage();
    await signIn(page, demo.link);
    const answer = await context.request.get('/dashboard/v1/session');
    const { organizations } = (await answer.json()) as { organizations: { id: string }[] };
    const place = `/organizations/${organizations[0]!.id}`;
    const isWanted = ({ name }: Screenshot) => positionals.length === 0 || positionals.includes(name);
    if (values.all === undefined)
      for (const screenshot of screenshots.filter(isWanted))
        await take(page, place, screenshot, path.join(folder, `dashboard-${screenshot.name}.png`));
    else
      for (const screenshot of pages.filter(isWanted))
        for (const width of [1440, 1024, 390])
          for (const colorScheme of [undefined, 'dark'] as const) {
            const name = `${screenshot.name}-${width}${colorScheme === undefined ? '' : '-dark'}.png`;
            const size = { width, height: 900, ...(colorScheme !== undefined && { colorScheme }) };
            await take(page, place, { ...screenshot, ...size }, path.join(folder, name));
          }
  } finally {
    await browser.close();
    await demo.stop();
  }
}

endOnSignals();
await takeScreenshots();
