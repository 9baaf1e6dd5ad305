import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '../../../../test/properties.ts';
import { UnreadableFile } from './dependency-file.ts';
import { kindOf } from './dependency-file-kinds.ts';

/** The packages and requirements of a file: `name version line` and `name range line ?`. */
function saidIn(path: string, text: string): string[] {
  const { packages, requirements } = kindOf(path)!.read(text);
  return [
    ...packages.map(
      ({ name, version, line, isDirect }) =>
        `${name} ${version} ${line}${isDirect === true ? ' direct' : ''}`,
    ),
    ...requirements.map(({ name, range, line }) => `${name} ${range} ${line} ?`),
  ];
}

const json = (value: unknown) => JSON.stringify(value, null, 2);

test('lock files of npm are parsed in all versions, including nested packages and aliases', () => {
  const v3 = json({
    lockfileVersion: 3,
    packages: {
      '': { dependencies: { a: '^1' } },
      'node_modules/a': { version: '1.0.0' },
      'node_modules/a/node_modules/@s/b': { version: '2.0.0' },
      'node_modules/alias': { name: 'real', version: '3.0.0' },
      'node_modules/own': { link: true, resolved: 'own' },
    },
  });
  assert.deepEqual(saidIn('package-lock.json', v3), ['a 1.0.0 9 direct', '@s/b 2.0.0 12', 'real 3.0.0 15']);
  const v1 = json({
    lockfileVersion: 1,
    dependencies: { a: { version: '1.0.0', dependencies: { b: { version: '2.0.0' } } } },
  });
  assert.deepEqual(saidIn('x/npm-shrinkwrap.json', v1), ['a 1.0.0 4', 'b 2.0.0 7']);
});

test('lock files of Yarn 1 and of later versions are parsed', () => {
  const classic =
    '# yarn lockfile v1\n\n\n"@s/a@^1.0.0", "@s/a@^1.1.0":\n  version "1.2.0"\n  resolved "https://registry.yarnpkg.com/@s/a/-/a-1.2.0.tgz#0123456789012345678901234567890123456789"\n  dependencies:\n    b "^2.0.0"\n\nb@^2.0.0:\n  version "2.1.0"\n';
  assert.deepEqual(saidIn('yarn.lock', classic), ['@s/a 1.2.0 4', 'b 2.1.0 10']);
  const berry =
    '__metadata:\n  version: 8\n\n"a@npm:^1.0.0, a@npm:^1.1.0":\n  version: 1.2.0\n  resolution: "a@npm:1.2.0"\n  checksum: 10/abc\n  languageName: node\n\n"shop@workspace:.":\n  version: 0.0.0-use.local\n  resolution: "shop@workspace:."\n  dependencies:\n    a: "npm:^1.0.0"\n';
  assert.deepEqual(saidIn('yarn.lock', berry), ['a 1.2.0 4']);
  assert.deepEqual([...kindOf('yarn.lock')!.read(berry).asked!.get('')!], [['a', '^1.0.0']]);
});

test('lock files of pnpm are parsed in all versions', () => {
  const v5 =
    'lockfileVersion: 5.4\n\nspecifiers:\n  a: ^1.0.0\n\ndependencies:\n  a: 1.2.0\n\npackages:\n\n  /@s/b/2.0.0_a@1.2.0:\n    resolution: {integrity: sha512-x}\n    requiresBuild: true\n\n  /a/1.2.0:\n    resolution: {integrity: sha512-x}\n';
  const v6 =
    "lockfileVersion: '6.0'\n\ndependencies:\n  a:\n    specifier: ^1.0.0\n    version: 1.2.0(c@1.0.0)\n\npackages:\n\n  /@s/b@2.0.0(a@1.2.0):\n    resolution: {integrity: sha512-x}\n\n  /a@1.2.0(c@1.0.0):\n    resolution: {integrity: sha512-x}\n";
  const v9 =
    "lockfileVersion: '9.0'\n\nimporters:\n\n  .:\n    dependencies:\n      a:\n        specifier: ^1.0.0\n        version: 1.2.0\n\npackages:\n\n  '@s/b@2.0.0':\n    resolution: {integrity: sha512-x}\n\n  a@1.2.0:\n    resolution: {integrity: sha512-x}\n\nsnapshots:\n\n  a@1.2.0: {}\n";
  assert.deepEqual(saidIn('pnpm-lock.yaml', v5), ['@s/b 2.0.0 11', 'a 1.2.0 15 direct']);
  assert.deepEqual(saidIn('pnpm-lock.yaml', v6), ['@s/b 2.0.0 10', 'a 1.2.0 13 direct']);
  assert.deepEqual(saidIn('pnpm-lock.yaml', v9), ['@s/b 2.0.0 13', 'a 1.2.0 16 direct']);
  const scripts = (more: string) =>
    kindOf('pnpm-lock.yaml')!.read(v5.replace('requiresBuild: true\n', `requiresBuild: true\n${more}`));
  assert.equal(scripts('').packages[0]!.runsScript, true);
  assert.equal(scripts('    optional: true\n').packages[0]!.runsScript, undefined, 'it has not seen them');
  for (const text of [v5, v6, v9])
    assert.deepEqual([...kindOf('pnpm-lock.yaml')!.read(text).asked!.get('')!], [['a', '^1.0.0']]);
});

test('manifests and lock files of Python are parsed', () => {
  const requirements =
    '# all\nDjango==4.2 ; python_version > "3"\nflask[async]>=2,<3  # web\n-r other.txt\nclick==8.1 \\\n    --hash=sha256:abc\n    # via flask\n';
  assert.deepEqual(saidIn('requirements/dev.txt', requirements), [
    'django 4.2 2 direct',
    'click 8.1 5',
    'flask >=2,<3 3 ?',
  ]);
  const short = '[project]\nname = "flask-shop"\ndependencies = ["click>=8", "flask"]\n';
  assert.deepEqual(saidIn('pyproject.toml', short), ['click >=8 3 ?', 'flask  3 ?']);
  const pyproject =
    '[project]\nname = "shop"\ndependencies = [\n  "Flask_Login>=1",\n  "requests",\n]\n[dependency-groups]\ndev = ["pytest==8.0", {include-group = "x"}]\n[tool.poetry.dependencies]\npython = "^3.11"\nnumpy = { version = "^2.0" }\n';
  assert.deepEqual(saidIn('pyproject.toml', pyproject), [
    'flask-login >=1 4 ?',
    'requests  5 ?',
    'pytest ==8.0 8 ?',
    'numpy ^2.0 11 ?',
  ]);
  const poetry =
    '# @generated\n[[package]]\nname = "Flask"\nversion = "2.0"\nfiles = [\n    {file = "x", hash = "sha256:a"},\n]\n\n[package.dependencies]\nclick = ">=8"\n\n[metadata]\nlock-version = "2.0"\n';
  assert.deepEqual(saidIn('poetry.lock', poetry), ['flask 2.0 3']);
  const uv =
    'version = 1\n\n[[package]]\nname = "shop"\nsource = { virtual = "." }\n\n[package.metadata]\nrequires-dist = [{ name = "flask", specifier = ">=2" }]\n\n[[package]]\nname = "flask"\nversion = "2.0"\nsource = { registry = "https://pypi.org/simple" }\nsdist = { url = "x", hash = "sha256:a" }\n';
  assert.deepEqual(saidIn('uv.lock', uv), ['flask 2.0 11']);
  assert.deepEqual([...kindOf('uv.lock')!.read(uv).asked!.get('')!], [['flask', null]]);
  assert.deepEqual(
    saidIn('Pipfile', '[packages]\nflask = "*"\n[dev-packages]\npytest = {version = ">=8"}\n'),
    ['flask  2 ?', 'pytest >=8 4 ?'],
  );
  assert.deepEqual(saidIn('Pipfile.lock', json({ _meta: {}, default: { flask: { version: '==2.0' } } })), [
    'flask 2.0 4',
  ]);
});

test('files of Go, Rust, Java, Ruby, PHP and .NET, and workflows, are parsed', () => {
  assert.deepEqual(
    saidIn(
      'go.mod',
      'module example.com/shop // ours\n\ngo 1.22\n\nrequire github.com/a/b v1.2.3\n\nrequire (\n\tgolang.org/x/net v0.1.0 // indirect\n)\n',
    ),
    ['github.com/a/b v1.2.3 5 direct', 'golang.org/x/net v0.1.0 8'],
  );
  assert.deepEqual(
    [...kindOf('go.sum')!.read('a v1.0.0 h1:x=\na v1.0.0/go.mod h1:x=\n').answers!],
    ['a@v1.0.0'],
  );
  assert.deepEqual(
    saidIn(
      'Cargo.toml',
      '[package]\nname = "shop"\n[dependencies]\nserde = { version = "1", features = ["derive"] }\nown = { path = "../own" }\n[target."cfg(unix)".dependencies]\nlibc = "0.2"\n',
    ),
    ['serde 1 4 ?', 'libc 0.2 7 ?'],
  );
  assert.deepEqual(
    saidIn(
      'Cargo.lock',
      'version = 3\n\n[[package]]\nname = "shop"\nversion = "0.1.0"\ndependencies = [\n "serde",\n]\n\n[[package]]\nname = "serde"\nversion = "1.0.1"\nsource = "registry+https://github.com/rust-lang/crates.io-index"\nchecksum = "a"\n',
    ),
    ['serde 1.0.1 11'],
  );
  assert.deepEqual(
    saidIn(
      'pom.xml',
      '<project>\n<properties><v>2.0</v></properties>\n<dependencies><dependency>\n<groupId>a.b</groupId>\n<artifactId>c</artifactId>\n<version>$' +
        '{v}</version></dependency>\n<!-- <dependency/> -->\n<dependency><groupId>x</groupId><artifactId>y</artifactId></dependency></dependencies></project>',
    ),
    ['a.b:c 2.0 5 direct', 'x:y  8 ?'],
  );
  assert.deepEqual(saidIn('gradle.lockfile', '# comment\na.b:c:1.0=compileClasspath\nempty=\n'), [
    'a.b:c 1.0 2',
  ]);
  assert.deepEqual(
    saidIn(
      'Gemfile',
      "source 'https://rubygems.org'\ngem 'rails', '~> 7.0', '>= 7.0.1'\ngroup :test do\n  gem 'rspec'\nend\nif x\n  gem 'other'\nend\n",
    ),
    ['rails ~> 7.0, >= 7.0.1 2 ?', 'rspec  4 ?'],
  );
  assert.deepEqual(
    saidIn(
      'Gemfile.lock',
      'GEM\n  remote: https://rubygems.org/\n  specs:\n    nokogiri (1.16.0-x86_64-linux)\n      racc (~> 1.4)\n    racc (1.7.3)\n\nDEPENDENCIES\n  nokogiri (~> 1.16)\n\nBUNDLED WITH\n   2.5.0\n',
    ),
    ['nokogiri 1.16.0 4 direct', 'racc 1.7.3 6'],
  );
  assert.deepEqual(saidIn('composer.json', json({ require: { php: '>=8', 'a/b': '^1' } })), ['a/b ^1 4 ?']);
  assert.deepEqual(
    saidIn('composer.lock', json({ packages: [{ name: 'a/b', version: 'v1.2', license: ['MIT'] }] })),
    ['a/b v1.2 4'],
  );
  assert.deepEqual(
    saidIn(
      'src/a.csproj',
      '<Project>\n<ItemGroup>\n<PackageReference Include="A.B" Version="1.0.0" />\n<PackageReference Include="C"><Version>2.*</Version></PackageReference>\n</ItemGroup></Project>',
    ),
    ['A.B 1.0.0 3 direct', 'C 2.* 4 ?'],
  );
  assert.deepEqual(
    saidIn(
      'packages.lock.json',
      json({ version: 1, dependencies: { 'net8.0': { A: { type: 'Direct', resolved: '1.0' } } } }),
    ),
    ['A 1.0 5 direct'],
  );
  assert.deepEqual(
    saidIn(
      '.github/workflows/ci.yml',
      "steps:\n  - uses: actions/checkout@v4 # x\n  - name: y\n    uses: 'Other/thing/sub@0123456789012345678901234567890123456789'\n  - uses: ./own\n",
    ),
    ['actions/checkout v4 2 direct', 'other/thing/sub 0123456789012345678901234567890123456789 4 direct'],
  );
});

test('any file is either parsed or reported as unreadable', () => {
  const paths =
    'package.json package-lock.json yarn.lock pnpm-lock.yaml requirements.txt pyproject.toml poetry.lock uv.lock Pipfile Pipfile.lock go.mod go.sum Cargo.toml Cargo.lock pom.xml gradle.lockfile Gemfile Gemfile.lock composer.json composer.lock a.csproj packages.lock.json .github/workflows/a.yml'.split(
      ' ',
    );
  const piece = fc.constantFrom(
    '[[package]]\n',
    'name = "a"\n',
    'version = "1"\n',
    '{',
    '}',
    '"packages": ',
    '[',
    ']',
    '"',
    '\\',
    '\n',
    '  ',
    'a@^1:\n',
    '<dependency>',
    '</dependency>',
    '__proto__',
    ': ',
    ',',
    'lockfileVersion: 9\n',
    'packages:\n',
    '/a@1.0.0:',
    'require (',
    ')',
    'null',
    '1',
    '\u0000',
    'é',
  );
  const text = fc.oneof(
    fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join('')),
    fc.json(),
    fc.string(),
  );
  fc.assert(
    fc.property(fc.constantFrom(...paths), text, (path, given) => {
      try {
        kindOf(path)!.read(given);
      } catch (error) {
        assert.ok(error instanceof UnreadableFile, `${path}: ${(error as Error).stack}`);
      }
    }),
  );
});
