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

/**
 * The path of a browser: POSTIL_CHROMIUM, the system's, Playwright's own, or that of an npm package, which is only for Linux on
 * x64. Undefined if there is none.
 */
async function findChromium(): Promise<string | undefined> {
  const { POSTIL_CHROMIUM: given } = process.env;
  if (given !== undefined) return given === '' ? undefined : given;
  const installed = places.find((place) => existsSync(place));
  if (installed !== undefined || process.platform !== 'linux' || process.arch !== 'x64') return installed;
  return await packagedChromium();
}

const executablePath = await findChromium();
/** A missing browser is an error in CI. */
const isOptional = !process.env.CI;

/** The reason why browser tests are skipped; undefined if they run. */
export const skipReason = executablePath === undefined && isOptional ? missing : undefined;

export async function launchBrowser(): Promise<Browser> {
  assert.ok(executablePath, missing);
  // The arguments of the npm package run everything in one process, where visitors would share their cookies.
  return await chromium.launch({ executablePath, args: ['--no-sandbox'], timeout: 120_000 });
}

/** The browser contexts that the running test has opened; undefined outside of tests. */
let opened: BrowserContext[] | undefined;

/** Closes a visitor at the end of the test that opened it: pages that are no longer used still run and take processor time. */
export function keepForTest(context: BrowserContext): void {
  opened?.push(context);
}

/** Closes a context. A request that a test intercepts may be in progress; its error is ignored. */
async function leave(context: BrowserContext): Promise<void> {
  const behavior = 'ignoreErrors';
  await Promise.all([context, ...context.pages()].map((routed) => routed.unrouteAll({ behavior })));
  await context.close();
}

/** Declares a test that needs a browser; it is skipped if there is none. */
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

/** Replaces all objects of a missing browser: code of a file before its skipped tests can use it without any effect. */
export const nothing: unknown = new Proxy(() => {}, {
  get: (_, name) => (name === 'then' ? undefined : nothing),
  apply: () => nothing,
});
