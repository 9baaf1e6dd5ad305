import assert from 'node:assert/strict';
import { test } from 'node:test';
import { covers, firstScanThatWouldShow, normalizeDirectories, type Unread } from './scan-coverage.ts';

test('directories are normalized, however they are written', () => {
  assert.deepEqual(
    normalizeDirectories(['./src/', 'src', '/src//', 'src\\', 'lib/./a/', 'lib/b/../a', '.']),
    ['src', 'lib/a', ''],
  );
});

test('a directory covers everything below it, by whole path segments', () => {
  const inside = ['src/a.ts', 'src/deep/b.ts', 'src'];
  const outside = ['src2/a.ts', 'lib/src/a.ts', 'sr', 'Src/a.ts', ''];
  for (const path of inside) assert.ok(covers(['lib/x', 'src'], path), path);
  for (const path of outside) assert.ok(!covers(['lib/x', 'src'], path), path);
});

test('the whole repository, or its root as a directory, covers every path and findings without a file', () => {
  for (const path of ['a.ts', 'src/a.ts', '']) {
    assert.ok(covers(null, path));
    assert.ok(covers([''], path));
  }
});

test('the first scan that would show a finding is the first that covers its file', () => {
  const scans = [
    { scannedAt: new Date(1), coverage: ['lib'], unread: [] },
    { scannedAt: new Date(2), coverage: ['src'], unread: [] },
    { scannedAt: new Date(3), coverage: null, unread: [] },
  ];
  const at = (filePath: string) => ({ ruleId: 'r', filePath });
  assert.deepEqual(firstScanThatWouldShow(scans, at('src/a.ts')), new Date(2));
  assert.deepEqual(firstScanThatWouldShow(scans, at('doc/a.md')), new Date(3));
  assert.equal(firstScanThatWouldShow(scans.slice(0, 1), at('src/a.ts')), null);
  assert.equal(firstScanThatWouldShow([], at('src/a.ts')), null);
});

test('a scan proves nothing about findings that an unreadable result may be about', () => {
  const scan = (unread: Unread[]) => [{ scannedAt: new Date(1), coverage: null, unread }];
  const finding = { ruleId: 'r', filePath: 'a.ts' };
  const cases: [Unread, boolean][] = [
    [{ ruleId: 'r', filePath: 'a.ts' }, false],
    [{ ruleId: null, filePath: 'a.ts' }, false],
    [{ ruleId: 'r', filePath: null }, false],
    [{ ruleId: null, filePath: null }, false],
    [{ ruleId: 'other', filePath: 'a.ts' }, true],
    [{ ruleId: 'r', filePath: 'b.ts' }, true],
  ];
  for (const [unread, isShown] of cases)
    assert.equal(firstScanThatWouldShow(scan([unread]), finding) !== null, isShown, JSON.stringify(unread));
});
