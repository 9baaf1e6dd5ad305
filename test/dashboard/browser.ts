import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { fontSizes, fontWeights } from '../../dashboard/src/app/scale.ts';
import { rememberBrowsers } from '../runner/processor-time.ts';
import { keepForTest, launchBrowser, nothing, skipReason } from './chromium.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export interface Visitor {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Things that no page should do: errors in the console, requests to other hosts. */
  readonly problems: string[];
}

interface VisitOptions {
  readonly width?: number;
  readonly colorScheme?: 'light' | 'dark';
}

/** Starts one browser for a test file; every visitor has separate cookies. */
export async function startBrowser(baseUrl: string, allowedHosts: readonly string[] = []) {
  if (skipReason !== undefined) return { visitor: async (_options?: VisitOptions) => nothing as Visitor };
  const browser = await launchBrowser();
  after(async () => {
    rememberBrowsers();
    await browser.close();
  });
  const hosts = new Set([new URL(baseUrl).host, ...allowedHosts]);
  return {
    async visitor(options: VisitOptions = {}): Promise<Visitor> {
      const context = await browser.newContext({
        baseURL: baseUrl,
        viewport: { width: options.width ?? 1280, height: 900 },
        colorScheme: options.colorScheme ?? 'light',
        locale: 'en-GB',
        timezoneId: 'UTC',
        reducedMotion: 'reduce',
        permissions: ['clipboard-read', 'clipboard-write'],
      });
      keepForTest(context);
      context.setDefaultTimeout(240_000);
      const page = await context.newPage();
      const problems: string[] = [];
      page.on('pageerror', (error) => problems.push(`error: ${error.message}`));
      page.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning')
          problems.push(`${message.type()}: ${message.text()} (${message.location().url})`);
      });
      page.on('request', (request) => {
        const url = new URL(request.url());
        if (['http:', 'https:', 'ws:'].includes(url.protocol) && !hosts.has(url.host))
          problems.push(`request to ${request.url()}`);
      });
      return { context, page, problems };
    },
  };
}

interface Violation {
  readonly rule: string;
  readonly help: string;
  readonly places: readonly { element: string; isInOpenList: boolean; summary: string }[];
}

/**
 * Runs axe without the parts of its result that are not used, which take a fifth of its time: selectors and HTML of elements that
 * pass, and style sheets, which none of the enabled rules needs.
 */
const findViolations = `axe
  .run(document, { resultTypes: ['violations'], preload: { assets: ['media'] }, selectors: false, elementRef: true })
  .then(({ violations }) => violations.map(({ id, help, nodes }) => ({
    rule: id,
    help,
    places: nodes.map(({ element, failureSummary }) => ({
      element: (element?.outerHTML ?? 'in a frame').slice(0, 300),
      isInOpenList: Boolean(element?.closest('[id^="mantine-"][id$="-dropdown"], [class*="mantine-"][class*="-dropdown"]')),
      summary: failureSummary,
    })),
  })))`;

/** Checks the page with axe; it must find nothing. */
export async function assertAccessible(page: Page, where: string): Promise<void> {
  // The Content-Security-Policy forbids inline scripts, so axe is injected through the debugger. It stays until the page is
  // loaded again, which makes every further check a third faster, since it is compiled already.
  if (!(await page.evaluate("'axe' in window")))
    await page.evaluate(`(() => { ${axe}; axe.configure({ noHtml: true }); })()`);
  const violations = ((await page.evaluate(findViolations)) as Violation[]).filter(
    // An open list is above the page and belongs to its field, not to a landmark.
    ({ rule, places }) => rule !== 'region' || places.some(({ isInOpenList }) => !isInOpenList),
  );
  const descriptions = violations.map(
    ({ rule, help, places }) =>
      `${rule}: ${help}\n${places.map(({ element, summary }) => `  ${element}: ${summary}`).join('\n')}`,
  );
  assert.deepEqual(descriptions, [], `axe on ${where}`);
}

/** Fails if the page has problems, or is wider than the window. */
export async function assertClean({ page, problems }: Visitor, where: string): Promise<void> {
  assert.deepEqual(problems, [], where);
  const [content, window] = (await page.evaluate(
    '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
  )) as [number, number];
  assert.ok(content <= window, `${where} is ${content} px wide in a window of ${window} px`);
}

/** Finds columns that a table hides behind a scroll bar, and words that it breaks in two. Paths may be broken anywhere. */
async function faultsOfTables(page: Page): Promise<string[]> {
  return (await page.evaluate(`[...document.querySelectorAll('main table')].flatMap((table) => {
    const named = table.closest('[aria-label]')?.getAttribute('aria-label');
    let frame = table.parentElement;
    while (frame.tagName !== 'MAIN' && getComputedStyle(frame).overflowX === 'visible') frame = frame.parentElement;
    const [needed, available] = [table.getBoundingClientRect().width, frame.clientWidth];
    const faults = needed > available + 1 ? [named + ': ' + needed + ' px in ' + available + ' px'] : [];
    const texts = document.createTreeWalker(table, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const text = texts.currentNode;
      if (getComputedStyle(text.parentElement).wordBreak === 'break-all') continue;
      for (const { index, 0: word } of text.data.matchAll(/[a-z]{2,}/gi)) {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) faults.push(named + ': ' + word);
      }
    }
    return faults;
  })`)) as string[];
}

/** Fails if a table does not fit its container, once the page has adapted to its size. */
export async function assertTablesFit(page: Page, where: string): Promise<void> {
  const deadline = Date.now() + 120_000;
  let faults = await faultsOfTables(page);
  while (faults.length > 0 && Date.now() < deadline) {
    await page.waitForTimeout(100);
    faults = await faultsOfTables(page);
  }
  assert.deepEqual(faults, [], `tables on ${where}`);
}

const scale = {
  sizes: new Set(Object.values(fontSizes)),
  weights: new Set(Object.values(fontWeights)),
};

/** Fails if any text has a font size or weight that is not on the scale. */
export async function assertOnScale(page: Page, where: string): Promise<void> {
  const used = (await page.evaluate(`[...document.querySelectorAll('body *')]
    .filter((element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== ''))
    .filter((element) => element.getClientRects().length > 0)
    .map((element) => {
      const { fontSize, fontWeight } = getComputedStyle(element);
      return [fontSize, fontWeight, element.tagName + '.' + element.className + ': ' + element.textContent.slice(0, 40)];
    })`)) as [string, string, string][];
  const other = used.filter(([size, weight]) => !scale.sizes.has(size) || !scale.weights.has(weight));
  assert.deepEqual(other, [], `text on ${where}`);
}
