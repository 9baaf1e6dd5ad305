import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sidesOf } from '../../../../test/compared-change.ts';
import { resolveConfiguration } from '../../configuration/review-configuration.ts';
import { dependencies } from './dependencies.ts';
import { dependencyExamples, exampleGrounds } from './dependency-examples.ts';
import { matchAdvisories } from './osv/match-advisories.ts';

const { deny, fixed, lock } = exampleGrounds;
const licences = { deny: [deny] };
const { reviews } = resolveConfiguration({ reviews: { dependencies: { licences } } });
const advisory = {
  id: 'GHSA-1',
  summary: '',
  severity: 'major',
  affected: [
    {
      ecosystem: 'npm',
      name: 'left-pad',
      versions: [],
      ranges: [{ events: [{ introduced: '0' }, { fixed }] }],
    },
  ],
} as const;

/** The rules with findings about a change of a file. */
async function rulesOn(path: string, before: string, after: string): Promise<string[]> {
  const around: Record<string, string> = path === 'package.json' ? { 'package-lock.json': lock } : {};
  const sides = sidesOf({ [path]: [before, after] }, around);
  const { findings, brought = [] } = await dependencies.compare(sides, reviews, new AbortController().signal);
  const affected = matchAdvisories(brought, [advisory]).filter(({ version }) => version.name === 'left-pad');
  return [...findings.map(({ rule }) => rule), ...affected.map(() => 'dependencies/vulnerable')];
}

test('every rule reports its failing example, and not its passing one', async () => {
  for (const [rule, { path, before, fails, passes }] of Object.entries(dependencyExamples)) {
    assert.ok((await rulesOn(path, before, fails)).includes(`dependencies/${rule}`), `${rule} fails`);
    assert.ok(!(await rulesOn(path, before, passes)).includes(`dependencies/${rule}`), `${rule} passes`);
  }
});
