import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import path from 'node:path';
import { test } from 'node:test';
import { mutantGroups } from './all-mutants.ts';
import { mutate } from './mutant.ts';

const root = path.join(import.meta.dirname, '../..');
const all = Object.values(mutantGroups).flat();

test('the search text of every fault of the mutation check occurs in the code, and the faulty code is valid', async () => {
  for (const mutant of all) {
    const faulty = await mutate(root, mutant);
    assert.notEqual(mutant.from, mutant.to, mutant.name);
    assert.doesNotThrow(() => stripTypeScriptTypes(faulty), `${mutant.name} is not TypeScript`);
  }
});

test('every test that the mutation check relies on exists', async () => {
  for (const { name, tests, named = [] } of all) {
    const texts = await Promise.all(tests.map((file) => readFile(path.join(root, file), 'utf8')));
    for (const wanted of named)
      assert.ok(
        texts.some((text) => text.includes(wanted)),
        `${name}: no test is called "${wanted}"`,
      );
  }
});

test('faults have unique names, and state why they matter', () => {
  assert.deepEqual(
    all.map(({ name }) => name),
    [...new Set(all.map(({ name }) => name))],
  );
  for (const { name, why } of all) assert.ok(/^[a-z-]+$/.test(name) && why.length > 10, name);
});
