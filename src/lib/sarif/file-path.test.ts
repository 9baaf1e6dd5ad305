import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '../../../test/properties.ts';
import { leavesRepository, normalizeFilePath, readUri, uriOfFilePath } from './file-path.ts';

test('a normalized path never leaves the repository', () => {
  const part = fc.oneof(fc.constantFrom('..', '.', '', 'src', '\\..', '..\\'), fc.string({ unit: 'binary' }));
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      const path = normalizeFilePath(parts.join('/'));
      assert.ok(!path.startsWith('/') && !path.includes('\\'));
      assert.ok(path.split('/').every((step) => step !== '..' && step !== '.'));
      assert.equal(normalizeFilePath(path), path);
    }),
  );
});

test('a path out of the repository is distinguished from every path inside it', () => {
  const cases: [string, boolean, string][] = [
    ['..', true, '(outside)'],
    ['src/../..', true, '(outside)'],
    ['..\\..\\etc/passwd', true, '(outside)/(outside)/etc/passwd'],
    ['../src/../a.ts', true, '(outside)/a.ts'],
    ['src/../a.ts', false, 'a.ts'],
    ['src/..', false, ''],
    ['..a/...', false, '..a/...'],
  ];
  for (const [path, leaves, normal] of cases) {
    assert.deepEqual([leavesRepository(path), normalizeFilePath(path)], [leaves, normal], path);
  }
});

test('any normalized path survives its URI', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const path = normalizeFilePath(text.replaceAll('\0', ''));
      assert.deepEqual(readUri(uriOfFilePath(path)), { absolute: false, path });
    }),
  );
});

test('URIs and bare paths are understood', () => {
  const cases: [string, boolean, string][] = [
    ['src/app.ts', false, 'src/app.ts'],
    ['./src//app.ts', false, 'src/app.ts'],
    ['src\\win\\app.ts', false, 'src/win/app.ts'],
    ['a%20b/100%25.ts', false, 'a b/100%.ts'],
    ['100%.ts', false, '100%.ts'],
    ['../../etc/passwd', false, '../../etc/passwd'],
    ['%2e%2e/%2e%2e/etc/passwd', false, '../../etc/passwd'],
    ['src/%2e%2e%2f%2e%2e%2fetc', false, '../etc'],
    ['file:///../../etc/passwd', true, 'etc/passwd'],
    ['file:///w/src/app.ts', true, 'w/src/app.ts'],
    ['file:/w/app.ts', true, 'w/app.ts'],
    ['file://localhost/w/app.ts', true, 'w/app.ts'],
    ['file:///c:/w/a%20b.ts', true, 'C:/w/a b.ts'],
    ['file:///C%3A/w/app.ts', true, 'C:/w/app.ts'],
    ['file://share/w/app.ts', true, 'share/w/app.ts'],
    ['c:\\w\\app.ts', true, 'C:/w/app.ts'],
    ['/w/app.ts', true, 'w/app.ts'],
    ['https://shop.test/login', true, 'shop.test/login'],
    ['pkg:npm/left-pad', false, 'pkg:npm/left-pad'],
    ['', false, ''],
  ];
  for (const [uri, absolute, path] of cases) assert.deepEqual(readUri(uri), { absolute, path }, uri);
});
