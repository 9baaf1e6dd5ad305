import assert from 'node:assert/strict';
import { mkdtemp, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { removeFolder } from '../remove-folder.ts';
import { assertShown } from './expected-output.ts';
import { readGuide } from './guide.ts';
import { openNewcomer, prepareFreshData } from './newcomer.ts';

const root = path.join(import.meta.dirname, '../..');
const guidesIn = async (folder: string) =>
  (await readdir(path.join(root, folder)))
    .filter((name) => name.endsWith('.md'))
    .map((name) => path.join(folder, name));
const guides = ['README.md', ...(await guidesIn('docs')), ...(await guidesIn('docs/connections'))];

/**
 * The guide for first steps, and one with a command from another folder. Commands in other guides are similar, and run without
 * npm.
 */
const withNpmItself = ['docs/first-steps.md', 'docs/report.md'];

const home = await mkdtemp(path.join(tmpdir(), 'postil-guides-'));
const freshData = path.join(home, 'data');
before(() => prepareFreshData(freshData));
after(() => removeFolder(home));

describe('on a fresh server, every guide prints what it shows', { concurrency: 2 }, () => {
  for (const guide of guides) {
    test(guide, { timeout: 600_000 }, async () => {
      const steps = await readGuide(path.join(root, guide));
      if (steps.length === 0) return assert.ok(!withNpmItself.includes(guide));
      const newcomer = await openNewcomer(freshData, withNpmItself.includes(guide) ? 'itself' : 'quick');
      const results = await newcomer.follow(steps).finally(newcomer.leave);
      for (const [index, { output, hasFailed }] of results.entries()) {
        const { commands, line, output: shown } = steps[index]!;
        assert.ok(!hasFailed, `${guide}:${line} failed:\n${commands}\n\n${output}`);
        if (shown === undefined) continue;
        try {
          assertShown(shown.language, shown.text, output);
        } catch (error) {
          throw new Error(`${guide}:${shown.line} is not what line ${line} prints:\n${output}`, {
            cause: error,
          });
        }
      }
      assert.equal(results.length, steps.length);
    });
  }
});
