import assert from 'node:assert/strict';
import { test } from 'node:test';
import { impactOf } from '../../../../test/impact-of.ts';

const load = 'export function load(id: string) {\n  return id;\n}\n';

test('removing a function breaks the uses that were left unchanged, also through a file that re-exports it', async () => {
  const files = {
    'src/load.ts': `${load}export const other = 1;\n`,
    'src/index.ts': "export * from './load.ts';\n",
    'src/a.ts': "import { load } from './load.ts';\nload('1');\n",
    'src/b.ts': "import { load as get } from './index.js';\nexport const b = get('2');\n",
    'src/c.ts': "import * as all from './load';\nall.load('3');\n",
    'src/d.ts': "import { load } from 'other';\nload('4');\n",
    'src/e.ts': "import { load } from './load.ts';\nload('5');\n",
  };
  const impact = await impactOf(files, {
    'src/load.ts': 'export const other = 1;\n',
    'src/e.ts': 'export const e = 1;\n',
  });
  assert.deepEqual(impact, [
    'load removed',
    '  src/a.ts:2 broken: uses it',
    '  src/b.ts:2 broken: uses it',
    '  src/c.ts:2 broken: uses it',
    '  src/e.ts:2 updated',
  ]);
});

test('a function that got another parameter breaks the calls that do not pass it', async () => {
  const files = {
    'load.ts': load,
    'a.ts': "import { load } from './load';\nload('1');\nload('1', more);\nload(...all);\nexport { load };\n",
    'b.ts': "import { load } from './a';\nload('2');\n",
  };
  const impact = await impactOf(files, { 'load.ts': load.replace('id: string', 'id: string, shop: Shop') });
  assert.deepEqual(impact, [
    'load signature',
    '  a.ts:2 broken: does not pass shop',
    '  a.ts:3 fits',
    '  a.ts:4 unknown',
    '  a.ts:5 fits',
    '  b.ts:2 broken: does not pass shop',
  ]);
});

test('in plain JavaScript a call with fewer arguments is broken only if the function needs the missing one', async () => {
  const files = {
    'load.js': 'exports.load = load;\nfunction load(id) {\n  return id.length;\n}\n',
    'a.js': "const { load } = require('./load');\nload('1');\n",
  };
  const lax = await impactOf(files, {
    'load.js': 'exports.load = load;\nfunction load(id, more) {\n  return more ? more.x : id.length;\n}\n',
  });
  assert.deepEqual(lax, ['load signature', '  a.js:2 fits', '  load.js:1 fits']);
  const hard = await impactOf(files, {
    'load.js': 'exports.load = load;\nfunction load(id, more) {\n  return more.x;\n}\n',
  });
  assert.deepEqual(hard, ['load signature', '  a.js:2 broken: does not pass more', '  load.js:1 fits']);
});

test('a function that became asynchronous breaks the calls that do not await it', async () => {
  const files = {
    'load.ts': load,
    'a.ts':
      "import { load } from './load';\nif (load('1')) go();\nexport const x = () => load('2');\nasync function f() { await load('3') }\n",
  };
  const impact = await impactOf(files, {
    'load.ts': load.replace('export function', 'export async function'),
  });
  assert.deepEqual(impact, [
    'load made_async',
    '  a.ts:2 broken: does not await its result',
    '  a.ts:3 fits',
    '  a.ts:4 fits',
  ]);
});

test('a function that may have returned a promise before has not become asynchronous', async () => {
  const a = "import { load } from './load';\nload('1');\n";
  const impactIn = (extension: string, head: string, body: string) =>
    impactOf(
      { [`load.${extension}`]: `export function ${head} {\n${body}\n}\n`, [`a.${extension}`]: a },
      { [`load.${extension}`]: `export async function ${head} {\n${body}\n}\n` },
    );
  for (const body of [
    '  return fetch(a);',
    '  return new Promise((done) => done(a));',
    '  return fetch(a).then((answer) => answer.text());',
    '  const p = fetch(a);\n  return p;',
    '  if (a) return null;\n  return a ? inner(a) : 1;',
  ])
    for (const [extension, head] of [
      ['js', 'load(a)'],
      ['ts', 'load(a: string)'],
      ['ts', 'load(a: string): Awaitable<string>'],
      ['ts', 'load(a: string): ReturnType<typeof fetch>'],
    ] as const)
      assert.deepEqual(await impactIn(extension, head, body), [], `${head} ${body}`);
  for (const body of [
    '  let last = a || last;\n  last = (last && first) || 1;\n  var first = 1 && last;\n  return last;',
    '  return { a };',
    '  const rows = [];\n  rows.push(a);\n  return rows;',
    '  go(a);',
  ])
    assert.deepEqual(
      await impactIn('js', 'load(a)', body),
      ['load made_async', '  a.js:2 broken: does not await it'],
      body,
    );
  assert.deepEqual(await impactIn('ts', 'load(a: string): User', '  return users.get(a);'), [
    'load made_async',
    '  a.ts:2 broken: does not await it',
  ]);
});

test('a renamed function is reported with its new name, and a use in its own file is broken, too', async () => {
  const impact = await impactOf(
    { 'a.ts': `${load}export const x = load('1');\n` },
    { 'a.ts': `${load.replace('load', 'fetchOne')}export const x = load('1');\n` },
  );
  assert.deepEqual(impact, ['load renamed to fetchOne', '  a.ts:4 broken: uses it']);
});

test('a definition counts as renamed only if the removed and the added one have the same content and no other does', async () => {
  const one = (name: string, body: string) => `export function ${name}(x: number) { return ${body}; }\n`;
  const before =
    one('addTen', 'x + 10') + one('subOne', 'x - 1') + one('halve', 'Math.floor(x / 2) || undefined');
  const after = one('cube', 'x * x * x') + one('half', 'Math.floor(x / 2) || undefined');
  const use = "import { addTen, halve, subOne } from './a';\naddTen(1);\nsubOne(1);\nhalve(1);\n";
  assert.deepEqual(await impactOf({ 'a.ts': before, 'b.ts': use }, { 'a.ts': after }), [
    'addTen removed',
    '  b.ts:2 broken: uses it',
    'subOne removed',
    '  b.ts:3 broken: uses it',
    'halve renamed to half',
    '  b.ts:4 broken: uses it',
  ]);
});

test('uses of moved code that is still re-exported, and uses that cannot be resolved, are not called broken', async () => {
  const files = {
    'load.ts': load,
    'a.ts': "import { load } from './load';\nload('1');\n",
    'dynamic.js': 'module.exports = make();\n',
    'b.js': "const { load } = require('./dynamic');\nload();\n",
  };
  const impact = await impactOf(files, {
    'load.ts': "export { load } from './new';\n",
    'new.ts': load,
    'dynamic.js': 'module.exports = makeOther();\n',
  });
  assert.deepEqual(impact, ['load moved', '  a.ts:2 fits']);
});

test('an import without other uses counts as a use, unless it is a variable that is never read', async () => {
  const impact = await impactOf(
    {
      'load.ts': `${load}export const other = 1;\n`,
      'a.ts': "import { load, other } from './load';\nother;\n",
      'b.js': "const { load } = require('./load');\n",
    },
    { 'load.ts': 'export const other = 1;\n' },
  );
  assert.deepEqual(impact, ['load removed', '  a.ts:1 broken: uses it']);
});

test('a name that a file no longer imports, and that may be declared globally now, is not called broken', async () => {
  const impact = await impactOf(
    {
      'load.ts': `${load}type NoInfer<T> = T;\nexport const other: NoInfer<1> = 1;\n`,
      'a.ts': "import { load } from './load';\nload('1');\n",
    },
    { 'load.ts': 'export const other: NoInfer<1> = 1;\n', 'a.ts': "load('1');\n" },
  );
  assert.deepEqual(impact, ['load removed', '  a.ts:1 unknown', 'NoInfer removed', '  load.ts:1 unknown']);
});

test('a file that re-exports a removed name is broken itself', async () => {
  const impact = await impactOf(
    {
      'load.ts': `${load}export const other = 1;\n`,
      'index.ts': "export { load } from './load';\nexport { other } from './load';\n",
    },
    { 'load.ts': 'export const other = 1;\n' },
  );
  assert.deepEqual(impact, ['load removed', '  index.ts:1 broken: uses it']);
});

test('a definition that is removed from one file and added to another has moved, alone or with its file', async () => {
  const files = {
    'load.ts': `${load}export const rest = 1;\n`,
    'whole.ts': 'export function whole() {}\nwhole();\n'.concat('// text\n'.repeat(10)),
    'a.ts': "import { load } from './load';\nimport { whole } from './whole';\nload('1');\nwhole();\n",
    'b.ts': "import { load } from './load';\nload('1');\n",
  };
  const impact = await impactOf(files, {
    'load.ts': 'export const rest = 1;\n',
    'lib/load.ts': load,
    'whole.ts': null,
    'lib/whole.ts': files['whole.ts'],
    'a.ts': files['a.ts'].replace("'./load'", "'./lib/load'"),
  });
  assert.deepEqual(impact, [
    'whole moved',
    '  a.ts:4 broken',
    'load moved',
    '  a.ts:3 fits',
    '  b.ts:2 broken: uses it',
  ]);
});

test('uses of a deleted file are broken; uses that are deleted with the code around them do not count', async () => {
  const files = {
    'load.ts': load,
    'a.ts': "import { load } from './load';\nload('1'), load('2');\n",
    'b.ts':
      "import { load } from './load';\nexport function old() {\n  load('1');\n}\n\nexport const b = load('2');\n",
    'c.ts': "import { load } from './load';\nload('1');\n",
  };
  const impact = await impactOf(files, {
    'load.ts': null,
    'b.ts': "import { load } from './load';\nexport const b = 2;\n",
    'c.ts': null,
  });
  assert.deepEqual(impact, ['old removed', 'load removed', '  a.ts:2 broken', '  b.ts:6 updated']);
});

test('a definition has moved only if the removed and the added one have similar content', async () => {
  const files = {
    'a.ts': load,
    'use.ts': "import { load } from './a';\nload('1');\n",
  };
  const moved = { 'a.ts': 'export {};\n', 'b.ts': load };
  assert.deepEqual((await impactOf(files, moved))[0], 'load moved');
  const other =
    'export function load(shop: Shop, rows: Row[]) {\n  for (const row of rows) shop.put(row.key, row.value);\n  shop.close();\n  console.log(rows.length);\n}\n';
  assert.deepEqual((await impactOf(files, { ...moved, 'b.ts': other }))[0], 'load removed');
});
