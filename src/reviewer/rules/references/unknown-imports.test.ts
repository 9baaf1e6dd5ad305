import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faultsOf } from '../../../../test/reference-faults.ts';

test('an alias of tsconfig leads to a file of the repository, unless it may lead elsewhere', async () => {
  const files = {
    'package.json': '{ "name": "shop", "dependencies": { "@lib/real": "1" } }\n',
    'tsconfig.json':
      '{ "compilerOptions": { "paths": { "@lib/*": ["./lib/*"], "@far/*": ["./dist/*"], "@two/*": ["./lib/*", "./x/*"], "*": ["./types/*"] } } }\n',
    '.gitignore': 'made.ts\n',
    'lib/load.ts': 'export const load = 1;\n',
    'lib/cart.ts': 'export const cart = 1;\n',
    'types/a.d.ts': 'export {};\n',
    'use.ts': "import { load } from '@lib/load';\nimport { cart } from '@lib/cart';\nload + cart;\n",
    'sub/tsconfig.json': '{ "extends": "@acme/tsconfig" }\n',
  };
  assert.deepEqual(
    await faultsOf(files, {
      'lib/load.ts': null,
      'lib/cart.ts': null,
      'lib/moved/cart.ts': 'export const cart = 1;\n',
      'a.ts':
        "import '@lib/nofile';\nimport '@lib/real';\nimport '@far/a';\nimport '@two/a';\nimport '@lib/made';\nimport '@lib/a.svg?raw';\nimport '@lib/moved/cart';\n",
      'sub/a.ts': "import '@lib/nofile';\n",
    }),
    [
      'references/unknown-import a.ts:new 1 () There is no file `@lib/nofile`',
      'references/missing-file lib/cart.ts:old 1 (use.ts:2) `lib/cart.ts` no longer exists, but `use.ts:2` still imports it',
      'references/missing-file lib/load.ts:old 1 (use.ts:1) `lib/load.ts` no longer exists, but `use.ts:1` still imports it',
    ],
  );
});

test('a path below some folder may be an alias of a build tool, whose configuration is code', async () => {
  const files = {
    'package.json': '{ "name": "shop" }\n',
    'app/dashboard/cart.js': 'export const cart = 1;\n',
  };
  const added =
    "import { cart } from 'dashboard/cart';\nimport { lost } from 'dashboard/lost';\ncart(lost);\n";
  assert.deepEqual(await faultsOf(files, { 'app/a.js': added }), [
    'references/unknown-import app/a.js:new 2 () `dashboard` is not declared in any manifest of this package',
  ]);
});

test('names that neither the runtime nor a package of the repository exports cannot be resolved', async () => {
  const files = {
    'package.json': '{ "name": "shop", "imports": { "#cart": "./cart.ts", "#lib/*": "./lib/*.ts" } }\n',
    'cart.ts': 'export const cart = 1;\n',
    'ui/package.json':
      '{ "name": "@acme/ui", "exports": { ".": "./index.ts", "./parts/*": "./parts/*.ts" } }\n',
    'ui/index.ts': 'export const ui = 1;\n',
    'ui/deep.ts': 'export const deep = 1;\n',
    'open/package.json': '{ "name": "open" }\n',
  };
  assert.deepEqual(
    await faultsOf(files, {
      'a.ts': `import 'node:fs/promises';
import 'node:nothing';
import { cart, lost } from '#cart';
import '#lib/built';
import '#other';
import '@acme/ui/parts/built';
import '@acme/ui/deep';
import '@acme/ui/none';
import 'open/built';
`,
      'open/a.ts': "import '#other';\n",
    }),
    [
      'references/unknown-import a.ts:new 2 () There is no module or package `node:nothing`',
      'references/unknown-import a.ts:new 3 () `cart.ts` does not provide `lost`',
      'references/unknown-import a.ts:new 5 () There is no module or package `#other`',
      'references/unknown-import a.ts:new 8 () There is no module or package `@acme/ui/none`',
    ],
  );
});

test('imported modules of packages in the repository must exist, in Python and Go', async () => {
  const files = {
    'shop/__init__.py': 'x = 1\n',
    'shop/cart.py': 'y = 1\n',
    'use.py': 'import shop.cart\n',
    'go.mod': 'module acme.test/shop\n',
    'cart/cart.go': 'package cart\n\nfunc Load() {}\n',
  };
  assert.deepEqual(
    await faultsOf(files, {
      'shop/cart.py': null,
      'a.py': 'import shop.missing\nimport shop.missing as m\nimport os.path\n',
      'shop/b.py': 'from . import rel\nfrom . import b, x\n',
      'shop/sub/__init__.py': 'from . import rel\nfrom . import part, y\nfrom .part import y\n',
      'shop/sub/part.py': 'y = 1\n',
      'main.go':
        'package main\n\nimport (\n\t"acme.test/shop/cart"\n\t"acme.test/shop/none"\n)\n\nvar _ = none.X\nvar _ = cart.Load\n',
    }),
    [
      'references/unknown-import a.py:new 1 () There is no file `shop.missing`',
      'references/unknown-import shop/b.py:new 1 () `shop/__init__.py` does not provide `rel`',
      'references/unknown-import shop/sub/__init__.py:new 1 () `shop/sub/__init__.py` does not provide `rel`',
      'references/unknown-import main.go:new 5 () There is no file `acme.test/shop/none`',
      'references/missing-file shop/cart.py:old 1 (use.py:1) `shop/cart.py` no longer exists, but `use.py:1` still imports it',
    ],
  );
});

test('a Go import without a dot in its first part is of the standard library, the repository, or a folder that a manifest names', async () => {
  const use = (...names: string[]) =>
    `package a\n\nimport (\n${names.map((name) => `\t_ "${name}"\n`).join('')})\n`;
  const names = ['fmt', 'fmtt', 'net/http', 'shop/cart', 'taken/x', 'kept/y', 'C'];
  const files = {
    'go.mod': 'module shop\n\nrequire taken v0.0.0\n\nreplace taken => ../taken\n',
    'cart/cart.go': 'package cart\n',
    'vendor/kept/y/y.go': 'package y\n',
  };
  assert.deepEqual(await faultsOf(files, { 'a/a.go': use(...names) }), [
    'references/unknown-import a/a.go:new 5 () There is no module or package `fmtt`',
  ]);
  const { 'go.mod': _, ...without } = files;
  assert.deepEqual(await faultsOf(without, { 'a/a.go': use('fmtt') }), []);
});

test('names that are destructured from an awaited import must exist', async () => {
  const files = {
    'm.ts': 'export function load(a: string) {}\nexport const b = 1;\n',
    'a.ts': "export async function f() {\n  const { load } = await import('./m');\n  load('a');\n}\n",
    'b.ts':
      "const { load: other } = await import('./m');\nother('b');\nconst m = await import('./m');\nm.load('x');\n",
  };
  assert.deepEqual(
    await faultsOf(files, {
      'm.ts': 'export const b = 1;\n',
      'c.ts': "const { b, zip, zap = 1 } = await import('./m');\n",
    }),
    [
      'references/removed m.ts:old 1 (a.ts:2 b.ts:2 b.ts:4) `m.ts` no longer provides `load`, but it is used at `a.ts:2` and 2 other places',
      'references/unknown-import c.ts:new 1 () `m.ts` does not provide `zip`',
    ],
  );
});
