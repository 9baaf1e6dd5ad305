import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { heapGrowthFlag } from './heap-growth.ts';

test('V8 supports the flag that limits the growth of the heap', () => {
  const known = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });
  assert.match(known, new RegExp(`^\\s*${heapGrowthFlag} `, 'm'));
});
