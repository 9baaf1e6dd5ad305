import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faultsOf } from '../../../../test/reference-faults.ts';

const load = 'export function load(id: string) {\n  return id;\n}\n';

test('code elsewhere that a change breaks is reported at the line that causes it, with all broken places', async () => {
  const files = {
    'load.ts': `// loads\n${load}`,
    'a.ts': "import { load } from './load';\nload('1');\n",
    'b.ts': "import { load } from './load';\nload('2');\n",
  };
  assert.deepEqual(await faultsOf(files, { 'load.ts': '// loads\nexport {};\n' }), [
    'references/removed load.ts:old 2 (a.ts:2 b.ts:2) `load.ts` no longer provides `load`, but it is used at `a.ts:2` and one other place',
  ]);
  assert.deepEqual(await faultsOf(files, { 'load.ts': `// loads\n${load.replace('load', 'fetchOne')}` }), [
    'references/removed load.ts:new 2 (a.ts:2 b.ts:2) `load` is now called `fetchOne`, but still used by its former name at `a.ts:2` and one other place',
  ]);
  assert.deepEqual(
    await faultsOf(files, { 'load.ts': `// loads\n${load.replace('string', 'string, x: number')}` }),
    [
      'references/signature load.ts:new 2 (a.ts:2 b.ts:2) The call to `load` at `a.ts:2` does not pass x; one other call does not match either',
    ],
  );
  assert.deepEqual(
    await faultsOf(files, { 'load.ts': `// loads\n${load.replace('export', 'export async')}` }),
    [
      'references/made-async load.ts:new 2 (a.ts:2 b.ts:2) `load` returns a promise now, but is not awaited at `a.ts:2` and one other place',
    ],
  );
});

test('a deleted or moved file that is still imported is one finding; if its importers are updated, there is none', async () => {
  const files = {
    'lib/load.ts': load,
    'a.ts': "import { load } from './lib/load';\nload('1');\n",
    'b.ts': "import { load } from './lib/load.js';\nload('2');\n",
  };
  const moved = {
    'lib/load.ts': null,
    'lib/new.ts': load,
    'b.ts': "import { load } from './lib/new.js';\nload('2');\n",
  };
  const found = await faultsOf(files, moved);
  assert.deepEqual(
    found.map((each) => each.split(') ')[0]),
    ['references/missing-file lib/load.ts:old 1 (a.ts:1'],
  );
  assert.deepEqual(await faultsOf(files, { ...moved, 'a.ts': 'export {};\n' }), []);
});

test('an added import must lead to a file, a name, or a package that a manifest names', async () => {
  const files = {
    'package.json': JSON.stringify({
      name: 'shop',
      dependencies: { zod: '4' },
      devDependencies: { '@types/left-pad': '1' },
    }),
    'tsconfig.json': '{ // paths\n "compilerOptions": { "paths": { "@/*": ["./lib/*"] } }, }\n',
    'lib/load.ts': load,
  };
  const added = `import { z } from 'zod';
import path from 'node:path';
import fs from 'fs';
import { load } from './lib/load';
import { lost } from './lib/load';
import { load as again } from '@/load';
import { away, further } from './lib/away';
import express from 'express';
import pad from 'left-pad';
import icon from './icon.svg?raw';
import made from 'virtual:made';
try { require('./maybe') } catch {}
`;
  assert.deepEqual(await faultsOf(files, { 'a.ts': added }), [
    'references/unknown-import a.ts:new 5 () `lib/load.ts` does not provide `lost`',
    'references/unknown-import a.ts:new 7 () There is no file `./lib/away`',
    'references/unknown-import a.ts:new 8 () `express` is not declared in any manifest of this package',
  ]);
});

test('an added call must fit the function of this repository that it calls', async () => {
  const files = {
    'load.ts': `${load}export const typed: Loader = (id) => id;\n`,
    'shop/__init__.py': '',
    'shop/cart.py': 'def total(a,  # the sum\n    *, tax=0):\n    return a\n',
  };
  const found = await faultsOf(files, {
    'a.ts':
      "import { load, typed } from './load';\nload();\nload('1');\nload('1', '2');\nload?.();\ntyped();\n",
    'use.py': 'from shop.cart import total\n\ntotal(1, tax=2)\ntotal(1, vat=2)\ntotal(1, 2)\n',
  });
  assert.deepEqual(found, [
    'references/call-mismatch a.ts:new 2 (load.ts:1) The call to `load` does not pass id; the function is at `load.ts:1`',
    'references/call-mismatch a.ts:new 4 (load.ts:1) The call to `load` passes 2 arguments, but at most 1 can be given; the function is at `load.ts:1`',
    'references/call-mismatch a.ts:new 5 (load.ts:1) The call to `load` does not pass id; the function is at `load.ts:1`',
    'references/call-mismatch use.py:new 4 (shop/cart.py:1) The call to `total` passes vat, which is not a parameter; the function is at `shop/cart.py:1`',
    'references/call-mismatch use.py:new 5 (shop/cart.py:1) The call to `total` passes 2 arguments, but at most 1 can be given; the function is at `shop/cart.py:1`',
  ]);
});

test('any default export can be imported, and an import whose first line changed is a new one', async () => {
  const files = {
    'object.js': 'export default {\n  one: 1,\n};\n',
    'made.js': "import one from './object.js';\n\nexport default make(one) && function made() {};\n",
    'shop/__init__.py': '',
    'shop/cart.py': 'def total(a):\n    return a\n',
    'shop/use.py': 'from shop.cart import (\n    total,\n)\n\ntotal(1)\n',
  };
  assert.deepEqual(
    await faultsOf(files, {
      'a.js': "import one from './object.js';\nimport made from './made.js';\nmade(one);\n",
      'shop/cart.py': null,
      'shop/basket.py': 'def total(a):\n    return a\n',
      'shop/use.py': 'from shop.basket import (\n    total,\n)\n\ntotal(1)\n',
    }),
    [],
  );
});

test('modules that a file creates at run time, folders with a manifest, and packages of Deno programs are not reported as missing', async () => {
  const files = {
    'package.json': '{"dependencies":{},"main":"shop.js"}',
    'shop.js': 'module.exports = function shop(built) {};\n',
    'built/package.json': '{"main":"dist/a.js"}',
    'deno/deno.json': '{"imports":{"@std/assert":"jsr:@std/assert"}}',
    'shop/__init__.py': '',
    'shop/six.py': 'def add():\n    pass\n',
  };
  assert.deepEqual(
    await faultsOf(files, {
      'deno/a.ts': "import { equal } from '@std/assert';\nequal();\n",
      'test/a.js': "const shop = require('..');\nconst built = require('../built/');\nshop(built);\n",
      'b.ts': "import { equal } from '@std/assert';\nequal();\n",
      'shop/use.py': 'from .six.moves.queue import Queue\nfrom .seven.moves import Queue as Other\n',
    }),
    [
      'references/unknown-import b.ts:new 1 () `@std/assert` is not declared in any manifest of this package',
      'references/unknown-import shop/use.py:new 2 () There is no file `.seven.moves`',
    ],
  );
});

test('in Python, a line may be continued, and a method may be called through its class, or inherited', async () => {
  const files = {
    'shop/__init__.py': '',
    'shop/cart.py':
      'class Base:\n    def pay(self):\n        return 1\n\n\nclass Cart(Base):\n    def total(self, tax):\n        return tax\n\n    def pay(self):\n        return 2\n',
    'shop/other.py': 'from shop.cart import Cart\n\nCart.pay(None)\n',
  };
  const without = files['shop/cart.py'].replace('\n    def pay(self):\n        return 2\n', '');
  assert.deepEqual(
    await faultsOf(files, {
      'shop/cart.py': without,
      'shop/use.py':
        'from shop.cart import Base, \\\n    Cart\n\nBase()\nCart.total(Cart(), \\\n    2)\nCart.total(2)\n',
    }),
    [
      'references/call-mismatch shop/use.py:new 7 (shop/cart.py:7) The call to `Cart.total` does not pass tax; the function is at `shop/cart.py:7`',
    ],
  );
});
