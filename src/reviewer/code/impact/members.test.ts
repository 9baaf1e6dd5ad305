import assert from 'node:assert/strict';
import { test } from 'node:test';
import { impactOf } from '../../../../test/impact-of.ts';
import { python } from '../python/python.ts';

const box = (members: string, head = 'export class Box') => `${head} {\n${members}}\n`;
const use = `import { Box } from './box';
new Box().close(1);
const b = new Box();
b.close(1);
export function f(b: unknown) {
  b.close(1);
  const c = new Box();
  c.close = () => {};
  c.close(1);
  let d = new Box();
  d.close(1);
}
`;

test('methods are checked if the class of the object is certain', async () => {
  const files = { 'box.ts': box('  close(a: number) {}\n  again() { this.close(1); }\n'), 'a.ts': use };
  assert.deepEqual(await impactOf(files, { 'box.ts': box('  again() { this.close(1); }\n') }), [
    'Box.close removed',
    '  a.ts:2 broken: uses it',
    '  a.ts:4 broken: uses it',
    '  box.ts:2 broken: uses it',
  ]);
  const altered = box('  close(a: number, b: number) {}\n  again() { this.close(1); }\n');
  assert.deepEqual(await impactOf(files, { 'box.ts': altered }), [
    'Box.close signature',
    '  a.ts:2 broken: does not pass b',
    '  a.ts:4 broken: does not pass b',
    '  box.ts:3 broken: does not pass b',
  ]);
  const gone = (await impactOf(files, { 'box.ts': 'export {};\n' })).filter((line) =>
    line.includes('broken'),
  );
  assert.deepEqual(gone, [
    '  a.ts:2 broken: uses it',
    '  a.ts:3 broken: uses it',
    '  a.ts:7 broken: uses it',
    '  a.ts:10 broken: uses it',
  ]);
});

test('a member that may come from elsewhere is not called missing', async () => {
  const files = { 'box.ts': box('  close(a: number) {}\n  again() { this.close(1); }\n'), 'a.ts': use };
  const ways = {
    'a class above': box('  again() { this.close(1); }\n', 'export class Box extends Base'),
    'a field': box('  constructor() { this.close = make(); }\n  again() { this.close(1); }\n'),
    'a parameter': box('  constructor(readonly close?: Close) {}\n  again() { this.close(1); }\n'),
    'who gets the object': box('  constructor() { fill(this); }\n  again() { this.close(1); }\n'),
    'an interface of the same name': `${box('  again() { this.close(1); }\n')}export interface Box { close(a: number): void }\n`,
  };
  for (const [name, text] of Object.entries(ways)) {
    const impact = await impactOf(files, { 'box.ts': text });
    assert.ok(!impact.some((line) => line.includes('broken')), `${name}: ${impact.join('\n')}`);
  }
  const below = { 'c.ts': "import { Box } from './box';\nclass Crate extends Box { close() {} }\n" };
  assert.deepEqual(
    (await impactOf({ ...files, ...below }, { 'box.ts': box('  again() { this.close(1); }\n') })).at(-1),
    '  box.ts:2 unknown',
  );
});

test('a result that is stored, or passed to a function of the language, must be awaited', async () => {
  const files = {
    'get.ts': 'export function get() {\n  return { x: 1 };\n}\n',
    'a.ts': `import { get } from './get';
export function a() {
  const r = get();
  r.x + 1;
}
export async function b() {
  const r = get();
  r.x;
  await r;
}
export function c() {
  const r = get();
  return r;
}
export function d() {
  console.log(get());
  use(get());
  \`\${get()}\`;
  const r = get();
  { const r = 1; r + 1; }
  r.x;
  const s = get();
  if (s instanceof Promise) s.x;
}
`,
  };
  const impact = await impactOf(files, {
    'get.ts': 'export async function get() {\n  return { x: 1 };\n}\n',
  });
  assert.deepEqual(
    impact.filter((line) => line.includes('broken')).map((line) => line.trim().split(' ')[0]),
    ['a.ts:3', 'a.ts:16', 'a.ts:18'],
  );
});

test('methods are checked if a parameter is declared with the class, unless it is reassigned or narrowed', async () => {
  const files = {
    'box.ts': box('  close(a: number) {}\n'),
    'a.ts': `import type { Box } from './box';
export function f(b: Box, c?: Box) {
  b.close(1);
  c?.close(1);
}
export const g = (b: Box) => (b instanceof Other ? b.close(1) : 0);
export function h<Box>(b: Box) {
  b.close(1);
}
export function i(b: Box | Other) {
  b.close(1);
}
export function j(b: Box) {
  b = other();
  b.close(1);
  if (isOther(b)) b.close(1);
}
`,
    's/__init__.py': '',
    's/box.py': 'class Box:\n    def close(self, a):\n        pass\n',
    's/a.py':
      'from . import box\nfrom .box import Box\n\n\ndef f(b: Box, c: box.Box = None, d: "Box" = None):\n    b.close(1)\n    c.close(1)\n\n\ndef g(b: Box):\n    if isinstance(b, Other):\n        b.close(1)\n\n\ndef h(b: Box):\n    b = other()\n    b.close(1)\n',
  };
  const altered = { 'box.ts': box('  close(a: number, b: number) {}\n') };
  assert.deepEqual(await impactOf(files, altered), [
    'Box.close signature',
    '  a.ts:3 broken: does not pass b',
    '  a.ts:4 broken: does not pass b',
  ]);
  const brokenIn = async (changed: Record<string, string>, ...more: Parameters<typeof impactOf>[2][]) =>
    (await impactOf(files, changed, ...more)).filter((line) => line.includes('broken'));
  assert.deepEqual(await brokenIn({ 'box.ts': box('') }), [
    '  a.ts:3 broken: uses it',
    '  a.ts:4 broken: uses it',
  ]);
  // An object of a subclass may have it.
  const below = "import { Box } from './box';\nexport class Crate extends Box {\n  close(a: number) {}\n}\n";
  assert.deepEqual(await brokenIn({ 'box.ts': box(''), 'crate.ts': below }), []);
  const bare = 'class Box:\n    pass\n';
  assert.deepEqual(await brokenIn({ 's/box.py': bare }, python), [
    '  s/a.py:6 broken: uses it',
    '  s/a.py:7 broken: uses it',
  ]);
});
