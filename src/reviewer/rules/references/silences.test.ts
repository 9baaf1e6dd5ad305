import assert from 'node:assert/strict';
import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { makeRepository } from '../../../../test/git-repository.ts';
import { faultsIn, faultsOf } from '../../../../test/reference-faults.ts';

const load = 'export function load(id: string) {\n  return id;\n}\n';
const manifest = '{ "name": "shop" }\n';
const goMod =
  'module acme.test/shop\n\ngo 1.22\n\nrequire (\n\tgithub.com/spf13/cobra v1.8.0 // indirect\n)\n';

/** Each case is a change, and the findings about it: none, if something could be dynamic or is expected to fail. */
const cases: Record<
  string,
  { before: Record<string, string>; changed: Record<string, string | null>; raised?: string[] }
> = {
  'imports inside of try': {
    before: { 'package.json': manifest },
    changed: { 'a.js': "try {\n  require('./maybe');\n} catch {}\n" },
  },
  'imports with except ImportError': {
    before: { 'shop/__init__.py': '' },
    changed: { 'shop/a.py': 'try:\n    from .fast import go\nexcept ImportError:\n    go = None\n' },
  },
  'imports under contextlib.suppress': {
    before: { 'shop/__init__.py': '' },
    changed: {
      'shop/a.py':
        'import contextlib\nwith contextlib.suppress(ImportError):\n    from .fast import go\nwith contextlib.suppress(KeyError):\n    from .slow import go\n',
    },
    raised: ['shop/a.py 5'],
  },
  'modules that are declared for TypeScript': {
    before: {
      'package.json': manifest,
      'types/all.d.ts':
        "declare module 'told';\ndeclare module '*.svg' {\n  const url: string;\n  export default url;\n}\n",
    },
    changed: {
      'a.ts':
        "import 'told';\nimport icon from 'icons/a.svg';\nimport other from './b.svg';\nimport 'untold';\n",
    },
    raised: ['a.ts 4'],
  },
  'trailing parameters that accept void': {
    before: {
      'b.ts':
        'export function send(a: string, b: void, c: string | void) {}\nexport function keep(a: void, b: string) {}\n',
    },
    changed: { 'a.ts': "import { keep, send } from './b.ts';\nsend('x');\nsend();\nkeep();\n" },
    raised: ['a.ts 3', 'a.ts 4'],
  },
  'classes with a metaclass': {
    before: {
      'shop/__init__.py': '',
      'shop/b.py':
        'from abc import ABCMeta\nclass Once(type):\n    def __call__(cls, *given):\n        return 1\nclass A(metaclass=Once):\n    def __init__(self, a):\n        pass\nclass B(A):\n    def __init__(self, a):\n        pass\nclass C(metaclass=ABCMeta):\n    def __init__(self, a):\n        pass\n',
    },
    changed: { 'shop/a.py': 'from .b import A, B, C\nA(1, 2)\nB()\nC()\n' },
    raised: ['shop/a.py 4'],
  },
  'exports of packages under other conditions': {
    before: {
      'package.json': '{ "name": "root", "workspaces": ["ui"] }\n',
      'ui/package.json':
        '{ "name": "@acme/ui", "exports": { ".": { "node": "./node.js", "browser": "./browser.js" }, "./built": { "node": null, "default": "./made/a.js" }, "./one": { "types": "./one.d.ts", "default": "./one.js" } } }\n',
      'ui/node.js': 'export const n = 1;\n',
      'ui/browser.js': 'export const b = 1;\n',
      'ui/one.js': 'export const d = 1;\n',
      'ui/one.d.ts': 'export declare const d: number;\n',
    },
    changed: {
      'a.js':
        "import { b } from '@acme/ui';\nimport { x } from '@acme/ui/built';\nimport { d } from '@acme/ui/one';\nimport { e } from '@acme/ui/one';\nimport '@acme/ui/none';\n",
    },
    raised: ['a.js 4', 'a.js 5'],
  },
  'packages of the repository that others get from a registry': {
    before: {
      'package.json': '{ "name": "root", "workspaces": ["*"] }\n',
      'lib/package.json': '{ "name": "lib", "version": "2.1.0", "main": "index.js" }\n',
      'lib/index.js': 'export const now = 1;\n',
      'old/package.json': '{ "name": "old", "dependencies": { "lib": "^1.0.0" } }\n',
      'new/package.json': '{ "name": "new", "dependencies": { "lib": "^2.0.0" } }\n',
      'any/package.json':
        '{ "name": "any", "peerDependencies": { "lib": "^1.0.0" }, "devDependencies": { "lib": "workspace:*" } }\n',
    },
    changed: Object.fromEntries(
      ['old', 'new', 'any'].map((name) => [`${name}/a.js`, "import { then } from 'lib';\n"]),
    ),
    raised: ['any/a.js 1', 'new/a.js 1'],
  },
  'packages of one repository that are not linked': {
    before: {
      'package.json': '{ "name": "lib", "version": "2.1.0", "main": "index.js" }\n',
      'index.js': 'export const now = 1;\n',
      'example/package.json': '{ "name": "example", "dependencies": { "lib": "^2.0.0" } }\n',
      'tests/package.json': '{ "name": "tests", "dependencies": { "lib": "file:.." } }\n',
    },
    changed: {
      'example/a.js': "import { then } from 'lib';\n",
      'tests/a.js': "import { then } from 'lib';\n",
    },
    raised: ['tests/a.js 1'],
  },
  'names that all files of a program share': {
    before: {
      'a.ts': "function load(id: string) {}\nload('1');\nexport {};\n",
      'b.js': 'function go() {}\ngo();\n',
      'c.ts': "function put(a: string) {}\nput('a');\nexport {};\n",
      'd.js': 'function keep() {}\nkeep();\n',
    },
    changed: {
      'a.ts': "load('1');\nexport {};\n",
      'load.d.ts': 'declare function load(id: string): void;\n',
      'b.js': 'go();\n',
      'set.js': 'globalThis.go = () => 1;\n',
      'c.ts': "put('a');\nexport {};\n",
      'put.ts': 'export {};\ndeclare global {\n  function put(a: string): void;\n}\n',
      'd.js': 'keep();\n',
    },
    raised: ['d.js 1'],
  },
  'imports that handle their failure': {
    before: { 'package.json': manifest },
    changed: {
      'a.js':
        "import('maybe').catch(() => null);\nimport('./maybe').then(run, stop);\nexport const c = await import('other')\n  .then(({ run }) => run)\n  .catch(() => undefined);\nawait Promise.allSettled([import('third')]);\nimport('sure').then(run);\n",
    },
    raised: ['a.js 7'],
  },
  'modules that the host program of a package provides': {
    before: { 'package.json': '{ "name": "shop", "engines": { "vscode": "^1.90.0" } }\n' },
    changed: { 'a.ts': "import 'vscode';\nimport 'bun';\nimport 'atom';\n" },
    raised: ['a.ts 3'],
  },
  'modules of Python that import themselves when run as a script': {
    before: {
      'shop/__init__.py': '',
      'shop/live.py': 'class Live:\n    pass\n\n\nif __name__ == "__main__":\n    from .live import Live\n',
    },
    changed: { 'shop/a.py': 'from .live import Live\nfrom .live import Lost\n' },
    raised: ['shop/a.py 2'],
  },
  'definitions for different versions of Python': {
    before: {
      'shop/__init__.py': '',
      'shop/b.py': 'def load(a):\n    return a\n',
      'shop/a.py':
        'import sys\nif sys.version_info >= (3, 8):\n    from .b import load\nelse:\n    load = None\n\nload(1)\n',
    },
    changed: {
      'shop/b.py': 'def other():\n    pass\n',
      'shop/c.py':
        'import sys\nif sys.platform == "win32":\n    from .b import gone\nelse:\n    from .b import lost\nif sys:\n    from .b import none\n',
    },
    raised: ['shop/c.py 7'],
  },
  'uses that check for existence, or expect a failure': {
    before: {
      'load.ts': load,
      'need.ts': 'export function need(a: string) {\n  return a;\n}\n',
      'a.ts':
        "import * as shop from './load.ts';\nif (typeof shop.load === 'function') shop.load('1');\nshop.load?.('2');\n",
      'b.ts':
        "import { need } from './need.ts';\n// @ts-expect-error\nneed();\nassert.throws(() => {\n  need('1');\n});\n",
      'shop/__init__.py': '',
      'shop/b.py': 'def load(a):\n    return a\n\n\ndef need(a):\n    return a\n',
      'shop/a.py':
        'import pytest\nfrom . import b\nif hasattr(b, "load"):\n    b.load(1)\n\n\ndef test_it():\n    with pytest.raises(TypeError):\n        b.need(1)\n',
    },
    changed: {
      'load.ts': 'export {};\n',
      'need.ts': 'export function need(a: string, b: string) {\n  return a + b;\n}\n',
      'shop/b.py': 'def need(a, b):\n    return a\n',
      'c.ts':
        "import { need } from './need.ts';\nexpect(() => need()).toThrow();\n(need as any)('1');\nneed('1');\n",
    },
    raised: ['c.ts 4'],
  },
  'parts of a package that a build generates': {
    before: { '.gitignore': '_version.py\n', 'shop/__init__.py': '' },
    changed: { 'shop/a.py': 'from . import _version\nfrom . import other\n' },
    raised: ['shop/a.py 2'],
  },
  'functions of a class that have a declared type': {
    before: {
      'b.ts':
        'export class Box {\n  static to: To = (a: string, b) => {};\n  static of = (a: string) => {};\n}\n',
    },
    changed: { 'a.ts': "import { Box } from './b.ts';\nBox.to('a');\nBox.of();\n" },
    raised: ['a.ts 3'],
  },
  'methods that a decorator may replace': {
    before: {
      'b.ts':
        "import { inject } from 'inject';\nexport class Box {\n  @inject() static of(a: string) {}\n  static to(a: string) {}\n}\n",
    },
    changed: { 'a.ts': "import { Box } from './b.ts';\nBox.of();\nBox.to();\n" },
    raised: ['a.ts 3'],
  },
  'uses in Go for other platforms, with another version, or not built at all': {
    before: {
      'go.mod': goMod,
      'p/p.go': 'package p\n\nfunc Load() {}\n',
      'a/a_windows.go': 'package a\n\nimport "acme.test/shop/p"\n\nvar _ = p.Load\n',
      'b/b.go': '//go:build integration\n\npackage b\n\nimport "acme.test/shop/p"\n\nvar _ = p.Load\n',
      'c/testdata/c.go': 'package c\n\nimport "acme.test/shop/p"\n\nvar _ = p.Load\n',
      'tools/go.mod': 'module acme.test/tools\n\nrequire acme.test/shop v1.2.0\n',
      'tools/t.go': 'package tools\n\nimport "acme.test/shop/p"\n\nvar _ = p.Load\n',
    },
    changed: { 'p/p.go': 'package p\n\nfunc Other(a int) {}\n' },
  },
  'imports for type checkers': {
    before: { 'shop/__init__.py': '' },
    changed: {
      'shop/a.py': 'from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from .types import Cart\n',
    },
  },
  'modules that a build generates': {
    before: { 'package.json': manifest },
    changed: {
      'a.ts': "import a from 'virtual:a';\nimport b from './b.svg?raw';\nimport c from '~icons/c';\n",
    },
  },
  'files that Git ignores': {
    before: {
      '.gitignore': '/generated/\n*.gen.ts\n!kept.gen.ts\n',
      'lib/.gitignore': 'made\n',
      'package.json': manifest,
      'go.mod': 'module acme.test/shop\n\ngo 1.22\n',
      'shop/__init__.py': '',
      'shop/.gitignore': '_version.py\npb/\n',
    },
    changed: {
      'a.ts':
        "import './generated/a';\nimport './b.gen';\nimport './lib/made';\nimport './kept.gen';\nimport './c.gen.js';\n",
      'main.go': 'package main\n\nimport "acme.test/shop/generated"\n\nvar _ = generated.X\n',
      'shop/a.py': 'from ._version import version\nfrom .pb import cart_pb2\nfrom .lost import x\n',
    },
    raised: ['a.ts 4', 'shop/a.py 3'],
  },
  'modules that execute a string': {
    before: { 'shop/__init__.py': '', 'shop/util.py': 'exec("def load(): pass")\n' },
    changed: { 'shop/a.py': 'from .util import load\n' },
  },
  'parts of a package that may be anywhere': {
    before: {
      'shop/__init__.py': 'from pkgutil import extend_path\n__path__ = extend_path(__path__, __name__)\n',
      'cart/__init__.py': '',
      'src/acme/own/__init__.py': '',
    },
    changed: {
      'a.py':
        'from shop.core.packages import Package\nfrom shop import core\nfrom cart.core import Cart\nfrom acme.core.link import Link\nfrom acme.own.lost import x\n',
    },
    raised: ['a.py 3', 'a.py 5'],
  },
  'stubs of Python import names of other stubs': {
    before: {
      'shop/__init__.py': '',
      'shop/cart.py': 'def load(): pass\n',
      'shop/cart.pyi': 'class Cart: ...\n',
    },
    changed: { 'shop/a.pyi': 'from .cart import Cart\n', 'shop/b.py': 'from .cart import Cart\n' },
    raised: ['shop/b.py 1'],
  },
  'imports with aliases that are no valid package names': {
    before: { 'package.json': manifest },
    changed: { 'a.ts': "import { a } from '@/a';\nimport { b } from '$/b';\nimport { c } from '@c/d';\n" },
    raised: ['a.ts 3'],
  },
  'packages in node_modules folders of the repository': {
    before: { 'package.json': manifest, 'e2e/node_modules/kept/package.json': '{ "name": "kept" }\n' },
    changed: { 'e2e/src/a.js': "import 'kept';\n", 'b.js': "import 'kept';\n" },
    raised: ['b.js 1'],
  },
  'names that a declaration file or a comment declares for a plain JavaScript file': {
    before: {
      'lib.js': 'exports.load = 1;\n',
      'lib.d.ts': 'export type Item = string;\nexport declare const made: number;\n',
      'told.js': '/** @typedef {{ id: string }} Cart */\nexports.x = 1;\n',
      'bare.js': 'exports.x = 1;\n',
    },
    changed: {
      'a.ts':
        "import type { Item } from './lib.js';\nimport { made } from './lib';\nimport type { Cart } from './told.js';\nimport { y } from './bare.js';\n",
    },
    raised: ['a.ts 4'],
  },
  'modules of Python that are compiled, and folders without __init__.py': {
    before: {
      'shop/__init__.py': '',
      'shop/fast.pyx': 'def load(): pass\n',
      'shop/ext.c': 'int x;\n',
      'shop/part/cart.py': 'X = 1\n',
    },
    changed: {
      'a.py':
        'from shop import fast, ext, part\nfrom shop.fast import load\nfrom shop.part.cart import X\nfrom shop import lost\n',
    },
    raised: ['a.py 4'],
  },
  'computed names': {
    before: {
      'load.js': 'exports.load = 1;\nexports.other = 2;\n',
      'a.js': "const all = require('./load');\nall[name]();\n",
    },
    changed: { 'load.js': 'exports.other = 2;\n' },
  },
  'modules that define names at run time': {
    before: {
      'shop.py': 'def load(): pass\n\ndef __getattr__(name): pass\n',
      'a.py': 'import shop\nshop.load()\ngetattr(shop, "load")()\n',
      'open.js': 'function load() {}\nmodule.exports = make({ load });\n',
      'b.js': "const { load } = require('./open');\nload(1);\n",
    },
    changed: { 'shop.py': 'def __getattr__(name): pass\n', 'open.js': 'module.exports = make({});\n' },
  },
  'names re-exported by * from other packages': {
    before: {
      'package.json': '{ "name": "shop", "dependencies": { "lib": "1" } }\n',
      'index.ts': "export * from 'lib';\nexport const load = 1;\n",
      'a.ts': "import { load } from './index';\nload;\n",
    },
    changed: { 'index.ts': "export * from 'lib';\n" },
  },
  'names in a declaration file without an export, and the default export of CommonJS': {
    before: {
      'types.d.ts': 'type Key = string;\nexport interface Cart { key: Key }\n',
      'run.cjs': 'exports.run = () => 1;\n',
    },
    changed: {
      'a.ts': "import { Key, Cart } from './types';\nexport const cart: Cart = { key: '' as Key };\n",
      'commands.js': "export { default as run } from './run.cjs';\n",
      'b.js': "import { run } from './commands.js';\nrun.run();\n",
    },
  },
  'a member of a module that is a function, if a comment declares the same name': {
    before: {
      'base.js':
        '/** @callback log the one of log */\nmodule.exports = Base;\nfunction Base(a) {}\nvar log = (exports.log = console.log);\n',
    },
    changed: { 'a.js': "var Base = require('./base');\nBase.log(1, 2, 3);\nBase(1, 2);\n" },
    raised: ['a.js 3'],
  },
  'fixtures that are wrong on purpose': {
    before: { 'package.json': manifest },
    changed: {
      'test/fixtures/a.js': "import './none';\n",
      'test/form/samples/one/main.js': "import './none';\n",
      'test/form/samples/one/_expected/main.js': "import 'none';\n",
      'test/configCases/stub/index.js': "import 'none';\n",
      'test/cases/a.test.js': "import './none';\n",
    },
    raised: ['test/cases/a.test.js 1'],
  },
  'functions that are replaced later': {
    before: {
      'transport.js':
        "export let parse = () => {\n  throw new Error('not yet');\n};\nexport const stop = () => {};\nexport function fill(read) {\n  parse = (text) => read(text);\n}\n",
    },
    changed: { 'a.js': "import { parse, stop } from './transport.js';\nparse('1');\nstop(1);\n" },
    raised: ['a.js 3'],
  },
  'code under other build tags': {
    before: {
      'go.mod': 'module acme.test/shop\n',
      'run_linux.go': 'package shop\n\nfunc run(a int) {}\n',
      'run_other.go': '//go:build !linux\n\npackage shop\n\nfunc run(a int) {}\n',
      'main.go': 'package shop\n\nfunc start() { run(1) }\n',
    },
    changed: { 'run_linux.go': 'package shop\n\nfunc run(a, b int) {}\n' },
  },
  'one deleted file of a Go package': {
    before: {
      'go.mod': 'module acme.test/shop\n',
      'cart/a.go': 'package cart\n\nfunc A() {}\n',
      'cart/b.go': 'package cart\n\nfunc B() {}\n',
      'main.go': 'package main\n\nimport "acme.test/shop/cart"\n\nfunc main() { cart.B() }\n',
    },
    changed: { 'cart/a.go': null },
  },
  'generated code that uses removed functions': {
    before: {
      'load.ts': load,
      'made.ts': "// Code generated by x. DO NOT EDIT.\nimport { load } from './load';\nload('1');\n",
      'dist/a.js': "import { load } from '../load';\nload('1');\n",
    },
    changed: { 'load.ts': 'export {};\n' },
  },
  'in plain JavaScript, missing arguments, and more arguments if the function accepts any': {
    before: {
      'load.js':
        'export function load(a) {}\nexport function all() { return arguments; }\nexport function rest(...a) {}\n',
    },
    changed: {
      'a.js': "import { load, all, rest } from './load.js';\nload();\nall(1, 2);\nrest(1, 2);\nload(1, 2);\n",
    },
    raised: ['a.js 5'],
  },
  'calls of a function that became asynchronous, if they are awaited, returned, chained, collected or voided':
    {
      before: {
        'load.ts': load,
        'a.ts':
          "import { load } from './load';\nexport async function a() {\n  await load('1');\n  load('1').then(go);\n  void load('1');\n  await Promise.all([load('1')]);\n  return load('1');\n}\nif (load('1')) go();\n",
      },
      changed: { 'load.ts': load.replace('export', 'export async') },
      raised: ['load.ts 1'],
    },
  'a call that is added with a changed signature is one finding': {
    before: { 'load.ts': load },
    changed: {
      'load.ts': load.replace('id: string', 'id: string, shop: string'),
      'a.ts': "import { load } from './load';\nload('1');\n",
    },
    raised: ['a.ts 2'],
  },
  'packages of Python, if a dependency in the manifest is not in the table': {
    before: { 'pyproject.toml': '[project]\nname = "x"\ndependencies = ["requests>=2", "acme-private"]\n' },
    changed: { 'a.py': 'import numpy\n' },
  },
  'packages of Python with other module names, by the table': {
    before: {
      'pyproject.toml':
        '[project]\nname = "x"\ndependencies = ["PyYAML>=6", "beautifulsoup4[lxml]; python_version > \'3\'"]\n[dependency-groups]\ntest = ["pytest"]\n',
      'requirements.txt': '# none\nrequests==2.0 --hash=sha256:abc\n',
      'shop/__init__.py': '',
    },
    changed: {
      'shop/a.py':
        'import os, yaml\nfrom bs4 import BeautifulSoup\nimport pytest\nimport requests.sessions\nimport shop\nimport numpy\n',
    },
    raised: ['shop/a.py 6'],
  },
  'packages of Python, if the manifest is a program, or there is none': {
    before: { 'setup.py': 'setup()\n', 'requirements.txt': 'requests\n' },
    changed: { 'a.py': 'import numpy\n' },
  },
  'packages of Go that go.mod requires, and the standard library': {
    before: { 'go.mod': goMod },
    changed: {
      'main.go':
        'package main\n\nimport (\n\t"net/http"\n\n\t"github.com/spf13/cobra/doc"\n\t"github.com/spf13/viper"\n)\n\nvar _ = http.Get\nvar _ = doc.X\nvar _ = viper.X\n',
    },
    raised: ['main.go 7'],
  },
};

for (const [name, { before, changed, raised = [] }] of Object.entries(cases))
  test(`silent: ${name}`, async () => {
    const found = await faultsOf(before, changed);
    assert.deepEqual(
      found.map((fault) =>
        fault
          .split(' ')
          .slice(1, 3)
          .join(' ')
          .replace(/:(?:new|old) /, ' '),
      ),
      raised,
      found.join('\n'),
    );
  });

test('silent: files behind links and in submodules', async () => {
  const made = await makeRepository({ 'package.json': manifest, 'real/a.ts': load });
  await symlink('real', path.join(made.folder, 'linked'));
  await made.git('add', 'linked');
  const submodule = `160000,${await made.git('rev-parse', 'HEAD')},lib/support`;
  await made.git('update-index', '--add', '--cacheinfo', submodule);
  await made.git('commit', '--quiet', '--message', 'links');
  const use = "import './linked/a';\nimport './lib/support/b';\nimport './lib/other/c';\n";
  assert.deepEqual(await faultsIn(made, { 'use.ts': use }), [
    'references/unknown-import use.ts:new 3 () There is no file `./lib/other/c`',
  ]);
});
