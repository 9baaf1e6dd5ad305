import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeOf, type Versions } from '../../../../test/change-of-versions.ts';
import { treeOfChange } from '../../change/tree-of-change.ts';
import { resolveConfiguration } from '../../configuration/review-configuration.ts';
import { ownerIn } from '../../repository/repository.ts';
import { dependencies } from './dependencies.ts';
import { licenceFits } from './licences.ts';
import { areAlike } from './look-alikes.ts';

const { signal } = new AbortController();
const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

async function compare(
  versions: Versions,
  licences: { allow?: string[]; deny?: string[] } = {},
  owner?: string,
) {
  const change = changeOf(versions);
  const sides = {
    change,
    base: treeOfChange(change, 'base'),
    head: treeOfChange(change, 'head'),
    hasRepository: false,
    owner,
  };
  const { reviews } = resolveConfiguration({ reviews: { dependencies: { licences } } });
  return dependencies.compare(sides, reviews, signal);
}

/** The findings about a change, as `rule path:line message`. */
async function raised(...given: Parameters<typeof compare>): Promise<string[]> {
  const { findings } = await compare(...given);
  return findings.map(
    ({ rule, path, startLine, body, severity }) =>
      `${rule} ${severity} ${path}:${startLine} ${body.split('. ')[0]}`,
  );
}

type Entries = Record<string, object>;
const lockOf = (packages: Entries, asked: Record<string, string> = {}) =>
  json({ lockfileVersion: 3, packages: { '': { dependencies: asked }, ...packages } });
const manifestOf = (asked: Record<string, string>) => json({ dependencies: asked });
const at = (version: string, more: object = {}) => ({
  version,
  resolved: `https://registry.npmjs.org/x/-/x-${version}.tgz`,
  integrity: 'sha512-x',
  ...more,
});

test('the report lists changed packages: direct ones first, with both versions', async () => {
  const before = {
    'node_modules/a': at('1.0.0'),
    'node_modules/b': at('2.0.0'),
    'node_modules/c': at('1.0.0'),
  };
  const after = {
    'node_modules/a': at('1.1.0', { license: 'MIT' }),
    'node_modules/b': at('1.9.0'),
    'node_modules/d': at('1.0.0'),
    'node_modules/d/node_modules/a': at('0.9.0'),
  };
  const { report, findings } = await compare({
    'package.json': [manifestOf({ a: '^1.0.0' }), manifestOf({ a: '^1.1.0' })],
    'package-lock.json': [lockOf(before, { a: '^1.0.0' }), lockOf(after, { a: '^1.1.0' })],
  });
  assert.deepEqual(findings, []);
  assert.deepEqual(report.dependencies![0], {
    ecosystem: 'npm',
    name: 'a',
    from: null,
    to: '1.1.0',
    kind: 'added',
    direct: true,
    manifest: 'package.json',
    licence: 'MIT',
    vulnerabilities: [],
  });
  assert.deepEqual(
    report.dependencies!.map(({ name, from, to, kind, direct }) => [name, from, to, kind, direct]),
    [
      ['a', null, '1.1.0', 'added', true],
      ['a', '1.0.0', '0.9.0', 'downgraded', false],
      ['b', '2.0.0', '1.9.0', 'downgraded', false],
      ['c', '1.0.0', null, 'removed', false],
      ['d', null, '1.0.0', 'added', false],
    ],
  );
});

test('a manifest whose lock file is not in the change is reported with its ranges', async () => {
  const { report } = await compare({
    'package.json': [manifestOf({ a: '^1.0.0', b: '1' }), manifestOf({ a: '^0.9.0', c: '*' })],
    'go.mod': ['module m\n\nrequire x.org/y v1.0.0\n', 'module m\n\nrequire x.org/y v1.2.0\n'],
  });
  assert.deepEqual(
    report.dependencies!.map(({ ecosystem, name, from, to, kind, manifest }) => [
      ecosystem,
      name,
      from,
      to,
      kind,
      manifest,
    ]),
    [
      ['npm', 'a', '^1.0.0', '^0.9.0', 'downgraded', 'package.json'],
      ['npm', 'b', '1', null, 'removed', 'package.json'],
      ['npm', 'c', null, '*', 'added', 'package.json'],
      ['Go', 'x.org/y', 'v1.0.0', 'v1.2.0', 'upgraded', 'go.mod'],
    ],
  );
});

test('a package that only the manifest has is reported with its range, although the lock file changed', async () => {
  const { report } = await compare({
    'package.json': [
      manifestOf({ a: '^1.0.0' }),
      manifestOf({ a: '^1.1.0', b: '^2.0.0', own: 'workspace:*', part: '1.0.0' }),
    ],
    'package-lock.json': [
      lockOf({ 'node_modules/a': at('1.0.0') }, { a: '^1.0.0', part: '1.0.0' }),
      lockOf({ 'node_modules/a': at('1.1.0') }, { a: '^1.1.0', part: '1.0.0' }),
    ],
    'web/package.json': [manifestOf({ a: '^1.0.0' }), manifestOf({ c: '1' })],
    'web/yarn.lock': [
      'a@^1.0.0:\n  version "1.0.0"\n',
      'a@^1.0.0:\n  version "1.0.0"\n\nd@^1:\n  version "1.2.0"\n',
    ],
  });
  assert.deepEqual(
    report.dependencies!.map(({ name, from, to, kind, manifest }) => [name, from, to, kind, manifest]),
    [
      ['a', '1.0.0', '1.1.0', 'upgraded', 'package.json'],
      ['b', null, '^2.0.0', 'added', 'package.json'],
      ['c', null, '1', 'added', 'web/package.json'],
      ['d', null, '1.2.0', 'added', 'web/yarn.lock'],
    ],
  );
});

test('at most 500 are listed, and all are counted', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 700 }, (_, index) => [`node_modules/p${index}`, at('1.0.0')]),
  );
  const { report } = await compare({ 'package-lock.json': [lockOf({}), lockOf(many)] });
  assert.deepEqual([report.dependencies!.length, report.total_dependencies], [500, 700]);
});

test('a mismatch of a manifest and its lock file is raised once, in the manifest', async () => {
  const lock = lockOf({ 'node_modules/a': at('1.0.0') }, { a: '^1.0.0' });
  const manifest = manifestOf({ a: '^1.0.0' });
  assert.deepEqual(
    await raised({
      'package.json': [manifest, manifestOf({ a: '^2.0.0', b: '1' })],
      'package-lock.json': [lock, `${lock}\n`],
    }),
    [
      'dependencies/out-of-step major package.json:3 `package-lock.json`: it was created for `a` `^1.0.0`, not `^2.0.0`.',
      'dependencies/out-of-step major package.json:4 `package-lock.json`: it does not contain `b`, which is required.',
    ].map((each) => each.slice(0, -1)),
  );
  const stale = lockOf({ 'node_modules/a': at('1.0.0') }, { a: '^1.0.0', gone: '1' });
  assert.deepEqual(
    await raised({ 'package.json': [manifest, `${manifest} `], 'package-lock.json': [lock, stale] }),
    [
      'dependencies/out-of-step major package.json:null `package-lock.json`: it contains `gone`, which is no longer required',
    ],
  );
  const asking = manifestOf({ a: '^1.0.0', gone: '1' });
  const { findings } = await compare({
    'package.json': [asking, manifest],
    'package-lock.json': [stale, `${stale} `],
  });
  assert.deepEqual(
    findings.map(({ rule, path, side, startLine }) => [rule, path, side, startLine]),
    [['dependencies/out-of-step', 'package.json', 'old', 4]],
    'where the change took it away',
  );
  assert.deepEqual(
    await raised({ 'package.json': [manifest, `${manifest} `], 'package-lock.json': [stale, `${stale} `] }),
    [],
    'it was so before',
  );
});

test('mismatches in Go, Cargo, Poetry and others are found', async () => {
  const go = (version: string) => `module m\n\nrequire x.org/y ${version}\n`;
  assert.deepEqual(
    await raised({
      'go.mod': [go('v1.0.0'), go('v1.1.0')],
      'go.sum': ['x.org/y v1.0.0 h1:a=\n', 'x.org/y v1.0.0 h1:a=\n\n'],
    }),
    ['dependencies/out-of-step major go.mod:3 `go.sum`: it has no checksum for `x.org/y` v1.1.0'],
  );
  const partOf = (version: string) =>
    `module x.org/z/part\n\nrequire (\n  x.org/z ${version}\n  a.b/c v1.0.0\n)\n`;
  assert.deepEqual(
    await raised({
      'go.mod': ['module x.org/z\n', 'module x.org/z\n\n'],
      'part/go.mod': [partOf('v1.0.0'), partOf('v1.1.0')],
      'part/go.sum': ['a.b/c v1.0.0 h1:a=\n', '\n'],
    }),
    ['dependencies/out-of-step major part/go.mod:5 `part/go.sum`: it has no checksum for `a.b/c` v1.0.0'],
    'modules of the repository need no checksum',
  );
  const cargoLock =
    '[[package]]\nname = "serde"\nversion = "1.0.1"\nsource = "registry+https://github.com/rust-lang/crates.io-index"\nchecksum = "a"\n';
  const cargo = (range: string) => `[dependencies]\nserde = "${range}"\n`;
  assert.deepEqual(
    await raised({ 'Cargo.toml': [cargo('1.0'), cargo('2.0')], 'Cargo.lock': [cargoLock, `${cargoLock}\n`] }),
    ['dependencies/out-of-step major Cargo.toml:2 `Cargo.lock`: it contains `serde` 1.0.1, not `2.0`'],
  );
  const poetry = (names: string) => `[tool.poetry.dependencies]\npython = "^3.11"\n${names}`;
  const poetryLock = '[[package]]\nname = "flask"\nversion = "2.0"\n';
  assert.deepEqual(
    await raised({
      'pyproject.toml': [poetry('flask = "^2"\n'), poetry('flask = "^2"\nclick = "*"\n')],
      'poetry.lock': [poetryLock, `${poetryLock}\n`],
    }),
    [
      'dependencies/out-of-step major pyproject.toml:4 `poetry.lock`: it does not contain `click`, which is required',
    ],
  );
});

test('mismatches of a .NET project and its lock file are found, except for requirements of some builds or of imported files', async () => {
  const project = (...lines: string[]) =>
    ['<Project>', '<ItemGroup>', ...lines, '</ItemGroup>', '</Project>', ''].join('\n');
  const of = (name: string, more = '') => `<PackageReference Include="${name}" Version="1.0.0"${more} />`;
  const locked = { A: { type: 'Direct', requested: '[1.0.0, )', resolved: '1.0.0', contentHash: 'x' } };
  const lock = JSON.stringify({ version: 1, dependencies: { 'net8.0': { ...locked, Imported: locked.A } } });
  const change = (...lines: string[]): Versions => ({
    'a/a.csproj': [project(of('a')), project(of('a'), ...lines)],
    'a/packages.lock.json': [lock, `${lock}\n`],
  });
  assert.deepEqual(await raised(change(of('Serilog'))), [
    'dependencies/out-of-step major a/a.csproj:4 `a/packages.lock.json`: it does not contain `Serilog`, which is required',
  ]);
  const inSomeBuilds = [
    of('Serilog', ' Condition="$(X)"'),
    '</ItemGroup>',
    '<ItemGroup Condition="$(X)">',
    of('Other'),
    '<PackageReference Update="Third" Version="2.0.0" />',
  ];
  assert.deepEqual(await raised(change(...inSomeBuilds)), []);
  const two = { ...change(of('Serilog')), 'a/b.csproj': [null, project(of('Serilog'))] } satisfies Versions;
  assert.deepEqual(await raised(two), [], 'which of them it is for, nobody can tell');
});

test('a package that comes from another host, or has lost its checksum, is critical; aliases of a registry are one host', async () => {
  const before = { 'node_modules/a': at('1.0.0'), 'node_modules/b': at('1.0.0') };
  const from = (host: string) => ({ ...at('1.0.1'), resolved: `https://${host}/a/-/a-1.0.1.tgz` });
  const of = (a: object) =>
    ({ 'package-lock.json': [lockOf(before), lockOf({ ...before, 'node_modules/a': a })] }) as Versions;
  assert.deepEqual(await raised(of(from('evil.example'))), [
    'dependencies/source-changed critical package-lock.json:7 `a` is now fetched from evil.example instead of registry.npmjs.org',
  ]);
  assert.deepEqual(await raised(of({ ...at('1.0.0'), integrity: undefined })), [
    'dependencies/source-changed critical package-lock.json:7 `a` no longer has a checksum',
  ]);
  assert.deepEqual(await raised(of(from('registry.yarnpkg.com'))), []);
});

test('a Go module that another one replaces has another source, even on the same host', async () => {
  const go = 'module m\n\nrequire h.org/a/b v1.0.0\n';
  const by = (replaced: string) => raised({ 'go.mod': [go, `${go}\nreplace h.org/a/b => ${replaced}\n`] });
  assert.deepEqual(await by('h.org/c/b v1.0.0'), [
    'dependencies/source-changed critical go.mod:3 `h.org/a/b` is now fetched from h.org/c/b instead of h.org',
  ]);
  assert.deepEqual(await by('h.org/a/b v1.0.1'), []);
  assert.deepEqual(await by('../b'), []);
});

test('versions in lock files of Bundler and Composer match the required ranges', async () => {
  const gems = 'GEM\n  remote: https://rubygems.org/\n  specs:\n    rails (6.1.0)\n\nDEPENDENCIES\n  rails\n';
  const gemfile = (range: string) => `gem "rails", "${range}"\n`;
  assert.deepEqual(
    await raised({
      Gemfile: [gemfile('~> 6.0'), gemfile('~> 7.0')],
      'Gemfile.lock': [gems, `${gems}\n`],
    }),
    ['dependencies/out-of-step major Gemfile:1 `Gemfile.lock`: it contains `rails` 6.1.0, not `~> 7.0`'],
  );
  const composer = (range: string) => JSON.stringify({ require: { 'a/b': range } });
  const lock = JSON.stringify({ packages: [{ name: 'a/b', version: '2.1.0' }] });
  assert.deepEqual(
    await raised({
      'composer.json': [composer('^2.0'), composer('^3.0')],
      'composer.lock': [lock, `${lock}\n`],
    }),
    ['dependencies/out-of-step major composer.json:1 `composer.lock`: it contains `a/b` 2.1.0, not `^3.0`'],
  );
});

test('added packages that run a script are raised, existing ones are not', async () => {
  const script = { hasInstallScript: true };
  const before = { 'node_modules/old': at('1.0.0', script) };
  const after = {
    'node_modules/old': at('1.0.1', script),
    'node_modules/new': at('1.0.0', script),
    'node_modules/calm': at('1.0.0'),
  };
  assert.deepEqual(await raised({ 'package-lock.json': [lockOf(before), lockOf(after)] }), [
    'dependencies/install-script minor package-lock.json:13 According to the lock file, `new` runs a script when it is installed',
  ]);
});

test('an added name that is similar to another one is raised in the manifest', async () => {
  assert.deepEqual(
    await raised({
      'package.json': [manifestOf({ express: '4' }), manifestOf({ express: '4', expresss: '1', zod: '4' })],
    }),
    ['dependencies/look-alike major package.json:4 `expresss` looks like `express`'],
  );
  for (const [a, b] of [
    ['lodash', 'lodahs'],
    ['mysql', 'mysql2'],
    ['@babel/core', '@babel/cora'],
    ['react', 'preact'],
    ['grequests', 'requests'],
    ['recharts', 'echarts'],
    ['abcd', 'abce'],
  ] as const)
    assert.equal(areAlike('npm', a, b), false, `${a} ${b}`);
  for (const [a, b] of [
    ['cross-env', 'crossenv'],
    ['cross-env', 'cross_env'],
    ['express', 'expres'],
    ['axios', 'axiom'],
  ] as const)
    assert.equal(areAlike('npm', a, b), true, `${a} ${b}`);
});

test('licences that the configuration does not accept are raised, and unknown ones are noted', async () => {
  const after = {
    'node_modules/a': at('1.0.0', { license: 'MIT' }),
    'node_modules/b': at('1.0.0', { license: 'GPL-3.0-only' }),
    'node_modules/c': at('1.0.0'),
  };
  const versions: Versions = { 'package-lock.json': [lockOf({}), lockOf(after)] };
  assert.deepEqual(await raised(versions), []);
  for (const licences of [{ allow: ['MIT'] }, { deny: ['GPL-3.0'] }])
    assert.deepEqual(await raised(versions, licences), [
      'dependencies/licence major package-lock.json:13 `b` is licensed under GPL-3.0-only',
    ]);
  assert.deepEqual((await compare(versions, { allow: ['MIT'] })).notes, ['The licence of `c` is unknown']);
  const allow = { allow: ['MIT', 'Apache-2.0'], deny: [] };
  const expressions: [string, boolean | null][] = [
    ['(MIT OR GPL-2.0)', true],
    ['MIT AND GPL-2.0', false],
    ['Apache-2.0 WITH LLVM-exception', true],
    ['mit', true],
    ['SEE LICENSE IN x', null],
    ['(MIT', null],
    ['', null],
  ];
  for (const [licence, expected] of expressions) assert.equal(licenceFits(licence, allow), expected, licence);
});

test('an added third-party action must be pinned to a commit', async () => {
  const uses = (...names: string[]) => `steps:\n${names.map((name) => `  - uses: ${name}\n`).join('')}`;
  const pinned = `other/pinned@${'a'.repeat(40)}`;
  assert.deepEqual(
    await raised({
      '.github/workflows/ci.yml': [
        uses('old/one@v1'),
        uses('old/one@v2', 'actions/checkout@v4', 'github/codeql@v3', pinned, 'new/one@v1'),
      ],
    }),
    ['dependencies/unpinned-action minor .github/workflows/ci.yml:6 `new/one@v1` refers to a tag or branch'],
  );
  const added = { '.github/workflows/ci.yml': [null, uses('New/one@v1', 'newer/one@v1')] } as const;
  assert.equal((await raised(added, {}, 'new')).length, 1, 'what its owner publishes is not foreign');
  assert.equal((await raised(added)).length, 2);
});

test('the owner of a working copy follows from the URL of its remote', () => {
  const owners = {
    'https://github.com/Acme/app.git': 'Acme',
    'git@github.com:acme/app': 'acme',
    'ssh://git@host:22/group/inner/app.git': 'group',
    '/srv/git/app.git': undefined,
    '': undefined,
  };
  for (const [address, owner] of Object.entries(owners)) assert.equal(ownerIn(address), owner, address);
});

test('a lock file of 50 MB is noted, and the other files are compared', async () => {
  const change = changeOf({
    'go.mod': ['module m\n', 'module m\nrequire x.org/y v1.0.0\n'],
    'yarn.lock': ['a\n', 'b\n'],
  });
  const limited = (side: 'base' | 'head') => {
    const tree = treeOfChange(change, side);
    const read: typeof tree.read = async (path, max) =>
      path === 'yarn.lock' && max! < 50_000_000 ? undefined : tree.read(path, max);
    return { ...tree, read };
  };
  const sides = { change, base: limited('base'), head: limited('head'), hasRepository: true };
  const { unread, notes, report } = await dependencies.compare(
    sides,
    resolveConfiguration({}).reviews,
    signal,
  );
  assert.deepEqual(unread, [{ path: 'yarn.lock', reason: 'too_large' }]);
  assert.deepEqual(notes, ['yarn.lock was not read: it is larger than 24 MiB, or not text']);
  assert.equal(report.total_dependencies, 1);
});

test('files that cannot be parsed are noted, and the other files are compared', async () => {
  const { unread, notes, report } = await compare({
    'Cargo.toml': ['[dependencies]\n', '[dependencies\n'],
    'package-lock.json': [
      '{}',
      '{"lockfileVersion":3,"packages":{"node_modules/a":{"version":"not a version"},"node_modules/b":{"version":7}}}',
    ],
    'yarn.lock': ['', '<<<<<<< ours\n'],
    'go.mod': ['module m\n', 'module m\nrequire x.org/y v1.0.0\n'],
  });
  assert.deepEqual(
    unread.map(({ path, reason }) => [path, reason]),
    [
      ['Cargo.toml', 'rule_failed'],
      ['package-lock.json', 'rule_failed'],
      ['yarn.lock', 'rule_failed'],
    ],
  );
  assert.match(
    notes.join('\n'),
    /Cargo\.toml was not read: it is not valid TOML .*\npackage-lock\.json was not read: it has neither packages nor a version\nyarn\.lock was not read: it has conflict markers/,
  );
  assert.deepEqual(
    report.dependencies!.map(({ name }) => name),
    ['x.org/y'],
  );
});
