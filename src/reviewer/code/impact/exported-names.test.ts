import assert from 'node:assert/strict';
import { test } from 'node:test';
import { impactOf } from '../../../../test/impact-of.ts';
import { python } from '../python/python.ts';

const load = 'export function load(id: string) {\n  return id;\n}\n';

test('removing a re-export breaks the files that import the name from there', async () => {
  const files = {
    'x.ts': `${load}export type Item = string;\nexport const kept = 1;\n`,
    'all.ts': "export * from './x';\n",
    'outer.ts': "export * from './all';\n",
    'one.ts': "export { load } from './x';\nexport type { Item } from './x';\nexport { z } from 'zod';\n",
    'other.ts': "import { load } from './x';\nexport { load as get };\nexport { kept } from './x';\n",
    'a.ts': "import { load } from './all';\nimport { kept } from './outer';\nload('1');\nkept;\n",
    'b.ts': "import { load, type Item, z } from './one';\nconst item: Item = load('1');\nz(item);\n",
    'c.ts': "import * as other from './other';\nother.get('1');\nother.kept;\n",
    'd.ts': "import { load } from './x';\nload('1');\n",
  };
  const impact = await impactOf(files, {
    'all.ts': "export { kept } from './x';\n",
    'one.ts': 'export {};\n',
    'other.ts': "export { kept } from './x';\n",
  });
  assert.deepEqual(impact, [
    "* from './x' removed",
    '  a.ts:3 broken: uses it',
    '  a.ts:4 fits',
    'load removed',
    '  b.ts:2 broken: uses it',
    'Item removed',
    '  b.ts:2 broken: uses it',
    'z removed',
    '  b.ts:3 broken: uses it',
    'get removed',
    '  c.ts:2 broken: uses it',
  ]);
});

test('removing an import from a Python package breaks the files that import the name from the package', async () => {
  const files = {
    'shop/__init__.py': 'from .cart import load, total\nfrom .more import *\nfrom . import cart\nimport os\n',
    'shop/cart.py': 'def load(): pass\n\n\ndef total(): pass\n',
    'shop/more.py': 'def further(): pass\n',
    'a.py':
      'from shop import load, total, further\nimport shop\n\nload()\ntotal()\nfurther()\nshop.os.getcwd()\nshop.cart\n',
  };
  const impact = await impactOf(files, { 'shop/__init__.py': 'from .cart import total\n' }, python);
  assert.deepEqual(impact, [
    'load removed',
    '  a.py:4 broken: uses it',
    "* from '.more' removed",
    '  a.py:6 broken: uses it',
    'cart removed',
    '  a.py:8 unknown',
    'os removed',
    '  a.py:7 broken: uses it',
  ]);
  const made = { 'shop/__init__.py': '__getattr__, __dir__, __all__ = attach(__name__)\n' };
  assert.ok((await impactOf(files, made, python)).every((line) => !line.includes('broken')));
});

test('a function that plain JavaScript exports by assignment is read like any other', async () => {
  const files = {
    'a.js':
      'exports.one = function (id) {};\nmodule.exports.two = (id) => id;\nexports.three = exports.four = (id) => id;\n',
    'b.js': 'module.exports = {\n  one(id) {},\n  two: (id) => id,\n  kept: (id) => id,\n};\n',
    'c.js': 'module.exports = function (id) {\n  return id;\n};\n',
    'd.js': 'export const one = (id) => id;\nexport const two = function (id) {};\n',
    'use.js':
      "const { one, two } = require('./a');\nconst b = require('./b');\nconst four = require('./a').four;\nconst c = require('./c');\none(1, 2);\ntwo(1);\nb.one(1);\nb.two(1);\nb.kept(1);\nfour(1);\nc(1);\n",
    'use.mjs': "import { one, two } from './d.js';\none(1);\ntwo(1);\n",
  };
  const impact = await impactOf(files, {
    'a.js': 'exports.one = function (id) {};\nmodule.exports.two = (id, more) => more.x;\n',
    'b.js': 'module.exports = {\n  two: (id, more) => more.x,\n  kept: (id) => id,\n};\n',
    'c.js': 'module.exports = function (id, more) {\n  return more.x;\n};\n',
    'd.js': 'export const one = () => 1;\n',
  });
  assert.deepEqual(impact, [
    'two signature',
    '  use.js:6 broken: does not pass more',
    'four removed',
    '  use.js:10 broken: uses it',
    'one removed',
    '  use.js:7 broken: uses it',
    'two signature',
    '  use.js:8 broken: does not pass more',
    'module.exports signature',
    '  use.js:11 broken: does not pass more',
    'one signature',
    '  use.mjs:2 broken: passes 1 argument, but at most 0 can be given',
    'two removed',
    '  use.mjs:3 broken: uses it',
  ]);
});

test('if plain JavaScript may export names in other ways, none of them is called missing', async () => {
  const ways = [
    'if (x) exports.one = 1;\n',
    'Object.assign(exports, make());\n',
    'const all = exports;\nall.one = 1;\n',
    'module.exports = make();\n',
    'module.exports = { ...make() };\n',
    'exports[name] = 1;\n',
    'function fill() { module.exports.one = 1; }\n',
    'var app = (module.exports = {});\napp.one = 1;\n',
  ];
  for (const way of ways) {
    const files = {
      'a.js': `exports.one = () => 1;\n${way}`,
      'use.js': "require('./a');\nconst { one } = require('./a');\none();\n",
    };
    const impact = await impactOf(files, { 'a.js': way });
    assert.ok(!impact.some((line) => line.includes('broken')), `${way}${impact.join('\n')}`);
  }
  const read = 'exports.two = 1;\nexports.two;\nmodule.parent;\nconst x = { exports: 1 }.exports;\n';
  assert.deepEqual(
    await impactOf(
      { 'a.js': `exports.one = () => 1;\n${read}`, 'use.js': "const { one } = require('./a');\none();\n" },
      { 'a.js': read },
    ),
    ['one removed', '  use.js:2 broken: uses it'],
  );
});
