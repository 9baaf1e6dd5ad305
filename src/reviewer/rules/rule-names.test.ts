import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ruleNames } from '../configuration/review-configuration.ts';
import { allRuleSources } from './all-sources.ts';
import { rulePages } from './pages/rule-pages.ts';
import { shippedRules } from './rule-names.ts';

test('every source that can raise something is known by its rules, so that they can be set and listed', () => {
  const known = new Set(shippedRules().map((rule) => rule.slice(0, rule.indexOf('/'))));
  const running = allRuleSources({ searchPath: undefined }).map(({ name }) => name);
  assert.deepEqual(
    [...new Set([...running, ...ruleNames])].filter((source) => !known.has(source)),
    [],
  );
});

test('every rule that has a page is known', () => {
  const known = new Set(shippedRules());
  const paged = [...rulePages()].flatMap(([name, page]) =>
    [...page.matchAll(/^## (\S+\/\S+)$/gm)].map(([, rule]) => ({ name, rule: rule! })),
  );
  assert.notEqual(paged.length, 0);
  assert.deepEqual(
    paged.filter(({ rule }) => !known.has(rule)),
    [],
  );
});
