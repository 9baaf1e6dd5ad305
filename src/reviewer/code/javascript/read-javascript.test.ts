import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readJavaScript } from './read-javascript.ts';

const read = async (text: string, path = 'a.ts') => (await readJavaScript(path, text))!;

test('definitions have their lines, parameters and methods; overloads have no parameters', async () => {
  const { definitions } = await read(`export async function load(a: string, b = 2, ...rest: number[]) {}
const total = (cart: Cart, tax?: number) => cart.sum;
export class Cart extends Base { static of(x: number) {} total = async () => 1; #own() {} get size() { return 1 } }
export function over(a: string): void;
export function over(a: number, b: number): void;
export function over(...given: unknown[]) {}
export default function () {}
export const { one, two: [three] } = setUp();
interface Shape {}
`);
  assert.deepEqual(
    definitions.map(({ name, kind, isAsync, parameters }) => [
      name,
      kind,
      isAsync,
      parameters?.map((given) => `${given.name}${given.isRest ? '*' : given.isOptional ? '?' : ''}`).join() ??
        null,
    ]),
    [
      ['load', 'function', true, 'a,b?,rest*'],
      ['total', 'function', false, 'cart,tax?'],
      ['Cart', 'class', false, null],
      ['Cart.of', 'method', false, 'x'],
      ['Cart.total', 'method', true, ''],
      ['Cart.own', 'method', false, ''],
      ['Cart.size', 'method', false, null],
      ['over', 'function', false, null],
      ['default', 'function', false, ''],
      ['one', 'value', false, null],
      ['three', 'value', false, null],
      ['Shape', 'type', false, null],
    ],
  );
});

test('a function that uses `arguments` takes anything, and a parameter is needed only if it is read unchecked', async () => {
  const { definitions } = await read(
    `function open() { return arguments.length }
function lax(a, b, c) { if (b) b.x(); return c ? c.y : a.z }`,
    'a.js',
  );
  assert.equal(definitions[0]!.parameters, null);
  assert.deepEqual(
    definitions[1]!.parameters!.map(({ isNeeded }) => isNeeded),
    [true, false, false],
  );
});

test('imports and exports of both kinds are read with the names on either side', async () => {
  const { imports, exports } = await read(`import def, { x as y, type T } from './b.ts';
import * as all from './c';
import './effects';
try { require('./maybe') } catch {}
const { go, run: start } = require('./d');
export * from './e';
export * as f from './f';
export { y as z };
export { inner as outer } from './g';
export default class Cart {}
exports.late = go;`);
  assert.deepEqual(
    imports.map(({ local, from, imported, isType, isGuarded }) => [local, from, imported, isType, isGuarded]),
    [
      ['def', './b.ts', 'default', false, false],
      ['y', './b.ts', 'x', false, false],
      ['T', './b.ts', 'T', true, false],
      ['all', './c', '*', false, false],
      [null, './effects', '', false, false],
      [null, './maybe', '', false, true],
      ['go', './d', 'go', false, false],
      ['start', './d', 'run', false, false],
      [null, './e', '', false, false],
      [null, './f', '', false, false],
      [null, './g', 'inner', false, false],
    ],
  );
  assert.deepEqual(
    exports.map(({ name, local, from, imported }) => [name, local, from, imported]),
    [
      ['*', null, './e', '*'],
      ['f', null, './f', '*'],
      ['z', 'y', null, null],
      ['outer', null, './g', 'inner'],
      ['default', 'Cart', null, null],
      ['late', 'go', null, null],
    ],
  );
});

test('uses refer to names at the top of the file; a name that is shadowed is not a use', async () => {
  const { uses } = await read(
    `import { load, Row } from './b.ts';
import * as ns from './c.ts';
const one = load(1, ...more);
function inner(load) { return load(2) }
{ const ns = {}; ns.go() }
const { row = Row } = ns.sub.go?.(3);
export const view = () => <Row.Head x={load}></Row.Head>;
const as = { load };
let t: ns.Kind<Row>;
new Row().load();`,
    'a.tsx',
  );
  assert.deepEqual(
    uses.map(({ name, members, line, call, isNew }) => [
      [name, ...members].join('.'),
      line,
      call === null ? '' : `${isNew ? 'new ' : ''}${call.count}${call.isOpen ? '+' : ''}`,
    ]),
    [
      ['load', 3, '2+'],
      ['Row', 6, ''],
      ['ns.sub.go', 6, '1'],
      ['Row.Head', 7, ''],
      ['load', 7, ''],
      ['load', 8, ''],
      ['ns.Kind', 9, ''],
      ['Row', 9, ''],
      ['Row', 10, 'new 0'],
      ['Row.load', 10, '0'],
    ],
  );
});

test('the result of a call is awaited, passed on, stored, used or dropped', async () => {
  const calls = [
    ['await load()', 'awaited'],
    ['return load()', 'passed_on'],
    ['load().then(go)', 'passed_on'],
    ['void load()', 'passed_on'],
    ['Promise.all([load()])', 'passed_on'],
    ['const all = load()', 'stored'],
    ['const all = load(); go(all.length); if (all) go()', 'used'],
    ['const all = load(); go(all.length); go(all)', 'stored'],
    ['const all = load(); all.length; await all', 'stored'],
    ['const all = load(); all.length; { const all = 1; all + 1 }', 'stored'],
    ['let all = load(); all = 1; go(all + 1)', 'stored'],
    ['const { a } = load()', 'used'],
    ['if (load()) go()', 'used'],
    ['load().length', 'used'],
    ['go(load() + 1)', 'used'],
    ['total(load())', 'passed_on'],
    ['total({ a: load() }, [load()])', 'passed_on'],
    ['Object.values({ a: load() })', 'passed_on'],
    ['new Holder(load())', 'passed_on'],
    [`go(String(load()), \`\${load()}\`, load() === 1)`, 'used'],
    ['go(JSON.stringify(load()), JSON.stringify({ a: [load()] }))', 'used'],
    ['go(Number.isInteger(load()), Array.isArray(load()), new Date(load()))', 'used'],
    ['load()()', 'used'],
    ['assert.equal(load(), 1); assert.deepStrictEqual([1], load())', 'used'],
    ['assert.equal(load(), other); assert.ok(load())', 'passed_on'],
    ['expect(load()).toBe(1); expect(load()).not.toEqual([1])', 'used'],
    ['expect(load()).toBe(other); expect(load()).resolves.toBe(1)', 'passed_on'],
    ['load()', 'dropped'],
    ['await (fast ? load() : 1)', 'awaited'],
    ['for await (const row of load()) go(row)', 'awaited'],
  ] as const;
  for (const [text, result] of calls) {
    const { uses } = await read(`import { load } from './b.ts';\nasync function f() { ${text} }`);
    assert.deepEqual([...new Set(uses.map((use) => use.result))], [result], text);
  }
});

test('a parameter is needed if every call reads it, but not if that depends on earlier parameters', async () => {
  const bodies: [body: string, isNeeded: boolean][] = [
    ['return b.x', true],
    ['const c = 1; if (c) go(); b.x()', true],
    ['if (ready) return; b.x()', true],
    ['list.forEach((each) => { if (a) return; }); b.x()', true],
    ['if (a) { go(a); } b.x()', true],
    ['return b?.x', false],
    ['if (b) b.x()', false],
    ['if (a === 1) { return; } b.x()', false],
    ["if (typeof a === 'function') throw new Error(); b()", false],
    ['for (const each of a) { if (each === a.last) return each; } return b.x', false],
    ['const kind = a.kind; switch (kind) { case 1: return 1; } return b.x', false],
    ['if (a) { b.x(); }', false],
    ['return a === 1 ? 1 : b.x', false],
    ['return a || b.x', false],
  ];
  for (const [body, isNeeded] of bodies) {
    const { definitions } = await read(`export function f(a, b) { ${body} }`, 'a.js');
    assert.equal(definitions[0]!.parameters![1]!.isNeeded, isNeeded, body);
  }
});

test('a file that does not parse has no facts', async () => {
  assert.equal(await readJavaScript('a.ts', 'function ('), undefined);
});
