import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reviewHere } from '../../../test/review-here.ts';
import { changeOfDiff } from '../../reviewer/change/change-of-diff.ts';
import { resolveConfiguration } from '../../reviewer/configuration/review-configuration.ts';
import { allRuleSources } from '../../reviewer/rules/all-sources.ts';
import { asDiff, demoChanges } from './changes.ts';

const expected: Readonly<Record<string, readonly string[]>> = {
  Discounts: ['oxlint/no-unsafe-finally', 'oxlint/use-isnan'],
  'Payments with the key of the shop': ['secrets/'],
  'Import orders of the old shop': ['ruff/B006', 'ruff/F507', 'ruff/F601'],
  'Release from tags': ['actionlint/', 'shell/SC2115', 'shell/world-writable'],
  'Readiness for load balancers': [],
};

for (const change of demoChanges)
  test(`rules find what the demo's change "${change.title}" has, and nothing else`, {
    timeout: 600_000,
  }, async () => {
    const { diff, files } = asDiff(change);
    const result = await reviewHere({
      change: changeOfDiff(diff, files),
      configuration: resolveConfiguration(),
      sources: allRuleSources({ searchPath: undefined }),
      signal: AbortSignal.timeout(600_000),
    });
    assert.equal(result.status, 'succeeded', result.reason ?? '');
    const names = result.findings.map(({ source }) => source.name).toSorted();
    const wanted = expected[change.title]!;
    assert.equal(names.length, wanted.length, names.join());
    for (const [index, name] of wanted.entries()) assert.ok(names[index]!.startsWith(name), names.join());
  });
