import assert from 'node:assert/strict';
import { test } from 'node:test';
import { impactOf } from '../../../../test/impact-of.ts';
import { go } from './go.ts';

test('Go: the files of a package share its names, and others import them by its path', async () => {
  const files = {
    'go.mod': 'module acme.test/shop\n\ngo 1.22\n',
    'cart/load.go': 'package cart\n\nfunc Load(id string) error { return nil }\n\nfunc small() {}\n',
    'cart/use.go':
      'package cart\n\nfunc Use() { small(); Load("1") }\n\nfunc other(Load func()) { Load() }\n',
    'cart/load_test.go': 'package cart\n\nfunc TestLoad() { _ = Load("2") }\n',
    'main.go':
      'package main\n\nimport (\n\t"fmt"\n\tc "acme.test/shop/cart"\n)\n\nfunc main() { fmt.Println(c.Load("3")); x := map[string]int{}; _ = x }\n',
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
    'small removed',
    '  cart/use.go:3 broken: uses it',
  ]);
});

test('Go: uses of a definition that moved within the package, or exists for each system, are not broken', async () => {
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
  assert.deepEqual(impact, ['run signature', '  c.go:3 unknown']);
});

test('Go: deleting a package breaks the uses of its names, unless it is a module of its own now', async () => {
  const files = {
    'go.mod': 'module acme.test/shop\n',
    'cart/load.go': 'package cart\n\nfunc Load() {}\n',
    'api/send.go': 'package api\n\nfunc Send() {}\n',
    'main.go':
      'package main\n\nimport (\n\t"acme.test/shop/api"\n\t"acme.test/shop/cart"\n)\n\nfunc main() {\n\tcart.Load()\n\tapi.Send()\n}\n',
  };
  const impact = await impactOf(
    files,
    {
      'cart/load.go': null,
      'api/send.go': null,
      'go.mod': 'module acme.test/shop\n\nrequire acme.test/shop/api v1.0.0\n',
    },
    go,
  );
  assert.deepEqual(impact, [
    'Send removed',
    '  main.go:10 unknown',
    'Load removed',
    '  main.go:9 broken: uses it',
  ]);
});

test('Go: the number of arguments is unknown if they are the results of another call', async () => {
  const files = {
    'go.mod': 'module acme.test/shop\n',
    'load.go': 'package shop\n\nfunc Load(a, b int) {}\n\nfunc two() (int, int) { return 1, 2 }\n',
    'a.go': 'package shop\n\nfunc a() { Load(two()) }\n',
  };
  const changed = {
    'load.go': 'package shop\n\nfunc Load(a, b, c int) {}\n\nfunc two() (int, int, int) { return 1, 2, 3 }\n',
  };
  assert.deepEqual(await impactOf(files, changed, go), ['Load signature', '  a.go:3 unknown']);
});

test('Go: files of an external test package do not share the names of the package', async () => {
  const files = {
    'go.mod': 'module acme.test/shop\n',
    'load.go': 'package shop\n\nfunc Load(id string) {}\n',
    'in_test.go': 'package shop\n\nfunc a() { Load("1") }\n',
    'set_test.go': 'package shop_test\n\nvar Load = func(id string) {}\n',
    'out_test.go': 'package shop_test\n\nfunc b() { Load("1") }\n',
  };
  const changed = { 'load.go': 'package shop\n\nfunc Load(id string, more int) {}\n' };
  assert.deepEqual(await impactOf(files, changed, go), [
    'Load signature',
    '  in_test.go:3 broken: does not pass more',
  ]);
});

test('Go: methods are checked if the type of a value is evident, also in other files of the package', async () => {
  const files = {
    'go.mod': 'module acme.test/shop\n',
    'box/box.go':
      'package box\n\ntype Box struct{ n int }\n\ntype Crate struct{ Box }\n\ntype Any interface{ Close(int) }\n\nvar Make = func(a int) {}\n',
    'box/close.go':
      'package box\n\nfunc (b *Box) Close(a int) {}\n\nfunc (c Crate) Close(a int) {}\n\nfunc (b *Box) Again() { b.Close(1) }\n',
    'main.go':
      'package main\n\nimport "acme.test/shop/box"\n\nfunc f(p *box.Box, any box.Any) {\n\tp.Close(1)\n\tany.Close(1)\n\tt := box.Box{}\n\tt.Close(1)\n\tvar v box.Box\n\tv.Close(1)\n\tc := &box.Crate{}\n\tc.Close(1)\n\tbox.Make(1)\n\tfor _, u := range all() {\n\t\tu.Close(1)\n\t}\n}\n\nfunc g(t box.Box) {\n\tif t := other(); t != nil {\n\t\tt.Close(1)\n\t}\n}\n',
  };
  const broken = async (changed: Record<string, string>) =>
    (await impactOf(files, changed, go))
      .filter((line) => line.includes('broken'))
      .map((line) => line.trim().split(' ')[0]);
  const without = 'package box\n\nfunc (b *Box) Again() { b.Close(1) }\n';
  assert.deepEqual(await broken({ 'box/close.go': without }), [
    'box/close.go:3',
    'main.go:6',
    'main.go:9',
    'main.go:11',
  ]);
  const altered = files['box/close.go'].replaceAll('Close(a int)', 'Close(a, b int)');
  assert.deepEqual(await broken({ 'box/close.go': altered }), [
    'box/close.go:7',
    'main.go:6',
    'main.go:9',
    'main.go:11',
    'main.go:13',
  ]);
  const field = files['box/box.go'].replace('n int', 'Close func(int)');
  assert.deepEqual(await broken({ 'box/close.go': without, 'box/box.go': field }), []);
  const made = files['box/box.go'].replace('(a int) {}', '(a, b int) {}');
  assert.deepEqual(await broken({ 'box/box.go': made }), ['main.go:14']);
});

test('Go: calls with type arguments are calls', async () => {
  const files = {
    'go.mod': 'module acme.test/shop\n',
    'load.go':
      'package shop\n\nfunc Load[T any](a T) {}\n\nfunc Two[A, B any](a A) {}\n\ntype Box[T any] []T\n',
    'use.go':
      'package shop\n\nfunc use() {\n\tLoad[string]("a")\n\tTwo[int, string](1)\n\tLoad[int](other())\n\t_ = Box[int](nil)\n\tf := Load[int]\n\tf(1)\n}\n',
  };
  const altered = files['load.go'].replaceAll('(a T)', '(a, b T)').replace('(a A)', '(a A, b B)');
  assert.deepEqual(await impactOf(files, { 'load.go': altered }, go), [
    'Load signature',
    '  use.go:4 broken: does not pass b',
    '  use.go:6 unknown',
    '  use.go:8 fits',
    'Two signature',
    '  use.go:5 broken: does not pass b',
  ]);
});
