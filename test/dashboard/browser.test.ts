import assert from 'node:assert/strict';
import { assertAccessible, assertClean, startBrowser } from './browser.ts';
import { test } from './chromium.ts';

// The other tests rely on these checks: if one never found anything, they would not notice.
const browser = await startBrowser('http://127.0.0.1');
const pageWith = (content: string) =>
  `<!doctype html><html lang="en"><head><title>A page</title></head><body><main><h1>A page</h1>${content}</main></body></html>`;

test('content that is not accessible is found, with its rule and its place', async () => {
  const { page } = await browser.visitor();
  await page.setContent(pageWith('<p>Text</p><button>Act</button>'));
  await assertAccessible(page, 'a page without faults');
  const faults = {
    'color-contrast': '<p style="color: #bbb; background: #fff">Pale</p>',
    'image-alt': '<img src="data:,">',
    'button-name': '<button></button>',
    label: '<input type="text">',
    list: '<ul><p>No item</p></ul>',
    'aria-required-attr': '<div role="checkbox" tabindex="0" aria-label="A"></div>',
  };
  for (const [rule, fault] of Object.entries(faults)) {
    await page.setContent(pageWith(fault));
    await assert.rejects(assertAccessible(page, 'a page'), (error: Error) => {
      assert.ok(error.message.includes(`${rule}: `), error.message);
      assert.ok(error.message.includes(fault.slice(0, 12)), error.message);
      return true;
    });
  }
});

test('a list that is open may lie outside the landmarks; other content may not', async () => {
  const { page } = await browser.visitor();
  const outside = (named: string) => `${pageWith('')}<div ${named}><p>An option</p></div>`;
  for (const named of ['id="mantine-r4-dropdown"', 'class="m_88b62a41 mantine-Select-dropdown"']) {
    await page.setContent(outside(named));
    await assertAccessible(page, 'an open list');
  }
  await page.setContent(outside('id="other" class="mantine-Paper-root"'));
  await assert.rejects(assertAccessible(page, 'a page'), /region: /);
});

test('a page that is wider than the window is found, and so is an error in the console', async () => {
  const visitor = await browser.visitor({ width: 390 });
  await visitor.page.setContent(pageWith('<div style="width: 500px">Wide</div>'));
  await assert.rejects(assertClean(visitor, 'a page'), /is 5\d\d px wide in a window of 390 px/);
  await visitor.page.evaluate("console.error('a fault')");
  await assert.rejects(assertClean(visitor, 'a page'), /error: a fault/);
});
