import assert from 'node:assert/strict';
import type { Page, Request } from 'playwright-core';

/** Loads the dashboard at this address. */
export async function openByAddress(page: Page, place: string): Promise<void> {
  await page.goto(place);
}

/**
 * Opens another URL of the dashboard as its own links do, without reloading the program: for tests about many pages, not about
 * loading them. Only the first is loaded. Returns once the previous page is gone.
 */
export async function openWithin(page: Page, place: string): Promise<void> {
  if (page.url() === 'about:blank') {
    await page.goto(place);
    return;
  }
  await page.locator('h1').first().waitFor();
  const isOtherPage = await page.evaluate(`(() => {
    const { pathname } = new URL(${JSON.stringify(place)}, location);
    const isOther = pathname !== location.pathname;
    if (isOther) document.querySelector('h1').dataset.left = '';
    history.pushState(null, '', ${JSON.stringify(place)});
    return isOther;
  })()`);
  if (isOtherPage) await page.locator('h1:not([data-left])').waitFor();
}

/**
 * Returns a function that waits until a page has loaded: `networkidle` of Playwright only works for the first page of a visit. It
 * polls often, and only while the page is idle, so that one delay of the page or of the test counts as a single poll.
 */
export function loadingOf(page: Page): () => Promise<void> {
  const underWay = new Set<Request>();
  let begun = 0;
  page.on('request', (request) => {
    underWay.add(request);
    begun += 1;
  });
  page.on('requestfinished', (request) => underWay.delete(request));
  page.on('requestfailed', (request) => underWay.delete(request));
  return async () => {
    for (let looks = 0, seen = begun; looks < 20; ) {
      await page.waitForTimeout(25);
      await page.evaluate('new Promise((resolve) => requestIdleCallback(resolve))');
      looks = underWay.size === 0 && begun === seen ? looks + 1 : 0;
      seen = begun;
    }
  };
}

/**
 * Waits until the expression is true in the page. `waitForFunction` of Playwright works only if it is true at once: it polls with
 * `eval`, which the page's Content-Security-Policy forbids.
 */
export async function untilTrue(page: Page, expression: string): Promise<void> {
  const deadline = Date.now() + 120_000;
  while (!(await page.evaluate(expression))) {
    assert.ok(Date.now() < deadline, `never true: ${expression}`);
    await page.waitForTimeout(50);
  }
}

/**
 * Does something, and waits for a text that is shown for only a second. The page itself watches for it, so a slow test does not
 * miss it.
 */
export async function untilShortlyShown(page: Page, text: string, act: () => Promise<void>): Promise<void> {
  await page.evaluate(`(() => {
    window.wasShown = false;
    new MutationObserver(() => {
      window.wasShown ||= document.body.textContent.includes(${JSON.stringify(text)});
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  })()`);
  await act();
  await untilTrue(page, 'window.wasShown');
}

/** Scrolls down until the condition is true, however much has to be loaded for it. */
export async function scrollUntil(page: Page, what: string, isThere: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 300_000;
  while (!(await isThere())) {
    assert.ok(Date.now() < deadline, `${what} does not appear`);
    await page.evaluate('window.scrollTo(0, document.body.scrollHeight)');
    // Content that becomes visible is rendered, and perhaps loaded from the server first.
    await page.waitForTimeout(50);
  }
}
