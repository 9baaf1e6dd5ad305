import assert from 'node:assert/strict';
import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { makeRepository } from '../../../../test/git-repository.ts';
import { type ReviewedRepository, reviewRepository } from '../../../../test/models/review-repository.ts';

type Files = Record<string, string>;
const script = () => ({ answer: { findings: [] } });

/** The context that a model is shown for a change from these files to others. */
async function contextOf(
  before: Files,
  after: Files,
  given: Partial<ReviewedRepository> & { readonly inWorkingCopy?: boolean } = {},
) {
  const { folder, commit, write } = await makeRepository();
  const base = await commit(before);
  const { inWorkingCopy = false, ...options } = given;
  await write(after);
  const head = inWorkingCopy ? null : await commit();
  const { result, calls } = await reviewRepository({ script, ...options, folder, base, head });
  const prompts = calls.map(({ data }) => data);
  const contexts = prompts.map((prompt) => prompt.split('Code of the repository as it is after')[1] ?? '');
  return { result, calls, prompts, context: contexts.join('\n') };
}

const body = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => `  step${name}(${index});`).join('\n');

const shop: Files = {
  'src/cart/load.ts': `import { read } from '../store/read.ts';\n\nexport function load(id: string) {\n${body('Load', 12)}\n  return read(id);\n}\n`,
  'src/store/read.ts': `export function read(id: string) {\n  return 'definition of read' + id;\n}\n\nexport function write() {}\n`,
  'src/pages/checkout.ts': `import { load } from '../cart/load.ts';\n\nexport function checkout(id: string) {\n  const cart = load(id);\n  return cart;\n}\n`,
  'src/other/unrelated.ts': `export function elsewhere() {\n  return 'nothing to do with it';\n}\n`,
  'test/load.test.ts': `import { load } from '../src/cart/load.ts';\n\ntest('loads an empty cart', () => {\n  load('');\n});\n`,
};
const changed: Files = {
  'src/cart/load.ts': shop['src/cart/load.ts']!.replace('return read(id);', 'return read(id.trim());'),
};

test('a call shows the function around a hunk, code it uses, code that uses it and tests of it, with places', async () => {
  for (const inWorkingCopy of [false, true]) {
    const { context, prompts } = await contextOf(shop, changed, { inWorkingCopy });
    for (const text of [
      'src/cart/load.ts:3-17 (around the change)',
      '  stepLoad(0);',
      'src/store/read.ts:1-3 (defines read)',
      "return 'definition of read' + id;",
      'src/pages/checkout.ts:3-6 (uses load)',
      'const cart = load(id);',
      'test/load.test.ts:3-5 (tests load)',
      "test('loads an empty cart'",
    ])
      assert.ok(context.includes(text), `${text}\n\n${context}`);
    assert.ok(!context.includes('nothing to do with it'));
    const order = ['(around the change)', '(defines read)', '(uses load)', '(tests load)'];
    const places = order.map((text) => context.indexOf(text));
    assert.deepEqual(
      places,
      places.toSorted((a, b) => a - b),
    );
    // Fenced as data, with the boundary that the prompt explains.
    const boundary = /begins with <<<(\S+) /.exec(prompts[0]!)![1]!;
    assert.ok(context.includes(`<<<${boundary} context\n`));
  }
});

test('uses of a removed name are shown, and first those that import it from the changed file', async () => {
  const others = Object.fromEntries(
    Array.from({ length: 40 }, (_, index) => [
      `lib/x${index}.ts`,
      `const o = { load() {} };\no.load();\nload${index}();\n`,
    ]),
  );
  const renamed = {
    'src/cart/load.ts': shop['src/cart/load.ts']!.replace('function load(', 'function loadCart('),
  };
  const { context } = await contextOf({ ...others, ...shop }, renamed);
  assert.ok(context.includes('src/pages/checkout.ts:'));
  assert.ok(
    context.indexOf('src/pages/checkout.ts:') <
      (context.indexOf('lib/x0.ts') + 1 || Number.POSITIVE_INFINITY),
  );
});

const languages: Record<string, { readonly before: Files; readonly after: Files; readonly shown: string[] }> =
  {
    Python: {
      before: {
        'shop/cart.py':
          'from shop.store import read\n\n\ndef load(key):\n    first = 1\n    second = 2\n    third = 3\n    fourth = 4\n    return read(key)\n',
        'shop/store.py': 'def read(key):\n    return "definition of read"\n',
        'shop/page.py': 'from shop.cart import load\n\n\ndef page():\n    return load("x")\n',
      },
      after: {
        'shop/cart.py':
          'from shop.store import read\n\n\ndef load(key):\n    first = 1\n    second = 2\n    third = 3\n    fourth = 4\n    return read(key.strip())\n',
      },
      shown: ['shop/cart.py:4-9 (around', '"definition of read"', 'return load("x")'],
    },
    Go: {
      before: {
        'go.mod': 'module acme.test/shop\n\ngo 1.22\n',
        'cart/cart.go':
          'package cart\n\nfunc Load(id string) string {\n\ta := 1\n\tb := 2\n\tc := 3\n\td := 4\n\treturn read(id)\n}\n',
        'cart/store.go': 'package cart\n\nfunc read(id string) string {\n\treturn "definition of read"\n}\n',
        'page/page.go':
          'package page\n\nimport "acme.test/shop/cart"\n\nfunc Page() string {\n\treturn cart.Load("x")\n}\n',
      },
      after: {
        'cart/cart.go':
          'package cart\n\nfunc Load(id string) string {\n\ta := 1\n\tb := 2\n\tc := 3\n\td := 4\n\treturn read(id + "")\n}\n',
      },
      shown: ['cart/cart.go:3-9 (around', '"definition of read"', 'return cart.Load("x")'],
    },
    Java: {
      before: {
        'src/Cart.java':
          'class Cart {\n  String load(String id) {\n    int a = 1;\n    int b = 2;\n    int c = 3;\n    int d = 4;\n    return Store.readItem(id);\n  }\n}\n',
        'src/Store.java':
          'class Store {\n  static String readItem(String id) {\n    return "definition of read";\n  }\n}\n',
        'src/Page.java': 'class Page {\n  String show(Cart cart) {\n    return cart.load("x");\n  }\n}\n',
      },
      after: {
        'src/Cart.java':
          'class Cart {\n  String load(String id) {\n    int a = 1;\n    int b = 2;\n    int c = 3;\n    int d = 4;\n    return Store.readItem(id.trim());\n  }\n}\n',
      },
      shown: ['src/Cart.java:2-8 (around', '"definition of read"', 'return cart.load("x")'],
    },
    Ruby: {
      before: {
        'lib/cart.rb':
          'class Cart\n  def load_item(id)\n    a = 1\n    b = 2\n    c = 3\n    d = 4\n    read_item(id)\n  end\nend\n',
        'lib/store.rb': 'def read_item(id)\n  "definition of read"\nend\n',
        'lib/page.rb': 'def page(cart)\n  cart.load_item("x")\nend\n',
      },
      after: {
        'lib/cart.rb':
          'class Cart\n  def load_item(id)\n    a = 1\n    b = 2\n    c = 3\n    d = 4\n    read_item(id.strip)\n  end\nend\n',
      },
      shown: ['lib/cart.rb:2-8 (around', '"definition of read"', 'cart.load_item("x")'],
    },
    'a language that nobody knows': {
      before: {
        'cart.zig2': 'fn load_item(id)\n    a = 1\n    b = 2\n    c = 3\n    d = 4\n    read_item(id)\nend\n',
        'page.zig2': 'fn page()\n    load_item("x")\nend\n',
      },
      after: {
        'cart.zig2':
          'fn load_item(id)\n    a = 1\n    b = 2\n    c = 3\n    d = 4\n    read_item(id, 2)\nend\n',
      },
      shown: ['cart.zig2:1-7 (around', 'load_item("x")'],
    },
  };
for (const [language, { before, after, shown }] of Object.entries(languages))
  test(`context is found in ${language}`, async () => {
    const { context, result } = await contextOf(before, after);
    for (const text of shown) assert.ok(context.includes(text), `${text}\n\n${context}`);
    assert.equal(result.status, 'succeeded');
  });

test('credentials outside of the diff do not reach the model, even if only the whole file reveals them', async () => {
  const key = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;
  const pem = Array.from(
    { length: 20 },
    (_, index) => `MIIEowIBAAKCAQEA${String(index).padStart(48, 'q7Zx')}`,
  );
  const before = {
    ...shop,
    'src/pages/checkout.ts': `import { load } from '../cart/load.ts';\nconst token = '${key}';\nload(token);\n`,
    'src/pages/pay.ts': `import { load } from '../cart/load.ts';\nconst pem = \`-----BEGIN RSA PRIVATE KEY-----\n${pem.slice(0, 10).join('\n')}\n\${load('x')}\n${pem.slice(10).join('\n')}\n-----END RSA PRIVATE KEY-----\`;\n`,
  };
  const { calls, context } = await contextOf(before, changed);
  const sent = JSON.stringify(calls.map(({ body: asked }) => asked));
  assert.ok(context.includes('src/pages/checkout.ts:') && context.includes('src/pages/pay.ts:'), context);
  assert.ok(!sent.includes(key) && !sent.includes('MIIEowIBAAKCAQEA'));
});

test('files that Git ignores, links and submodules are not shown', async () => {
  const { folder, commit, write, git } = await makeRepository();
  await write({ ...shop, '.gitignore': 'private/\n' });
  await symlink('/etc/hosts', path.join(folder, 'src/pages/link.ts'));
  const base = await commit();
  await git('update-index', '--add', '--cacheinfo', `160000,${base},src/module`);
  await write({
    'private/secret.ts': 'load("of nobody else");\n',
    'src/module/a.ts': 'load("of the module");\n',
    ...changed,
  });
  const { calls } = await reviewRepository({ folder, base, head: null, script });
  const { data } = calls[0]!;
  assert.ok(data.includes('src/pages/checkout.ts:'));
  assert.ok(
    !data.includes('of nobody else') && !data.includes('of the module') && !data.includes('localhost'),
  );
});

test('context keeps to its tokens; 0 shows none, and a change without a repository has none', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 60 }, (_, index) => [
      `src/pages/p${index}.ts`,
      `import { load } from '../cart/load.ts';\n\nexport const page${index} = () => load('${'x'.repeat(80)}');\n`,
    ]),
  );
  const limits = { maxTokens: 200_000, maxSeconds: 120 };
  const sizes: number[] = [];
  for (const contextTokens of [0, 500, 6_000]) {
    const { prompts } = await contextOf({ ...shop, ...many }, changed, {
      limits: { ...limits, contextTokens },
    });
    sizes.push(prompts[0]!.length);
  }
  const [none, some, more] = sizes as [number, number, number];
  assert.ok(some > none && some - none < 3 * (500 + 150), `${none} ${some}`);
  assert.ok(more > some && more - none < 3 * (6_000 + 150), `${none} ${more}`);
});

test('with a small budget context is dropped first, and the change is still reviewed', async () => {
  const limits = { maxTokens: 200_000, maxSeconds: 120 };
  const { calls } = await contextOf(shop, changed, { limits: { ...limits, contextTokens: 0 } });
  const tokens = Math.ceil((calls[0]!.instructions.length + calls[0]!.data.length) / 3);
  const { result, prompts, context } = await contextOf(shop, changed, {
    limits: { ...limits, maxTokens: 2 * tokens + 100 },
  });
  assert.ok(prompts[0]!.includes('+  return read(id.trim());'));
  assert.equal(context, '');
  assert.deepEqual([result.status, result.coverage[0]!.state], ['succeeded', 'full']);
});
