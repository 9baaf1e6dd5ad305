import assert from 'node:assert/strict';
import type { Page, Request } from 'playwright-core';

/**
 * Opens another address of the dashboard as its own links do, without loading the program anew: for tests that are about many
 * pages, not about loading them. The first is loaded. Returns once the page before is gone.
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
 * Tells when a page has loaded: `networkidle` of Playwright is only about the first page of a visit. Many short looks, each once
 * the page has nothing to do: whoever stands still for a moment, it or we, costs only one.
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
 * Waits until this is true in the page. `waitForFunction` of Playwright only works if it is so at once: each later look is an
 * `eval`, which the page's Content-Security-Policy forbids.
 */
export async function untilTrue(page: Page, expression: string): Promise<void> {
  const deadline = Date.now() + 120_000;
  while (!(await page.evaluate(expression))) {
    assert.ok(Date.now() < deadline, `never true: ${expression}`);
    await page.waitForTimeout(50);
  }
}

/** Does something, and waits for a text that is shown for a second only: the page itself looks for it, however late we are. */
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

/** Scrolls down until this is there, however much has to be loaded for it. */
export async function scrollUntil(page: Page, what: string, isThere: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 300_000;
  while (!(await isThere())) {
    assert.ok(Date.now() < deadline, `${what} does not appear`);
    await page.evaluate('window.scrollTo(0, document.body.scrollHeight)');
    // What comes into sight is drawn, and perhaps read from the server first.
    await page.waitForTimeout(50);
  }
}
