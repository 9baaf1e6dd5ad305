import assert from 'node:assert/strict';
import { test } from 'node:test';
import { logOf, resultWith } from '../fixtures/logs.ts';
import { readSarif } from './read-sarif.ts';

function pathOf(artifactLocation: object, run: object = {}): string | undefined {
  const result = resultWith({ locations: [{ physicalLocation: { artifactLocation } }] });
  return readSarif(logOf([result], run))[0]?.filePath;
}

test('a URI relative to a base is resolved against the root that contains the base', () => {
  const originalUriBaseIds = {
    SRCROOT: { uri: 'file:///home/ci/shop/' },
    GENERATED: { uri: 'build/generated/', uriBaseId: 'SRCROOT' },
    LIBRARY: { uri: 'file:///home/ci/shop/lib/' },
    ELSEWHERE: { uri: 'file:///opt/sdk/' },
    UNKNOWN: { description: { text: 'unknown' } },
  };
  const cases: [string, string | undefined, string][] = [
    ['src/a.ts', 'SRCROOT', 'src/a.ts'],
    ['a.ts', 'GENERATED', 'build/generated/a.ts'],
    ['a.ts', 'LIBRARY', 'lib/a.ts'],
    ['include/a.h', 'ELSEWHERE', 'include/a.h'],
    ['a.ts', 'UNKNOWN', 'a.ts'],
    ['a.ts', 'NOT_LISTED', 'a.ts'],
    ['a.ts', 'constructor', 'a.ts'],
    ['a.ts', undefined, 'a.ts'],
    ['file:///home/ci/shop/src/a%20b.ts', undefined, 'src/a b.ts'],
    ['/home/ci/shop/src/a.ts', undefined, 'src/a.ts'],
    ['file:///home/ci/shopping/a.ts', undefined, '/home/ci/shopping/a.ts'],
    ['/home/ci/shopping/a.ts', undefined, '/home/ci/shopping/a.ts'],
    ['file:/opt/a.ts', undefined, '/opt/a.ts'],
    ['file://localhost/opt/a.ts', undefined, '/opt/a.ts'],
    ['file://share/a.ts', undefined, 'share/a.ts'],
    ['file:///c:/a.ts', undefined, 'C:/a.ts'],
    ['file:///C%3A/a.ts', undefined, 'C:/a.ts'],
    ['//share/a.ts', undefined, 'share/a.ts'],
    ['https://shop.test/login', undefined, 'shop.test/login'],
    ['../shopping/a.ts', 'SRCROOT', '(outside)/home/ci/shopping/a.ts'],
    ['/src/a.ts', 'SRCROOT', 'src/a.ts'],
    ['../../../etc/passwd', 'SRCROOT', '(outside)/etc/passwd'],
    ['../../a.ts', 'GENERATED', 'a.ts'],
    ['../a.ts', 'UNKNOWN', '(outside)/a.ts'],
    ['../../etc/passwd', undefined, '(outside)/(outside)/etc/passwd'],
  ];
  for (const [uri, uriBaseId, path] of cases) {
    assert.equal(pathOf({ uri, uriBaseId }, { originalUriBaseIds }), path, `${uriBaseId} ${uri}`);
  }
});

test('Windows paths lose their root, too', () => {
  const originalUriBaseIds = { '%SRCROOT%': { uri: 'file:///D:/code/shop/' } };
  for (const uri of ['file:///d:/code/shop/src/a.cs', 'D:\\code\\shop\\src\\a.cs']) {
    assert.equal(pathOf({ uri }, { originalUriBaseIds }), 'src/a.cs', uri);
  }
});

test('the checkout takes precedence over other bases, and the working directory comes last', () => {
  const uri = 'file:///w/shop/src/a.ts';
  const originalUriBaseIds = { OUTER: { uri: 'file:///w/' }, REPO: { uri: 'file:///w/shop/' } };
  const versionControlProvenance = [
    { repositoryUri: 'https://git.test/shop', mappedTo: { uriBaseId: 'REPO' } },
  ];
  assert.equal(pathOf({ uri }, { originalUriBaseIds, versionControlProvenance }), 'src/a.ts');
  assert.equal(pathOf({ uri }, { originalUriBaseIds: { OUTER: { uri: 'file:///w/' } } }), 'shop/src/a.ts');
  const invocations = [{ executionSuccessful: true, workingDirectory: { uri: 'file:///w/shop' } }];
  assert.equal(pathOf({ uri }, { invocations }), 'src/a.ts');
});

test('circular bases terminate', () => {
  const originalUriBaseIds = { A: { uri: 'a/', uriBaseId: 'B' }, B: { uri: 'b/', uriBaseId: 'A' } };
  assert.equal(pathOf({ uri: 'x.ts', uriBaseId: 'A' }, { originalUriBaseIds }), 'b/a/x.ts');
});

test('an artifact is found by its index; without one the finding has no file', () => {
  const artifacts = [{ location: { uri: 'src/a.ts', uriBaseId: 'SRCROOT' } }];
  assert.equal(pathOf({ index: 0 }, { artifacts }), 'src/a.ts');
  assert.equal(pathOf({ index: 7 }, { artifacts }), '');
  assert.equal(pathOf({}, { artifacts }), '');
});

test('long paths stay distinct and bounded', () => {
  const long = 'd/'.repeat(5_000);
  const paths = [pathOf({ uri: `${long}a.ts` }), pathOf({ uri: `${long}b.ts` })];
  assert.notEqual(paths[0], paths[1]);
  assert.ok(paths.every((path) => path && path.length <= 2_048));
});
