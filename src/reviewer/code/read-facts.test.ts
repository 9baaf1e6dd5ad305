import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CodeFacts } from './code-facts.ts';
import { javascript } from './javascript/javascript.ts';
import type { Language } from './language.ts';
import { readFacts } from './read-facts.ts';

/** A language that records what it reads. */
function listening(): { readonly language: Language; readonly read: string[] } {
  const read: string[] = [];
  const facts: CodeFacts = { definitions: [], imports: [], exports: [], uses: [], hasOpenExports: false };
  const language: Language = {
    ...javascript,
    name: `listening ${Math.random()}`,
    async readFacts(path, text, formerNames = []) {
      read.push([path, text.length, ...formerNames].join(' '));
      return facts;
    },
  };
  return { language, read };
}

test('a text is read once for each path and set of former names, and again when it has changed', async () => {
  const { language, read } = listening();
  for (const text of ['1', '1', '22', '1']) await readFacts(language, 'a.ts', text);
  await readFacts(language, 'b.ts', '1');
  await readFacts(language, 'a.ts', '1', ['gone']);
  await readFacts(language, 'a.ts', '1', ['gone']);
  assert.deepEqual(read, ['a.ts 1', 'a.ts 2', 'b.ts 1', 'a.ts 1 gone']);
});

test('the cache is bounded and drops the least recently used facts first', async () => {
  const { language, read } = listening();
  const large = 'x'.repeat(3 * 1024 * 1024);
  await readFacts(language, 'a.ts', '1');
  await readFacts(language, 'b.ts', large);
  await readFacts(language, 'a.ts', '1');
  await readFacts(language, 'c.ts', large);
  assert.equal(read.length, 3);
  await readFacts(language, 'a.ts', '1');
  assert.equal(read.length, 3);
  await readFacts(language, 'b.ts', large);
  assert.equal(read.length, 4);
});
