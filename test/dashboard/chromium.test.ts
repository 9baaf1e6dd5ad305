import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { childEnvironment } from '../child-environment.ts';

/** Runs a file with a browser test as on a machine without a browser. */
function runWithoutChromium(settings: Record<string, string>) {
  const from = (name: string) => pathToFileURL(path.join(import.meta.dirname, name)).href;
  const file = `
    import { startBrowser } from '${from('browser.ts')}';
    import { test } from '${from('chromium.ts')}';
    const { page } = await (await startBrowser('http://127.0.0.1')).visitor();
    await page.goto('/');
    test('a page', () => page.getByText('anything').waitFor());`;
  const env = { ...childEnvironment, POSTIL_CHROMIUM: '', ...settings };
  const options = ['--input-type=module-typescript', '--test-reporter=spec', '--eval', file];
  return spawnSync(process.execPath, options, { env, encoding: 'utf8' });
}

describe('without Chromium', () => {
  test('no browser test is run: all files that start a browser take their tests from here', () => {
    const files = globSync('*.test.ts', { cwd: import.meta.dirname }).map(
      (name) => [name, readFileSync(path.join(import.meta.dirname, name), 'utf8')] as const,
    );
    const forgotten = files.filter(
      ([name, text]) =>
        name !== path.basename(import.meta.filename) &&
        text.includes('startBrowser(') &&
        !text.includes("import { test } from './chromium.ts';"),
    );
    assert.deepEqual(
      forgotten.map(([name]) => name),
      [],
    );
  });

  test('browser tests are skipped, and say what is missing', () => {
    const { stdout, status } = runWithoutChromium({});
    assert.match(stdout, /^﹣ a page .*# no Chromium .* installs one/m);
    assert.match(stdout, /^ℹ skipped 1$/m);
    assert.equal(status, 0);
  });

  test('in CI, they fail', () => {
    const { stderr, status } = runWithoutChromium({ CI: 'true' });
    assert.match(stderr, /no Chromium .* installs one/);
    assert.equal(status, 1);
  });
});
