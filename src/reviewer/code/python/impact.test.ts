import assert from 'node:assert/strict';
import { test } from 'node:test';
import { impactOf } from '../../../../test/impact-of.ts';
import { python } from './python.ts';

const loadPy = 'def load(id):\n    return id\n';

test('Python: imports of modules and packages, relative imports and `import *` resolve to the changed function', async () => {
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
    '  d.py:4 unknown',
    '  shop/__init__.py:1 fits',
    '  shop/sub/a.py:5 broken: does not pass shop',
  ]);
});

test('Python: a removed name is missing for files that import it, unless the module creates names at run time', async () => {
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

test('Python: an import without other uses counts as a use, and imports inside functions are followed', async () => {
  const files = {
    'shop/__init__.py': 'from .cart import (\n    load,\n    other,\n)\n',
    'shop/cart.py': `${loadPy}def other(): pass\n`,
    'shop/late.py':
      'def f():\n    from .cart import load\n    return load(1)\n\n\ndef g(load):\n    return load()\n',
    'shop/builtin.py': 'def f():\n    from .cart import load as open\n    return open(1)\n\n\nopen()\n',
    'shop/set.py': 'def f():\n    from .cart import load\n    load = load or None\n    load()\n',
  };
  assert.deepEqual(await impactOf(files, { 'shop/cart.py': loadPy.replace('(id)', '(id, shop)') }, python), [
    'load signature',
    '  shop/__init__.py:2 fits',
    '  shop/builtin.py:3 broken: does not pass shop',
    '  shop/late.py:3 broken: does not pass shop',
    '  shop/set.py:2 fits',
    'other removed',
    '  shop/__init__.py:3 broken: uses it',
  ]);
});

test('Python: a use whose import was removed is broken, unless the name is a builtin', async () => {
  const files = {
    'compat.py': 'def load(): pass\ndef open(): pass\n',
    'a.py': 'from compat import load, open\nload()\nopen()\n',
  };
  assert.deepEqual(await impactOf(files, { 'compat.py': '\n', 'a.py': '\nload()\nopen()\n' }, python), [
    'load removed',
    '  a.py:2 broken: uses it',
    'open removed',
    '  a.py:3 unknown',
  ]);
});

test('Python: a name that is expected to be missing, or has several sources, is not called broken', async () => {
  const files = {
    'shop/__init__.py': '',
    'shop/cart.py': loadPy,
    'shop/a.py':
      'try:\n    from .cart import load\nexcept ImportError:\n    load = None\nif load:\n    load(1)\n',
    'shop/b.py': 'if fast:\n    from .quick import load\nelse:\n    from .cart import load\nload(1)\n',
  };
  assert.deepEqual(await impactOf(files, { 'shop/cart.py': 'def other(): pass\n' }, python), [
    'load removed',
    '  shop/a.py:5 unknown',
    '  shop/a.py:6 unknown',
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
    '  a.py:5 broken: passes to, which is not a parameter',
  ]);
});

test('Python: a stored result counts as not awaited if the variable is only used as a plain value', async () => {
  const files = {
    'cart.py': 'def load(a):\n    return a\n',
    'a.py':
      'from cart import load\ndef one():\n    x = load(1)\n    return x.y\nasync def two():\n    x = load(1)\n    return await x\ndef three():\n    x = load(1)\n    x += 1\n    go(x)\n',
  };
  assert.deepEqual(await impactOf(files, { 'cart.py': 'async def load(a):\n    return a\n' }, python), [
    'load made_async',
    '  a.py:3 broken: does not await its result',
    '  a.py:6 fits',
    '  a.py:9 fits',
  ]);
});

test('Python: a name that a loop, `with`, `:=`, a pattern, `type` or a function binds in a module exists', async () => {
  const files = {
    'names.py': 'one = two = three = four = five = six = 1\ndef gone(): pass\n',
    'a.py':
      'from names import one, two, three, four, five, six, gone\nprint(one, two, three, four, five, six, gone)\n',
  };
  const changed = {
    'names.py': [
      'for one in range(3): pass',
      'with open("x") as two: pass',
      'if (three := 1): pass',
      'match three:',
      '    case four: pass',
      'def set_five():',
      '    global five',
      '    five = 1',
      'type six = int',
      '',
    ].join('\n'),
  };
  assert.deepEqual(await impactOf(files, changed, python), ['gone removed', '  a.py:2 broken: uses it']);
});

test('Python: methods are checked if the class of the object is certain', async () => {
  const files = {
    'box.py':
      'class Box(object):\n    def close(self, a):\n        pass\n\n    def again(self):\n        self.close(1)\n',
    'a.py':
      'from box import Box\n\nb = Box()\nb.close(1)\nBox().close(1)\n\n\ndef f(c):\n    d = Box()\n    d.close(1)\n    c.close(1)\n    e = Box()\n    e = other()\n    e.close(1)\n    with Box() as g:\n        g.close(1)\n    h = Box()\n    h.close = None\n    h.close(1)\n    Box.close(d, 1)\n',
  };
  const without = 'class Box(object):\n    def again(self):\n        self.close(1)\n';
  const broken = async (box: string, more: Record<string, string> = {}) =>
    (await impactOf({ ...files, ...more }, { 'box.py': box }, python))
      .filter((line) => line.includes('broken'))
      .map((line) => line.trim().split(' ')[0]);
  assert.deepEqual(await broken(without), ['a.py:4', 'a.py:5', 'a.py:10', 'a.py:20', 'box.py:3']);
  const altered = files['box.py'].replace('self, a', 'self, a, b');
  assert.deepEqual(await broken(altered), ['a.py:4', 'a.py:5', 'a.py:10', 'a.py:20', 'box.py:6']);
  for (const other of [
    without.replace('object', 'Base'),
    without.replace('object', 'metaclass=Meta'),
    `${without}\n    def __getattr__(self, name):\n        pass\n`,
    `${without}\n    def __init__(self):\n        self.close = make()\n`,
    `${without}\n    close = again\n`,
    `@filled\n${without}`,
  ])
    assert.deepEqual(await broken(other), [], other);
  const below = { 'c.py': 'from box import Box\n\n\nclass C(Box):\n    def close(self):\n        pass\n' };
  assert.deepEqual((await broken(without, below)).at(-1), 'a.py:20');
});

test('Python: a result that is stored or printed must be awaited', async () => {
  const files = {
    'get.py': 'def get():\n    return 1\n',
    'a.py':
      'from get import get\n\n\ndef a():\n    r = get()\n    return r.x\n\n\nasync def b():\n    r = get()\n    r.x\n    await r\n\n\ndef c():\n    print(get())\n    use(get())\n    r = get()\n    use(r)\n    s = get()\n    s = 2\n    s.x\n    use(round(get()))\n',
  };
  const impact = await impactOf(files, { 'get.py': 'async def get():\n    return 1\n' }, python);
  assert.deepEqual(
    impact.filter((line) => line.includes('broken')).map((line) => line.trim().split(' ')[0]),
    ['a.py:5', 'a.py:16', 'a.py:23'],
  );
});
