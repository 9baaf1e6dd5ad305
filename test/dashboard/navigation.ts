import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';

/** Loads the dashboard at this address. */
export async function openByAddress(page: Page, place: string): Promise<void> {
  await page.goto(place);
}

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
