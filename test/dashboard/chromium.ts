import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import nodeTest from 'node:test';
import { type Browser, type BrowserContext, chromium } from 'playwright-core';
import { packagedChromium } from './packaged-chromium.ts';

const places = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  chromium.executablePath(),
];
const missing =
  'no Chromium for the browser tests: `npx playwright-core install --with-deps chromium` installs one, POSTIL_CHROMIUM names one';

/** Where POSTIL_CHROMIUM says, the system's, Playwright's own, or the one of an npm package, which is for Linux on x64 only. */
async function findChromium(): Promise<string | undefined> {
  const { POSTIL_CHROMIUM: given } = process.env;
  if (given !== undefined) return given === '' ? undefined : given;
  const installed = places.find((place) => existsSync(place));
  if (installed !== undefined || process.platform !== 'linux' || process.arch !== 'x64') return installed;
  return await packagedChromium();
}

const executablePath = await findChromium();
/** Where changes are checked before they land, a browser that is missing is a fault. */
const isOptional = !process.env.CI;

/** Why browser tests are skipped, if they are. */
export const skipReason = executablePath === undefined && isOptional ? missing : undefined;

export async function launchBrowser(): Promise<Browser> {
  assert.ok(executablePath, missing);
  // The arguments of the npm package run everything in one process, where visitors would share their cookies.
  return await chromium.launch({ executablePath, args: ['--no-sandbox'], timeout: 120_000 });
}

/** What the test that runs has opened. */
let opened: BrowserContext[] | undefined;

/** Keeps a visitor no longer than the test that it comes in: pages that nobody looks at any more are alive, and take time. */
export function keepForTest(context: BrowserContext): void {
  opened?.push(context);
}

/** A request that a test answers itself may be under way when its visitor leaves; its failure then is nobody's. */
async function leave(context: BrowserContext): Promise<void> {
  const behavior = 'ignoreErrors';
  await Promise.all([context, ...context.pages()].map((routed) => routed.unrouteAll({ behavior })));
  await context.close();
}

/** A test that needs a browser; it is skipped where there is none. */
export function test(name: string, run: () => Promise<void>): void {
  void nodeTest(name, { skip: skipReason ?? false }, async () => {
    const visitors: BrowserContext[] = [];
    opened = visitors;
    try {
      await run();
    } finally {
      opened = undefined;
      await Promise.all(visitors.map(leave));
    }
  });
}

/** In place of all that a missing browser would show: what a file does with it before its tests, which are skipped, does nothing. */
export const nothing: unknown = new Proxy(() => {}, {
  get: (_, name) => (name === 'then' ? undefined : nothing),
  apply: () => nothing,
});
