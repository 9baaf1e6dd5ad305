import assert from 'node:assert/strict';
import { test } from 'node:test';
import { impactOf } from '../../../../test/impact-of.ts';
import { faultsOf } from '../../../../test/reference-faults.ts';
import { go } from '../go/go.ts';
import { python } from '../python/python.ts';

const load = 'export function load(id: string) {\n  return id;\n}\nexport const other = 1;\n';

test('an edited line that still uses a removed function is broken; one that no longer does is updated', async () => {
  const files = {
    'load.ts': load,
    'a.ts': "import { load } from './load';\nexport const a = load('1');\n",
    'b.ts': "import * as all from './load';\nexport const b = all.load('2');\n",
    'c.ts': "import { load } from './load';\nexport const c = load('3');\n",
    'd.ts': "import { load } from './load';\nload('4');\nend();\nload('5');\n",
  };
  const changed = {
    'load.ts': 'export const other = 1;\n',
    'a.ts': "import { load } from './load';\n// Gets it.\nexport const a = load('11').trim();\n",
    'b.ts': files['b.ts'].replace("'2'", "'22'"),
    'c.ts': 'export const c = 3;\n',
    'd.ts': "import { load } from './load';\ngo();\nend();\nload('55');\n",
  };
  assert.deepEqual(await impactOf(files, changed), [
    'load removed',
    '  a.ts:3 broken: uses it',
    '  b.ts:2 broken: uses it',
    '  c.ts:2 updated',
    '  d.ts:2 updated',
    '  d.ts:4 broken: uses it',
  ]);
  assert.deepEqual(await faultsOf(files, changed), [
    'references/removed load.ts:old 1 (a.ts:3 b.ts:2 d.ts:4) `load.ts` no longer provides `load`, but it is used at `a.ts:3` and 2 other places',
  ]);
});

test('an edited line that still does not wait for what is asynchronous now is broken', async () => {
  const files = {
    'load.ts': load,
    'a.ts': "import { load } from './load';\nexport const a = load('1') + 1;\n",
    'b.ts': "import { load } from './load';\nload('2');\n",
    'c.ts': "import { load } from './load';\nexport const c = load('3') + 3;\n",
    'd.ts': "import { load } from './load';\nexport const d = [load('4')];\n",
  };
  const changed = {
    'load.ts': load.replace('export', 'export async'),
    'a.ts': files['a.ts'].replace("'1'", "'11'"),
    'b.ts': files['b.ts'].replace("'2'", "'22'"),
    'c.ts': files['c.ts'].replace('load(', '(await load(').replace(')', '))'),
    'd.ts': files['d.ts'].replace("'4'", "'44'"),
  };
  assert.deepEqual(await impactOf(files, changed), [
    'load made_async',
    '  a.ts:2 broken: does not await its result',
    '  b.ts:2 broken: does not await it',
    '  c.ts:2 updated',
    '  d.ts:2 updated',
  ]);
  assert.deepEqual(await faultsOf(files, changed), [
    'references/made-async load.ts:new 1 (a.ts:2 b.ts:2) `load` returns a promise now, but is not awaited at `a.ts:2` and one other place',
  ]);
  const withMore = { ...changed, 'load.ts': changed['load.ts'].replace('string', 'string, x: 1') };
  assert.deepEqual(
    (await faultsOf(files, withMore)).map((fault) => fault.slice(0, 35)),
    ['a', 'b', 'c', 'd'].map((name) => `references/call-mismatch ${name}.ts:new 2`),
    'a call that does not match is one finding',
  );
});

test('a use that was added elsewhere in a file of a removed function, or by an edit of its own file, is broken', async () => {
  assert.deepEqual(
    await impactOf(
      {
        'load.ts': `${load}export const x = load('1');\n`,
        'a.ts': "import { load } from './load';\nload('1');\nend();\nend();\n",
      },
      {
        'load.ts': "export const other = 1;\nexport const x = load('2');\n",
        'a.ts': "import { load } from './load';\nend();\nend();\nload('1');\n",
      },
    ),
    ['load removed', '  a.ts:4 broken: uses it', '  load.ts:2 broken: uses it'],
  );
});

test('the former name of a renamed function or method, and the old place of a moved one, are broken in edited lines', async () => {
  const cart =
    'export class Cart {\n  total() {\n    return 1;\n  }\n  print() {\n    return this.total();\n  }\n}\n';
  assert.deepEqual(
    await impactOf(
      {
        'cart.ts': cart,
        'a.ts': "import { Cart } from './cart';\nconst cart = new Cart();\ncart.total();\n",
      },
      {
        'cart.ts': cart.replace('total() {', 'sum() {').replace('this.total()', 'this.total() + 1'),
        'a.ts': "import { Cart } from './cart';\nconst cart = new Cart();\ngo(cart.total());\n",
      },
    ),
    ['Cart.total renamed to Cart.sum', '  a.ts:3 broken: uses it', '  cart.ts:6 broken: uses it'],
  );
  assert.deepEqual(
    await impactOf(
      { 'load.ts': load, 'a.ts': "import { load } from './load';\nload('1');\n" },
      {
        'load.ts': 'export const other = 1;\n',
        'new.ts': load.replace('export const other = 1;\n', ''),
        'a.ts': "import { load } from './load';\nload('2');\n",
      },
    ),
    ['load moved', '  a.ts:2 broken: uses it'],
  );
});

test('an edited line that gets the name from elsewhere, expects a failure, or whose import the change adds, is not reported', async () => {
  const files = {
    'load.ts': load,
    'a.ts': "import { load } from './load';\nload('1');\n",
    'b.ts': "import { load } from './load';\nload('2');\n",
    'c.ts': "import { load } from './load';\nload('3');\n",
    'd.ts': "import { load, other } from './load';\nload('4');\nother;\n",
  };
  const changed = {
    'load.ts': 'export const other = 1;\n',
    'other.ts': load.replace('return id', 'return other(id, id, 1, 2, 3, 4)'),
    'a.ts': "import { load } from './other';\nload('11');\n",
    'b.ts': "function load(id: string) {\n  return id;\n}\nload('22');\n",
    'c.ts': "import { load } from './load';\n// @ts-expect-error\nload('33');\n",
    'd.ts': "import { other, load } from './load';\nload('44');\nother;\n",
  };
  assert.deepEqual(await faultsOf(files, changed), [
    'references/unknown-import d.ts:new 1 () `load.ts` does not provide `load`',
  ]);
  const [, ...references] = await impactOf(files, changed);
  assert.deepEqual(
    references.map((line) => line.trim()),
    ['a.ts:2 updated', 'b.ts:2 updated', 'c.ts:2 updated', 'd.ts:2 broken'],
  );
});

test('in Python and Go, too, an edited line that still uses what is gone is broken', async () => {
  assert.deepEqual(
    await impactOf(
      {
        'shop/__init__.py': '',
        'shop/cart.py': 'def total(a):\n    return a\n\n\nX = total(1)\n',
        'shop/a.py': 'from shop import cart\n\ncart.total(1)\n',
      },
      { 'shop/cart.py': 'X = total(2)\n', 'shop/a.py': 'from shop import cart\n\ncart.total(2)\n' },
      python,
    ),
    ['total removed', '  shop/a.py:3 broken: uses it', '  shop/cart.py:1 broken: uses it'],
  );
  assert.deepEqual(
    await impactOf(
      {
        'go.mod': 'module acme.test/shop\n',
        'cart/cart.go': 'package cart\n\nfunc Total(a int) int {\n\treturn a\n}\n\nfunc Rest() {}\n',
        'cart/own.go': 'package cart\n\nvar own = Total(1)\n',
        'main.go': 'package main\n\nimport "acme.test/shop/cart"\n\nfunc main() {\n\tcart.Total(1)\n}\n',
      },
      {
        'cart/cart.go': 'package cart\n\nfunc Rest() {}\n',
        'cart/own.go': 'package cart\n\nvar own = Total(2)\n',
        'main.go': 'package main\n\nimport "acme.test/shop/cart"\n\nfunc main() {\n\tcart.Total(2)\n}\n',
      },
      go,
    ),
    ['Total removed', '  cart/own.go:3 broken: uses it', '  main.go:6 broken: uses it'],
  );
});
