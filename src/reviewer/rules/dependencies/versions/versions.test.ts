import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Ecosystem } from '../../../review-report.ts';
import { satisfies } from './satisfies.ts';
import { compareVersions } from './versions.ts';

const ascending: readonly (readonly [Ecosystem, ...string[]])[] = [
  ['npm', '1.0.0-alpha.1', '1.0.0-alpha.2', '1.0.0', '1.0.10', '1.2.0'],
  ['PyPI', '1.0.dev1', '1.0a1', '1.0rc1', '1.0', '1.0.post1', '1.1', '1!0.1'],
  ['Go', 'v0.0.0-20200101000000-abcdefabcdef', 'v0.1.0', 'v2.0.0+incompatible', 'v2.0.1'],
  ['crates.io', '0.9.0', '1.0.0-rc.1', '1.0.0'],
  [
    'Maven',
    '1.0-alpha-1',
    '1.0-beta',
    '1.0-rc1',
    '1.0-SNAPSHOT',
    '1.0',
    '1.0-sp',
    '1.0.1',
    '1.1',
    '1.10',
    '2.0.0.RELEASE',
  ],
  ['RubyGems', '1.0.a', '1.0.b2', '1.0', '1.0.1', '1.1'],
  ['Packagist', 'v1.0.0-beta1', '1.0.0-RC1', 'v1.0.0', '1.0.1'],
  ['NuGet', '1.0.0-alpha', '1.0', '1.0.0.1', '1.2.0'],
  ['GitHub Actions', 'v3', 'v3.1', 'v4'],
];

test('versions are compared by the rules of their ecosystem', () => {
  for (const [ecosystem, ...versions] of ascending)
    for (const [index, version] of versions.entries())
      for (const [at, other] of versions.entries())
        assert.equal(
          Math.sign(compareVersions(ecosystem, version, other)!),
          Math.sign(index - at),
          `${ecosystem} ${version} ${other}`,
        );
  const equal: [Ecosystem, string, string][] = [
    ['Maven', '1.0', '1.0.0'],
    ['Maven', '1.0', '1.0.Final'],
    ['RubyGems', '1.0', '1.0.0'],
    ['PyPI', '1.0', '1.0.0'],
    ['NuGet', '1.0', '1.0.0.0'],
  ];
  for (const [ecosystem, a, b] of equal)
    assert.equal(compareVersions(ecosystem, a, b), 0, `${ecosystem} ${a} ${b}`);
});

test('texts that are no versions cannot be compared', () => {
  for (const [ecosystem] of ascending)
    for (const none of ['', 'main', '../..', '9'.repeat(5_000)])
      assert.equal(compareVersions(ecosystem, none, '1.0.0'), undefined, `${ecosystem} ${none.slice(0, 9)}`);
});

test('a version is in a range, or not, or it cannot be decided', () => {
  const cases: [Ecosystem, string, string, boolean | undefined][] = [
    ['crates.io', '1.4.0', '1.2', true],
    ['crates.io', '2.0.0', '1.2', false],
    ['crates.io', '0.2.9', '0.2', true],
    ['crates.io', '0.3.0', '^0.2.1', false],
    ['crates.io', '1.0.0-rc.1', '1', undefined],
    ['PyPI', '2.5', '>=2,<3', true],
    ['PyPI', '3.0', '>=2,<3', false],
    ['PyPI', '1.9', '^1.2', true],
    ['PyPI', '2.0', '^1.2', false],
    ['PyPI', '0.3', '^0.2.1', false],
    ['PyPI', '1.3', '~1.2', false],
    ['PyPI', '1.3', '>=1 || <3', undefined],
    ['RubyGems', '7.1.2', '~> 7.0', true],
    ['RubyGems', '6.1.0', '~> 7.0', false],
    ['RubyGems', '7.1.0', '~> 7.0.3', false],
    ['RubyGems', '7.0.4', '~> 7.0, >= 7.0.3, != 7.0.5', true],
    ['RubyGems', '7.0', '= 7.0.0', true],
    ['RubyGems', '7.0.0.rc1', '~> 7.0', undefined],
    ['Packagist', '2.1.0', '^3.0', false],
    ['Packagist', 'v3.4.0', '^3.0', true],
    ['Packagist', '2.1.0', '^3.0 || ~2.0', true],
    ['Packagist', '1.9.0', '~1.2', true],
    ['Packagist', '2.0.0', '>= 1.0 <2.0', false],
    ['Packagist', '0.3.0', '^0.2.1', false],
    ['Packagist', '1.2.0', '1.0 - 1.1', undefined],
    ['Packagist', 'dev-main', '^1.0', undefined],
    ['Packagist', '1.2.0', '1.3.*', undefined],
    ['Packagist', '1.2.0', '^1.3@dev', undefined],
  ];
  for (const [ecosystem, version, range, expected] of cases)
    assert.equal(satisfies(ecosystem, version, range), expected, `${ecosystem} ${version} ${range}`);
});
