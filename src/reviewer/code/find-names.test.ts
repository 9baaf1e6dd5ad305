import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { makeRepository } from '../../../test/git-repository.ts';
import { openRepository } from '../repository/repository.ts';
import { openTree } from '../repository/tree-view.ts';
import { findDefinitions, findReferences } from './find-names.ts';
import { TreeCode } from './tree-code.ts';

async function codeOf(files: Record<string, string>): Promise<TreeCode> {
  const made = await makeRepository(files);
  const repository = await openRepository(made.folder, { searchPath: process.env.PATH });
  const tree = openTree(repository, await made.git('rev-parse', 'HEAD'));
  after(async () => {
    await tree.close();
    await repository.close();
  });
  return new TreeCode(tree);
}

const shop = {
  'src/cart.ts': 'export function total(a: number) {\n  return a;\n}\nexport class Cart {\n  pay() {}\n}\n',
  'src/tax.ts': 'export function total() {}\n',
  'src/use.ts':
    "import { total, Cart } from './cart';\nimport { total as tax } from './tax';\ntotal(1);\ntax();\nnew Cart().pay();\n",
  'docs/cart.md': 'The total of a cart.\n',
};

test('a definition is found behind the imports of the file that uses it, or wherever the name is defined', async () => {
  const code = await codeOf(shop);
  const places = async (
    ...given: Parameters<typeof findDefinitions> extends [unknown, ...infer R] ? R : never
  ) =>
    (await findDefinitions(code, ...given)).places.map(
      ({ path, startLine, endLine }) => `${path}:${startLine}-${endLine}`,
    );
  assert.deepEqual(await places('total', { path: 'src/use.ts' }), ['src/cart.ts:1-3']);
  assert.deepEqual(await places('tax', { path: 'src/use.ts' }), ['src/tax.ts:1-1']);
  assert.deepEqual(await places('total'), ['src/cart.ts:1-3', 'src/tax.ts:1-1']);
  assert.deepEqual(await places('Cart.pay'), ['src/cart.ts:5-5']);
  assert.deepEqual(await places('pay'), ['src/cart.ts:5-5']);
  assert.deepEqual(await places('nowhere'), []);
  assert.deepEqual(await places('"; --'), []);
});

test('references are those that lead there, then those that only have the name; what leads elsewhere is left out', async () => {
  const code = await codeOf(shop);
  const { places, isWhole } = await findReferences(code, 'total', { path: 'src/cart.ts' });
  assert.deepEqual(
    places.map(({ path, line, isResolved }) => `${path}:${line} ${isResolved}`),
    ['src/use.ts:3 true', 'src/use.ts:1 false', 'src/use.ts:2 false', 'docs/cart.md:1 false'],
  );
  assert.equal(isWhole, true);
  const pay = await findReferences(code, 'Cart.pay');
  assert.deepEqual(pay.places, [{ path: 'src/use.ts', line: 5, isResolved: false }]);
  assert.equal((await findReferences(code, 'total', { maxFiles: 1 })).isWhole, false);
});

test('languages that are not resolved are searched by name', async () => {
  const code = await codeOf({
    'Cart.java': 'class Cart {\n  int total(int a) {\n    return a;\n  }\n}\n',
    'cart.cs': 'class Cart {\n  int total(int a) { return a; }\n}\n',
    'cart.rs': 'fn total(a: u8) -> u8 {\n    a\n}\n',
    'cart.rb': 'class Cart\n  def total(a)\n    a\n  end\nend\n',
    'cart.php': '<?php\nfunction total($a) {\n  return $a;\n}\n',
    'cart.c': 'static int *total(int a)\n{\n  return 0;\n}\n',
    'cart.cpp': 'int Cart::total(int a) {\n  return a;\n}\n',
    'use.rs': 'fn main() {\n    total(1);\n}\n',
  });
  const { places } = await findDefinitions(code, 'total');
  assert.deepEqual(
    places.map(({ path, startLine, endLine }) => `${path}:${startLine}-${endLine}`),
    [
      'Cart.java:2-4',
      'cart.c:1-4',
      'cart.cpp:1-3',
      'cart.cs:2-2',
      'cart.php:2-4',
      'cart.rb:2-4',
      'cart.rs:1-3',
    ],
  );
  const found = await findReferences(code, 'total');
  assert.deepEqual(found.places, [{ path: 'use.rs', line: 2, isResolved: false }]);
});
