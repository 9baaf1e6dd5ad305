import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faultsOf } from '../../../../test/reference-faults.ts';

/** Only rule, file and related places. */
async function lostBy(before: Record<string, string>, changed: Record<string, string | null>) {
  return (await faultsOf(before, changed)).map((fault) => fault.replace(/\) .*$/s, ')'));
}

const script = 'export const run = () => 1;\n';

test('a file that a manifest still names is one finding, with the places that name it', async () => {
  const files = {
    'scripts/build.js': script,
    'package.json': JSON.stringify({ name: 'x', scripts: { build: 'node scripts/build.js --all' } }, null, 2),
    'pkg/package.json': '{\n  "name": "y",\n  "bin": { "y": "./cli.js" }\n}\n',
    'pkg/cli.js': script,
    'tsconfig.json': '{\n  // base\n  "extends": "./tsconfig.base.json",\n  "exclude": ["old.ts"],\n}\n',
    'tsconfig.base.json': '{}\n',
    'old.ts': script,
    Dockerfile: 'FROM node:24\nCOPY --from=x /a /b\nCOPY nginx.conf \\\n  start.sh /etc/\nCOPY *.md /docs/\n',
    'nginx.conf': 'a;\n',
    'start.sh': 'true\n',
    '.github/workflows/ci.yml':
      'on:\n  push:\n    paths: [a.sh]\njobs:\n  a:\n    steps:\n      - run: bash ci/test.sh\n      - uses: ./.github/actions/up\n      - uses: actions/setup-node@v4\n        with:\n          node-version-file: .nvmrc\n      - run: rm -f a.sh\n',
    'ci/test.sh': 'true\n',
    'a.sh': 'true\n',
    '.nvmrc': '24\n',
    '.github/actions/up/action.yml': 'runs:\n  using: composite\n',
    'pyproject.toml': '[project]\nname = "x"\nreadme = "README.md"\n[project.scripts]\nx = "shop.cli:main"\n',
    'README.md': 'x\n',
    'src/shop/cli.py': 'def main(): pass\n',
    'kept.txt': 'x\n',
  };
  const gone = Object.keys(files).filter(
    (name) =>
      !/(?:^|\/)(?:package\.json|pyproject\.toml|tsconfig\.json|Dockerfile|ci\.yml|kept\.txt)$/.test(name),
  );
  assert.deepEqual(await lostBy(files, Object.fromEntries(gone.map((name) => [name, null]))), [
    'references/missing-file .github/actions/up/action.yml:old 1 (.github/workflows/ci.yml:8)',
    'references/missing-file .nvmrc:old 1 (.github/workflows/ci.yml:11)',
    'references/missing-file ci/test.sh:old 1 (.github/workflows/ci.yml:7)',
    'references/missing-file nginx.conf:old 1 (Dockerfile:3)',
    'references/missing-file start.sh:old 1 (Dockerfile:4)',
    'references/missing-file scripts/build.js:old 1 (package.json:4)',
    'references/missing-file pkg/cli.js:old 1 (pkg/package.json:3)',
    'references/missing-file README.md:old 1 (pyproject.toml:3)',
    'references/missing-file src/shop/cli.py:old 1 (pyproject.toml:5)',
    'references/missing-file tsconfig.base.json:old 1 (tsconfig.json:3)',
  ]);
});

test('a manifest that is updated for a moved file is not reported', async () => {
  const files = { 'package.json': '{ "name": "x",\n "main": "a.js" }\n', 'a.js': script };
  const moved = { 'a.js': null, 'lib/a.js': script };
  assert.deepEqual(await lostBy(files, moved), ['references/missing-file a.js:old 1 (package.json:2)']);
  const followed = { ...moved, 'package.json': '{ "name": "x",\n "main": "lib/a.js" }\n' };
  assert.deepEqual(await lostBy(files, followed), []);
  assert.deepEqual(await lostBy(files, { 'a.js': null, 'package.json': null }), []);
  assert.deepEqual(await lostBy(files, { 'a.js': null, '.gitignore': '/a.js\n' }), [], 'a tool generates it');
});

test('a file that another re-exports is still needed, and a new re-export must resolve', async () => {
  const files = {
    'package.json': '{ "name": "x" }\n',
    'run.ts': script,
    'index.ts': "export * from './run';\n",
    'named.ts': "export { run, run as go } from './run';\n",
  };
  assert.deepEqual(await lostBy(files, { 'run.ts': null, 'new.ts': "export * from './none';\n" }), [
    'references/unknown-import new.ts:new 1 ()',
    'references/missing-file run.ts:old 1 (index.ts:1 named.ts:1)',
  ]);
});

test('a removed module is missing, even in a package that may have parts elsewhere', async () => {
  const files = {
    'shop/cart.py': 'def load(): pass\n',
    'a.py': 'from shop.cart import load\nload()\n',
    'shop/b.py': '',
  };
  assert.deepEqual(await lostBy(files, { 'shop/cart.py': null }), [
    'references/missing-file shop/cart.py:old 1 (a.py:1)',
  ]);
});

test('a removed module is reported once, with direct imports and those through its package', async () => {
  const before = {
    's/__init__.py': '',
    's/gone.py': 'def f(x):\n    return x\n',
    's/b.py': 'from s import gone\ngone.f(1)\n',
    's/c.py': 'from .gone import f\nf(1)\n',
  };
  assert.deepEqual(await faultsOf(before, { 's/gone.py': null }), [
    'references/missing-file s/gone.py:old 1 (s/b.py:1 s/c.py:1 s/b.py:2) `s/gone.py` no longer exists, but `s/b.py:1` still imports it; one other file needs it, too',
  ]);
});

test('a package that a manifest no longer names is still needed by its imports, unless a manifest in a parent folder names it', async () => {
  const files = {
    'package.json':
      '{\n  "name": "root",\n  "workspaces": ["packages/*"],\n  "dependencies": {\n    "zod": "4"\n  }\n}\n',
    'packages/a/package.json':
      '{\n  "name": "a",\n  "version": "1.0.0",\n  "dependencies": {\n    "@acme/ui": "1",\n    "left-pad": "1",\n    "unused": "1",\n    "zod": "4"\n  }\n}\n',
    'packages/a/index.ts':
      "import pad from 'left-pad';\nimport { z } from 'zod';\nimport { ui } from '@acme/ui/button';\nimport { c } from './c';\npad(z, ui, c);\n",
    'packages/a/c.ts': "export const c = 1;\ntry { require('left-pad') } catch {}\n",
    'packages/a/fixtures/d.ts': "import 'left-pad';\n",
    'packages/b/index.ts': "import 'left-pad';\n",
  };
  const manifest = '{\n  "name": "a",\n  "version": "1.0.1",\n  "dependencies": {}\n}\n';
  assert.deepEqual(await lostBy(files, { 'packages/a/package.json': manifest }), [
    'references/removed packages/a/package.json:old 5 (packages/a/index.ts:3)',
    'references/removed packages/a/package.json:old 6 (packages/a/index.ts:1)',
  ]);
});

test('removed packages of Python and Go are reported if all packages of the manifests are known', async () => {
  const files = {
    'requirements.txt': 'requests==2.0\nPyYAML\n',
    'a.py': 'import requests.sessions\nimport yaml\n',
    'go.mod':
      'module acme.test/shop\n\ngo 1.22\n\nrequire (\n\tgithub.com/spf13/cobra v1.8.0\n\tgithub.com/spf13/viper v1.0.0\n)\n',
    'main.go':
      'package main\n\nimport (\n\t"github.com/spf13/cobra/doc"\n\t"github.com/spf13/viper"\n)\n\nvar _ = doc.X\nvar _ = viper.X\n',
  };
  const changed = {
    'requirements.txt': 'PyYAML>=6\n',
    'go.mod': 'module acme.test/shop\n\ngo 1.22\n\nrequire github.com/spf13/viper v1.1.0\n',
  };
  assert.deepEqual(await lostBy(files, changed), [
    'references/removed requirements.txt:old 1 (a.py:1)',
    'references/removed go.mod:old 6 (main.go:4)',
  ]);
  assert.deepEqual(
    await lostBy({ ...files, 'setup.py': 'setup()\n' }, { 'requirements.txt': 'PyYAML\n' }),
    [],
  );
});

test('other files than code are still needed if code imports them, unless a tool generates them', async () => {
  const files = {
    'a.css': 'a {}\n',
    'data.json': '{}\n',
    'icon.svg': '<svg />\n',
    'made.json': '{}\n',
    'unused.css': 'a {}\n',
    'a.ts':
      "import './a.css';\nimport data from './data';\nimport icon from './icon.svg';\nimport made from './made.json';\nimport raw from './icon.svg?raw';\n",
  };
  const gone = Object.keys(files).filter((name) => !name.endsWith('.ts'));
  const changed = { '.gitignore': 'made.json\n', ...Object.fromEntries(gone.map((name) => [name, null])) };
  assert.deepEqual(await lostBy(files, changed), [
    'references/missing-file a.css:old 1 (a.ts:1)',
    'references/missing-file data.json:old 1 (a.ts:2)',
    'references/missing-file icon.svg:old 1 (a.ts:3)',
  ]);
});

test('a module that is imported from its package is still needed, unless the package defines the name itself', async () => {
  const files = {
    's/__init__.py': '',
    's/a.py': 'x = 1\n',
    's/b.py': 'x = 1\n',
    's/use.py': 'from . import a\nfrom . import b\n',
  };
  assert.deepEqual(await lostBy(files, { 's/a.py': null, 's/b.py': null, 's/__init__.py': 'b = 1\n' }), [
    'references/missing-file s/a.py:old 1 (s/use.py:1)',
  ]);
});
