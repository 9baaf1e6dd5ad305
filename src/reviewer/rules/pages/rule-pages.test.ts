import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { ruleNames } from '../../configuration/review-configuration.ts';
import { oxlintTable } from '../oxlint/oxlint-table.ts';
import { ruffTable } from '../ruff/ruff-table.ts';
import { rulePages } from './rule-pages.ts';
import { weighedRules } from './weighed-rules.ts';

const folder = new URL('../../../../docs/rules/', import.meta.url);

test('docs/rules is up to date with the tables (npm run generate)', async () => {
  const pages = rulePages();
  assert.deepEqual((await readdir(folder)).sort(), [...pages.keys()].sort());
  for (const [name, text] of pages) assert.equal(await readFile(new URL(name, folder), 'utf8'), text, name);
});

test('every source that can be turned off has a page, and every rule with examples shows both', () => {
  const pages = rulePages();
  const unpaged = ruleNames.filter((name) => !pages.has(`${name}.md`));
  assert.deepEqual(unpaged, ['secrets']);
  for (const name of [
    'docker',
    'terraform',
    'kubernetes',
    'workflows',
    'migrations',
    'contracts',
    'dataflow',
    'dependencies',
    'text',
  ]) {
    const page = pages.get(`${name}.md`)!;
    const rules = page.split(`\n## ${name}/`).length - 1;
    assert.deepEqual(
      [page.split('\nFails:\n').length - 1, page.split('\nPasses:\n').length - 1],
      [rules, rules],
      name,
    );
  }
});

test('rules are used or not as the evidence page says', () => {
  const used = new Set([
    ...Object.keys(ruffTable).map((code) => `ruff/${code}`),
    ...Object.keys(oxlintTable).map((rule) => `oxlint/${rule.slice(rule.indexOf('/') + 1)}`),
  ]);
  for (const [rule, isUsed] of weighedRules) assert.equal(used.has(rule), isUsed, rule);
  const security = Object.keys(ruffTable).filter((code) => /^S\d/.test(code));
  const weighed = new Set(weighedRules.map(([rule]) => rule));
  assert.deepEqual(
    security.filter((code) => !weighed.has(`ruff/${code}`)),
    [],
  );
});
