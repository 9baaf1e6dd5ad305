import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { makeRepository } from '../../../test/git-repository.ts';
import type { ChangeSource } from '../change/change-source.ts';
import { resolveConfiguration } from '../configuration/review-configuration.ts';
import { partsOf } from '../process/part.ts';
import { workHere } from '../process/run-here.ts';
import { openRepository } from '../repository/repository.ts';
import { reviewChange } from '../review/review-change.ts';
import { ruff } from '../rules/ruff/ruff.ts';
import { secrets } from '../rules/secrets/secrets.ts';
import { findGenerated, readExceptions } from './exceptions.ts';

/** A repository with these settings in its base, and a change of them that must have no effect. */
async function changeIn(files: Record<string, string>, changed: Record<string, string> = {}) {
  const { folder, commit } = await makeRepository();
  const base = await commit(files);
  const head = await commit({ 'ruff.toml': '', 'changed.py': '', ...changed });
  const repository = await openRepository(folder, { searchPath: process.env.PATH });
  after(() => repository.close());
  const source: ChangeSource = { kind: 'commits', repository, base, head };
  return source;
}

/** Filters pairs of `path rule` for those that are turned off. */
async function silent(files: Record<string, string>, asked: readonly string[]): Promise<string[]> {
  const pairs = asked.map((pair) => pair.split(' ') as [string, string]);
  const paths = pairs.map(([path]) => path);
  const isSilenced = await readExceptions(await changeIn(files), paths);
  return pairs.filter(([path, rule]) => isSilenced(path, rule)).map((pair) => pair.join(' '));
}

test('rules that Ruff ignores are silent: by code and prefix, for all files or some, by the nearest settings', async () => {
  const files = {
    'pyproject.toml': `
[project]
name = "x"
[tool.ruff]
extend-exclude = ["legacy", "*_pb.py"]
[tool.ruff.lint]
ignore = ["F841", "PLE"]
[tool.ruff.lint.per-file-ignores]
"docs/**" = ["F401"]
"__init__.py" = ["F4"]
"!src/**" = ["B006"]
`,
    'own/ruff.toml': 'ignore = ["S324"]\n',
    'own/pyproject.toml': '[tool.ruff.lint]\nignore = ["ALL"]\n',
    'plain/pyproject.toml': '[project]\nname = "plain"\n',
    'broken/ruff.toml': 'ignore = [\n',
    'precise/ruff.toml': 'lint.ignore = ["F", "A", "E9"]\nlint.extend-select = ["F632"]\n',
  };
  const asked = [
    'a.py ruff/F841',
    'a.py ruff/PLE0101',
    'a.py ruff/F401',
    'a.py ruff/B006',
    'src/a.py ruff/B006',
    'docs/deep/a.py ruff/F401',
    'src/__init__.py ruff/F401',
    'src/__init__.py ruff/F841',
    'legacy/a.py ruff/F811',
    'src/legacy/a.py patterns/shell-command',
    'x_pb.py ruff/F811',
    'legacy/a.py secrets/github-token',
    'legacy/a.js oxlint/no-eval',
    'own/a.py ruff/S324',
    'own/a.py ruff/F841',
    'plain/a.py ruff/F841',
    'broken/a.py ruff/F841',
    'precise/a.py ruff/F841',
    'precise/a.py ruff/F632',
    'precise/a.py ruff/ASYNC210',
  ];
  assert.deepEqual(await silent(files, asked), [
    'a.py ruff/F841',
    'a.py ruff/PLE0101',
    'a.py ruff/B006',
    'docs/deep/a.py ruff/F401',
    'src/__init__.py ruff/F401',
    'src/__init__.py ruff/F841',
    'legacy/a.py ruff/F811',
    'src/legacy/a.py patterns/shell-command',
    'x_pb.py ruff/F811',
    'own/a.py ruff/S324',
    'plain/a.py ruff/F841',
    'precise/a.py ruff/F841',
  ]);
});

test('rules that ESLint and oxlint turn off are silent, unless the rule of a plugin replaces them', async () => {
  const files = {
    '.eslintrc.json': `{
      // as people write it
      "root": true,
      "ignorePatterns": ["generated/", "!generated/kept.js"],
      "rules": {
        "no-debugger": "off", "no-eval": ["off"], "react-hooks/rules-of-hooks": 0, "no-self-assign": "error",
        "no-unused-vars": "off", "@typescript-eslint/no-unused-vars": "error",
      },
      "overrides": [
        { "files": ["*.cjs"], "rules": { "no-self-assign": "off", "no-debugger": "warn" } },
        { "files": ["src/**/*.ts"], "excludedFiles": "*.d.ts", "rules": { "no-dupe-keys": "off" } },
      ],
    }`,
    'lib/.eslintrc.json': '{ "rules": { "no-debugger": "error" } }',
    'web/.oxlintrc.json': '{ "rules": { "jest/no-focused-tests": "allow" }, "ignorePatterns": ["*.gen.js"] }',
    'calm/.oxlintrc.json':
      '{ "categories": { "correctness": "off" }, "rules": { "no-const-assign": "warn" } }',
    'old/.eslintignore': '# nobody reads it\n/a.js\nsub/**\n',
    'faulty/.eslintrc.json': '{ "rules": process.exit() }',
  };
  const asked = [
    'a.js oxlint/no-debugger',
    'a.js oxlint/no-eval',
    'a.js patterns/code-from-text',
    'a.js dataflow/code-injection',
    'a.js oxlint/rules-of-hooks',
    'a.js oxlint/no-self-assign',
    'a.js oxlint/no-unused-vars',
    'a.cjs oxlint/no-self-assign',
    'a.cjs oxlint/no-debugger',
    'src/deep/a.ts oxlint/no-dupe-keys',
    'src/a.d.ts oxlint/no-dupe-keys',
    'generated/a.js oxlint/no-const-assign',
    'generated/a.js patterns/code-from-text',
    'generated/kept.js oxlint/no-const-assign',
    'generated/a.py ruff/F401',
    'lib/a.js oxlint/no-debugger',
    'lib/a.js oxlint/no-eval',
    'web/a.js oxlint/no-focused-tests',
    'web/a.gen.js oxlint/no-const-assign',
    'a.gen.js oxlint/no-const-assign',
    'old/a.js oxlint/no-const-assign',
    'old/deep/a.js oxlint/no-const-assign',
    'old/sub/a.js oxlint/no-const-assign',
    'faulty/a.js oxlint/no-const-assign',
    'calm/a.js oxlint/use-isnan',
    'calm/a.js oxlint/no-const-assign',
    'calm/a.js oxlint/no-self-compare',
  ];
  assert.deepEqual(await silent(files, asked), [
    'a.js oxlint/no-debugger',
    'a.js oxlint/no-eval',
    'a.js patterns/code-from-text',
    'a.js oxlint/rules-of-hooks',
    'a.cjs oxlint/no-self-assign',
    'src/deep/a.ts oxlint/no-dupe-keys',
    'generated/a.js oxlint/no-const-assign',
    'generated/a.js patterns/code-from-text',
    'generated/kept.js oxlint/no-const-assign',
    'lib/a.js oxlint/no-eval',
    'web/a.js oxlint/no-focused-tests',
    'web/a.gen.js oxlint/no-const-assign',
    'old/a.js oxlint/no-const-assign',
    'old/sub/a.js oxlint/no-const-assign',
    'calm/a.js oxlint/use-isnan',
  ]);
});

test('rules that .shellcheckrc turns off, one by one or as a range, are silent', async () => {
  const files = {
    '.shellcheckrc': 'disable=SC2050,SC2070 # why\n  disable=SC2100-SC2120\nenable=all\n',
    'all/.shellcheckrc': 'disable=all\n',
  };
  const asked = ['a.sh shell/SC2050', 'a.sh shell/SC2114', 'a.sh shell/SC2168', 'all/a.sh shell/SC2168'];
  assert.deepEqual(await silent(files, [...asked, 'all/a.sh shell/pipe-to-shell']), [
    'a.sh shell/SC2050',
    'a.sh shell/SC2114',
    'all/a.sh shell/SC2168',
  ]);
});

test('.gitattributes marks files as generated or vendored; the last line of the nearest file decides', async () => {
  const change = await changeIn({
    '.gitattributes':
      '*.lock.json linguist-generated\nsrc/gen/** text linguist-generated=true\nsrc/gen/own.ts -linguist-generated\n"with space/*" linguist-vendored\nfolder/ linguist-generated\n',
    'lib/.gitattributes': '*.js linguist-vendored\nmine.js linguist-vendored=false\n',
  });
  const paths = [
    'deep/x.lock.json',
    'src/gen/a/b.ts',
    'src/gen/own.ts',
    'with space/a.js',
    'folder/a.ts',
    'lib/a.js',
    'lib/mine.js',
    'a.js',
  ];
  assert.deepEqual(await findGenerated(change, paths), [
    'deep/x.lock.json',
    'src/gen/a/b.ts',
    'with space/a.js',
    'lib/a.js',
  ]);
});

test('a review is silent about what the base turned off, but not about credentials; the change itself can silence nothing', async () => {
  const token = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;
  const change = await changeIn(
    {
      'ruff.toml': '[lint.per-file-ignores]\n"quiet.py" = ["F632"]\n',
      '.gitattributes': 'made.py linguist-generated\n',
    },
    {
      'quiet.py': `x = 1\nif x is "a":\n    print(x)\nkey = "${token}"\n`,
      'loud.py': 'x = 1\nif x is "a":\n    print(x)\n',
      'made.py': `x = 1\nif x is "a":\n    print(x)\nkey = "${token}"\n`,
      'ruff.toml': 'lint.ignore = ["ALL"]\n',
      '.gitattributes': '*.py linguist-generated\n',
    },
  );
  const signal = AbortSignal.timeout(300_000);
  const processes = workHere(async () => [secrets, ruff]);
  const { findings, coverage } = await reviewChange({
    change,
    configuration: resolveConfiguration({}),
    own: { astGrepRules: [], searchPath: process.env.PATH },
    run: partsOf(processes, { group: 'test', signal }),
    signal,
  }).finally(() => processes.stop());
  assert.deepEqual(
    findings.map(({ path, source }) => `${path} ${source.name.replace(/secrets\/.*/, 'secrets')}`).sort(),
    ['loud.py ruff/F632', 'made.py secrets', 'quiet.py secrets'],
  );
  assert.deepEqual(
    coverage.find(({ path }) => path === 'made.py'),
    { path: 'made.py', state: 'partial', reason: 'generated' },
  );
});
