import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { makeRepository } from '../../../../test/git-repository.ts';
import { readChange } from '../../change/read-change.ts';
import { openRepository } from '../../repository/repository.ts';
import { openTree } from '../../repository/tree-view.ts';
import { go } from '../go/go.ts';
import { javascript } from '../javascript/javascript.ts';
import type { Language } from '../language.ts';
import { python } from '../python/python.ts';
import { RepositoryCode } from '../repository-code.ts';
import { findImpact } from './find-impact.ts';

type Files = Record<string, string>;

/** What a change does to the uses of what it alters, as `symbol change: path:line state`. */
async function impactOf(
  before: Files,
  changed: Record<string, string | null>,
  language: Language = javascript,
) {
  const made = await makeRepository(before);
  const base = await made.git('rev-parse', 'HEAD');
  const gone = Object.keys(changed).filter((name) => changed[name] === null);
  if (gone.length > 0) await made.git('rm', '--quiet', ...gone);
  const kept = Object.entries(changed).filter((entry): entry is [string, string] => entry[1] !== null);
  const head = await made.commit(Object.fromEntries(kept));
  const repository = await openRepository(made.folder, { searchPath: process.env.PATH });
  const [old, now] = [base, head].map((id) => new RepositoryCode(openTree(repository, id), language)) as [
    RepositoryCode,
    RepositoryCode,
  ];
  const change = await readChange(repository, { base, head });
  after(async () => {
    await Promise.all([change.close(), old.tree.close(), now.tree.close()]);
    await repository.close();
  });
  const { impacts } = await findImpact(change, old, now);
  return impacts.flatMap((impact) => [
    `${impact.symbol} ${impact.change}${impact.renamedTo === null ? '' : ` to ${impact.renamedTo}`}`,
    ...impact.references.map(
      ({ path, line, state, fault }) => `  ${path}:${line} ${state}${fault === null ? '' : `: ${fault}`}`,
    ),
  ]);
}

const load = 'export function load(id: string) {\n  return id;\n}\n';

test('a function that is removed breaks the uses that were left as they were, also behind a file that hands it on', async () => {
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
    '  a.ts:4 fits',
    '  a.ts:5 fits',
    '  b.ts:2 broken: does not pass shop',
  ]);
});

test('in plain JavaScript a call that passes less is broken only where the function cannot do without', async () => {
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

test('a function that became asynchronous breaks the calls that do not wait', async () => {
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
    '  a.ts:2 broken: does not wait for its result',
    '  a.ts:3 fits',
    '  a.ts:4 fits',
  ]);
});

test('a renamed function names its new name, and a use in its own file is broken, too', async () => {
  const impact = await impactOf(
    { 'a.ts': `${load}export const x = load('1');\n` },
    { 'a.ts': `${load.replace('load', 'fetchOne')}export const x = load('1');\n` },
  );
  assert.deepEqual(impact, ['load renamed to fetchOne', '  a.ts:4 broken: uses it']);
});

test('code that was moved and is still handed on, and what nobody can resolve, is not called broken', async () => {
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
  assert.deepEqual(impact, ['load removed', '  a.ts:2 fits']);
});

const loadPy = 'def load(id):\n    return id\n';

test('Python: modules, packages, relative and whole imports lead to the function that changed', async () => {
  const files = {
    'shop/__init__.py': 'from .cart import load\n',
    'shop/cart.py': loadPy,
    'shop/sub/__init__.py': '',
    'shop/sub/a.py': 'from ..cart import load as get\n\n\ndef f():\n    return get(1)\n',
    'b.py': 'import shop.cart\nshop.cart.load(1)\n',
    'c.py': 'from shop import cart, load\ncart.load(1, 2)\nload(id=1)\n',
    'd.py': 'import shop.cart as sc\ndef g(load):\n    load(3)\nx = [sc.load(*all), sc.load(1, shop=2)]\n',
    'e.py': 'from other import load\nload()\n',
  };
  const impact = await impactOf(files, { 'shop/cart.py': loadPy.replace('(id)', '(id, shop)') }, python);
  assert.deepEqual(impact, [
    'load signature',
    '  b.py:2 broken: does not pass shop',
    '  c.py:2 fits',
    '  c.py:3 broken: does not pass shop',
    '  d.py:4 fits',
    '  d.py:4 fits',
    '  shop/sub/a.py:5 broken: does not pass shop',
  ]);
});

test('Python: a removed name is missing for those who import it, but not where a module makes names as it runs', async () => {
  const files = {
    'cart.py': `${loadPy}def other(): pass\n`,
    'a.py': 'from cart import load\nload(1)\n',
    'open.py': `${loadPy}def __getattr__(name): pass\n`,
    'b.py': 'import open\nopen.load(1)\n',
  };
  const changed = { 'cart.py': 'def other(): pass\n', 'open.py': 'def __getattr__(name): pass\n' };
  assert.deepEqual(await impactOf(files, changed, python), [
    'load removed',
    '  a.py:2 broken: uses it',
    'load removed',
    '  b.py:2 unknown',
  ]);
});

test('Python: keywords, defaults and methods of classes are known, and decorators that may change them are not', async () => {
  const before = `class Cart:
    def __init__(self, owner):
        pass

    @staticmethod
    def of(a):
        pass


@wrapped
def open(a):
    pass


async def send(a, *, to):
    pass
`;
  const after = before
    .replace('owner)', 'owner, shop=None, *, tax)')
    .replace('of(a)', 'of(a, b)')
    .replace('open(a)', 'open(a, b)')
    .replace('*, to', '*, whom');
  const files = {
    'cart.py': before,
    'a.py': 'import cart\ncart.Cart(1)\ncart.Cart.of(1)\ncart.open(1)\ncart.send(1, to=2)\n',
  };
  assert.deepEqual(await impactOf(files, { 'cart.py': after }, python), [
    'Cart signature',
    '  a.py:2 broken: does not pass tax',
    'Cart.of signature',
    '  a.py:3 broken: does not pass b',
    'send signature',
    '  a.py:5 broken: passes to, which is no parameter',
  ]);
});

test('Go: names of a package are shared by its files and asked for by its path', async () => {
  const files = {
    'go.mod': 'module acme.test/shop\n\ngo 1.22\n',
    'cart/load.go': 'package cart\n\nfunc Load(id string) error { return nil }\n\nfunc small() {}\n',
    'cart/use.go':
      'package cart\n\nfunc Use() { small(); Load("1") }\n\nfunc other(Load func()) { Load() }\n',
    'cart/load_test.go': 'package cart\n\nfunc TestLoad() { _ = Load("2") }\n',
    'main.go':
      'package main\n\nimport (\n\t"fmt"\n\tc "acme.test/shop/cart"\n)\n\nfunc main() { fmt.Println(c.Load("3")); c.Load(pair()); x := map[string]int{}; _ = x }\n',
    'far.go': 'package main\n\nimport "other.test/cart"\n\nfunc far() { cart.Load("4") }\n',
  };
  const impact = await impactOf(
    files,
    { 'cart/load.go': 'package cart\n\nfunc Load(id string, more int) error { return nil }\n' },
    go,
  );
  assert.deepEqual(impact, [
    'Load signature',
    '  cart/load_test.go:3 broken: does not pass more',
    '  cart/use.go:3 broken: does not pass more',
    '  main.go:8 broken: does not pass more',
    '  main.go:8 fits',
    'small removed',
    '  cart/use.go:3 broken: uses it',
  ]);
});

test('Go: what moved to another file of the package, or is there for each system, is not broken', async () => {
  const files = {
    'go.mod': 'module acme.test/shop\n',
    'a.go': 'package shop\n\nfunc Load(id string) {}\n',
    'b.go': 'package shop\n\nfunc use() { Load("1") }\n',
    'run_linux.go': 'package shop\n\nfunc run(a int) {}\n',
    'run_windows.go': 'package shop\n\nfunc run(a int) {}\n',
    'c.go': 'package shop\n\nfunc start() { run(1) }\n',
  };
  const impact = await impactOf(
    files,
    {
      'a.go': 'package shop\n',
      'd.go': 'package shop\n\nfunc Load(id string) {}\n',
      'run_linux.go': 'package shop\n\nfunc run(a, b int) {}\n',
    },
    go,
  );
  assert.deepEqual(impact, ['Load removed', '  b.go:3 fits', 'run signature', '  c.go:3 unknown']);
});
