import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeRepository } from '../../../../test/git-repository.ts';
import { findingsIn } from '../../../../test/reference-faults.ts';

const manifest = (dependencies: object) => `${JSON.stringify({ name: 'shop', dependencies }, null, 2)}\n`;
const one = (name: string, parameters = 'id: string') =>
  `export function ${name}(${parameters}) {\n  return id;\n}\n`;
const callOf = (name: string, from: string) =>
  `import { ${name} } from './${from}';\nexport const x = ${name}('1') + 1;\n`;

const before = {
  'package.json': manifest({ zod: '4' }),
  'schema.ts': "import { z } from 'zod';\nz.string();\n",
  'gone.ts': `${one('gone')}export const rest = 1;\n`,
  'use-gone.ts': callOf('gone', 'gone'),
  'use-gone-too.ts': callOf('gone', 'gone'),
  'hidden.ts': one('hidden').replace('export', 'export default'),
  'use-hidden.ts': "import hidden from './hidden';\nhidden('1').go();\n",
  'old.ts': `${one('old')}export const rest = 1;\n`,
  'use-old.ts': callOf('old', 'old'),
  'moved.ts': `${one('moved')}export const rest = 1;\n`,
  'use-moved.ts': callOf('moved', 'moved'),
  'more.ts': one('more'),
  'use-more.ts': `${callOf('more', 'more')}more('2');\nmore('3');\n`,
  'wait.ts': one('wait'),
  'use-wait.ts': callOf('wait', 'wait'),
  'drop.ts': one('drop'),
  'use-drop.ts': "import { drop } from './drop';\ndrop('1');\n",
  'file.ts': one('file'),
  'use-file.ts': callOf('file', 'file'),
  'use-file-too.ts': callOf('file', 'file'),
  'shop/__init__.py': '',
  'shop/cart.py': 'def total(a):\n    return 1\n',
  'shop/use.py': 'from shop.cart import total\n\nprint(total(1))\n',
};
const changed = {
  'package.json': manifest({}),
  'gone.ts': 'export const rest = 1;\n',
  'hidden.ts': one('hidden'),
  'old.ts': `${one('young')}export const rest = 1;\n`,
  'moved.ts': 'export const rest = 1;\n',
  'place.ts': one('moved'),
  'more.ts': one('more', 'id: string, shop: string'),
  'wait.ts': one('wait').replace('export', 'export async'),
  'drop.ts': one('drop').replace('export', 'export async'),
  'file.ts': null,
  'shop/cart.py': 'async def total(a):\n    return 1\n',
  'new.ts': "import { more } from './more';\nimport { none } from './more';\nmore();\n",
};

test('the body of a finding says what happens, where and with what consequence, and not the title again', async () => {
  const findings = await findingsIn(await makeRepository(before), changed);
  assert.deepEqual(
    findings.map(({ path, body }) => `${path}: ${body}`).toSorted(),
    [
      'drop.ts: `drop` returns a promise now, but is not awaited at `use-drop.ts:2`. The code there goes on before it has finished, and misses its errors.',
      'file.ts: `file.ts` no longer exists, but `use-file-too.ts:1` still imports it; one other file needs it, too. Whatever needs the file fails when it is built or runs.',
      'gone.ts: `gone.ts` no longer provides `gone`, but it is used at `use-gone-too.ts:2` and one other place. The code there fails when it is built or runs.',
      'hidden.ts: `hidden.ts` no longer exports `hidden` as before, but it is used at `use-hidden.ts:2`. The code there fails when it is built or runs.',
      'more.ts: The call to `more` at `use-more.ts:2` does not pass shop; 2 other calls do not match either. Such a call fails, or values do not arrive where they are meant to.',
      'moved.ts: `moved` is now in `place.ts`, but still expected in `moved.ts` at `use-moved.ts:2`. The code there fails when it is built or runs.',
      'new.ts: The call to `more` does not pass id, shop; the function is at `more.ts:1`. Such a call fails, or values do not arrive where they are meant to.',
      'new.ts: `more.ts` does not provide `none`. The import fails when the code is built or loaded.',
      'old.ts: `old` is now called `young`, but still used by its former name at `use-old.ts:2`. The code there fails when it is built or runs.',
      'package.json: `package.json` no longer names `zod`, but it is imported at `schema.ts:1`. The imports fail wherever nothing else installs the package.',
      'shop/cart.py: `total` returns a coroutine now, but is not awaited at `shop/use.py:3`. The code there works with the coroutine instead of its value.',
      'wait.ts: `wait` returns a promise now, but is not awaited at `use-wait.ts:2`. The code there works with the promise instead of its value.',
    ].toSorted(),
  );
});
