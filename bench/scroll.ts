import { after } from 'node:test';
import type { Page } from 'playwright-core';
import { startBrowser } from '../test/dashboard/browser.ts';
import { buildDashboard } from '../test/dashboard/build-dashboard.ts';
import { test } from '../test/dashboard/chromium.ts';
import { startReviewedOrganization } from '../test/dashboard/reviewed-pull-request.ts';
import { signInAs } from '../test/session.ts';
import { longChange, longFindings } from './scroll/long-change.ts';
import { categories, type Frame, readFrames } from './scroll/trace.ts';

// Scrolls through a diff of 5,000 changed lines in a real browser, and measures the work of the page's main thread per frame.

/** 6,000 pixels per second, at 60 frames per second. */
const pixelsPerFrame = 100;
const frameCount = 900;
const frameMs = 1000 / 60;

await buildDashboard();
const place = await startReviewedOrganization();
const { app, organizationId } = place;
const url = await app.app.server.listen({ host: '127.0.0.1', port: 0 });
const browser = await startBrowser(url);
const { cookie } = await signInAs(app, 'user-9001@acme.test');
after(() => app.queue.stop());

async function scrollThrough(page: Page): Promise<Frame[]> {
  const chromium = page.context().browser()!;
  await page.evaluate('scrollTo(0, 0)');
  await chromium.startTracing(page, { categories });
  await page.evaluate(`new Promise((resolve) => {
    let left = ${frameCount};
    const step = () => {
      scrollBy(0, ${pixelsPerFrame});
      left -= 1;
      if (left > 0) requestAnimationFrame(step);
      else resolve();
    };
    requestAnimationFrame(step);
  })`);
  return readFrames((await chromium.stopTracing()).toString());
}

function describe(frames: readonly Frame[]): string {
  const sorted = frames.map(({ busy }) => busy).toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(sorted.length * share)]!.toFixed(1);
  const mean = (part: keyof Frame['parts']) =>
    (frames.reduce((sum, { parts }) => sum + parts[part], 0) / frames.length).toFixed(1);
  const parts = (['script', 'style', 'layout', 'paint', 'other'] as const).map(
    (part) => `${part} ${mean(part)}`,
  );
  const late = sorted.filter((busy) => busy > frameMs).length;
  return `${frames.length} frames | median ${at(0.5)} ms | 95 % within ${at(0.95)} ms | ${late} above ${frameMs.toFixed(1)} ms | on average: ${parts.join(', ')} ms`;
}

test('scrolling through 5,000 changed lines', async () => {
  await place.reviewLarge(8, longChange, longFindings);
  for (const layout of ['unified', 'split']) {
    const { page, context } = await browser.visitor({ width: 1440 });
    const [name, value] = cookie.split('=') as [string, string];
    await context.addCookies([{ name, value, url }]);
    await page.goto(`/organizations/${organizationId}/pull-requests/501/8?tab=changes&layout=${layout}`);
    await page.locator('.hl-keyword').first().waitFor();
    for (const time of ['for the first time, files are read', 'once more'])
      process.stdout.write(`${layout}, ${time}: ${describe(await scrollThrough(page))}\n`);
  }
});
