import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shownPath, withShownPaths } from './shown-path.ts';

const token = `ghp_${'Ab3'.repeat(12)}`;

test('a credential in the name of a file is not shown, alone or among many', () => {
  assert.equal(shownPath(`keys/${token}.txt`), 'keys/[REDACTED].txt');
  const names = Array.from({ length: 1_000 }, (_, index) => `src/part-${index}/index-4f2a9c1b.ts`);
  const entries = [...names.map((path) => ({ path, state: 'full' })), { path: null, state: 'full' }];
  assert.equal(withShownPaths(entries), entries);
  const shown = withShownPaths([...entries, { path: `${token}/a.ts`, state: 'skipped' }]);
  assert.deepEqual(shown.slice(0, -1), entries);
  assert.deepEqual(shown.at(-1), { path: '[REDACTED]/a.ts', state: 'skipped' });
});
