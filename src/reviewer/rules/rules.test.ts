import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAstGrepRules } from '../configuration/read-ast-grep-rules.ts';
import type { RuleSource, SourceText } from '../rule-source.ts';
import { actionlint } from './actionlint/actionlint.ts';
import { astGrepRules } from './ast-grep/ast-grep.ts';
import { oxlint } from './oxlint/oxlint.ts';
import { ruff } from './ruff/ruff.ts';
import { secrets } from './secrets/secrets.ts';
import { shellRules } from './shell/shell.ts';
import { checkShell } from './shell/shell-checks.ts';

const { signal } = new AbortController();

/** The findings of a source about one text, as `line rule`. */
async function saidOf(source: RuleSource, path: string, ...lines: string[]): Promise<string[]> {
  const [found] = await source.find([{ path, text: `${lines.join('\n')}\n` }], signal);
  return found!.map(({ startLine, rule }) => `${startLine} ${rule}`).sort();
}

test('oxlint finds faults in JavaScript and TypeScript, only by the rules of our table', async () => {
  const code = [
    "import { unused } from './other.ts';",
    'export function f(x: number): number {',
    '  if (x = 3) { debugger; }',
    '  try { return 1; } finally { return 2; }',
    '}',
  ];
  assert.deepEqual(await saidOf(oxlint, 'src/ä b.ts', ...code), [
    '1 oxlint/no-unused-vars',
    '3 oxlint/no-cond-assign',
    '3 oxlint/no-debugger',
    '4 oxlint/no-unsafe-finally',
  ]);
  assert.deepEqual(await saidOf(oxlint, 'x.js', 'function ( {'), ['1 oxlint/syntax']);
  assert.deepEqual(await saidOf(oxlint, 'ok.tsx', 'export const a = <b>{1}</b>;'), []);
});

test('a self-comparison that tests for NaN is meant, and so is an assignment of the result of a call in a condition', async () => {
  const lines = [
    'export function last(pattern, text, a, b) {',
    '  let found;',
    '  let kept = null;',
    '  while (found = pattern.exec(text)) kept = found;',
    '  if (found = text.match(pattern)) kept = found;',
    "  /* ä */ if (kept = null) text.write('nothing');",
    '  if (kept = b) return a.b === a.b;',
    '  return a !== a ? kept : b;',
    '}',
  ];
  assert.deepEqual(await saidOf(oxlint, 'a.js', ...lines), [
    '6 oxlint/no-cond-assign',
    '7 oxlint/no-cond-assign',
    '7 oxlint/no-self-compare',
  ]);
});

test('a chain over several lines is meant, and so is an import that documentation links to', async () => {
  const chain = [
    'export const a = (b, c) => {',
    '  const d = b',
    '    [c].map(String);',
    '  b.one',
    '  (c);',
    '  return b',
    '    .two',
    '    (d);',
    '};',
  ];
  assert.deepEqual(await saidOf(oxlint, 'a.js', ...chain), ['5 oxlint/no-unexpected-multiline']);
  const linked = [
    "import type { Cart } from './cart.ts';",
    '/** Fills a {@link Cart}. */',
    'export const fill = 1;',
  ];
  assert.deepEqual(await saidOf(oxlint, 'a.ts', ...linked), []);
  assert.deepEqual(await saidOf(oxlint, 'a.ts', ...linked.with(1, '// Fills a Cart.')), [
    '1 oxlint/no-unused-vars',
  ]);
});

test('the unused names of one line are one finding; declarations and constants that a build fills in are no fault', async () => {
  const code = "import { One, Two, used } from './other.ts';\nused();\nconst three = 3;\n";
  const [found] = await oxlint.find([{ path: 'a.ts', text: code }], signal);
  assert.deepEqual(
    found!.map(({ startLine, body }) => [startLine, body]),
    [
      [1, 'Never used: `One`, `Two`. Remove it, or add the code that was meant to use it.'],
      [
        3,
        'Variable `three` is declared but never used. Remove it, or add the code that was meant to use it.',
      ],
    ],
  );
  const [python] = await ruff.find(
    [{ path: 'a.py', text: 'from b import one, two, used\nused()\n' }],
    signal,
  );
  assert.deepEqual(
    python!.map(({ startLine, body }) => [startLine, body]),
    [[1, 'Never used: `b.one`, `b.two`. Remove it, or add the code that was meant to use it.']],
  );
  assert.deepEqual(await saidOf(oxlint, 'a.d.ts', 'interface Window { a: 1 }'), []);
  const declared = ['export declare namespace box {', '  /** All. */', '  let all: string;', '}', 'let own;'];
  assert.deepEqual(await saidOf(oxlint, 'src/a.ts', ...declared), ['5 oxlint/no-unused-vars']);
  const page = ['function onClick() {', '  const unused = 1;', '}'];
  assert.deepEqual(await saidOf(oxlint, 'page.js', ...page), ['2 oxlint/no-unused-vars']);
  assert.deepEqual(await saidOf(oxlint, 'module.js', ...page, 'export {};'), [
    '1 oxlint/no-unused-vars',
    '2 oxlint/no-unused-vars',
  ]);
  assert.deepEqual(await saidOf(oxlint, 'a.js', "export const b = a || '__HOST__' || c;"), []);
  assert.deepEqual(await saidOf(oxlint, 'a.js', "export const b = a || 'host' || c;"), [
    '1 oxlint/no-constant-binary-expression',
  ]);
});

/** The suggestions of a source for one text, by the first line that each replaces. */
async function proposedBy(source: RuleSource, path: string, ...lines: string[]) {
  const [found] = await source.find([{ path, text: `${lines.join('\n')}\n` }], signal);
  return Object.fromEntries(found!.map(({ startLine, suggestion }) => [startLine, suggestion]));
}

test('in a test, a chain that may throw is no fault: the test then fails as it should', async () => {
  const line = "expect((loaded?.config as Record<string, unknown>)['sync']).toBe(1);";
  assert.deepEqual(await saidOf(oxlint, 'src/config.test.ts', line), []);
  assert.deepEqual(await saidOf(oxlint, 'src/config.ts', line), ['1 oxlint/no-unsafe-optional-chaining']);
});

test('safe fixes of the linters become suggestions for the lines of the finding, and no others', async () => {
  const python = [
    'import os',
    'import sys, re',
    'def f(a):',
    '    if a is "ä": return sys.argv',
    '    x = 1',
    '    return "%(a)s" % {"a": 1, "b": 2}',
  ];
  assert.deepEqual(await proposedBy(ruff, 'app/main.py', ...python), {
    1: null,
    2: 'import sys',
    4: '    if a == "ä": return sys.argv',
    5: null,
    6: '    return "%(a)s" % {"a": 1, }',
  });
  const code = [
    'export const isBad = (a: number) => a === NaN;',
    'export const isKey = (key: string) => !key in {};',
    'export const isBoth = (a: number, key: string) => a === NaN || !key in {};',
    'debugger;',
    'export const isOdd = (a: number, b: string) => a === NaN || isNaN(Number(b)) || isNaN(a);',
  ];
  assert.deepEqual(await proposedBy(oxlint, 'src/a.ts', ...code), {
    1: 'export const isBad = (a: number) => Number.isNaN(a);',
    2: 'export const isKey = (key: string) => !(key in {});',
    3: null,
    4: null,
    5: null,
  });
});

test('configuration, plug-ins and comments of the repository do not become code that runs', async () => {
  const files: SourceText[] = [
    { path: '.oxlintrc.json', text: '{"jsPlugins":["./evil.js"],"rules":{"no-debugger":"off"}}' },
    { path: 'evil.js', text: 'require("fs").writeFileSync("/tmp/postil-evil", "x");\ndebugger;\n' },
  ];
  const found = await oxlint.find(
    files.filter(({ path }) => oxlint.covers(path)),
    signal,
  );
  assert.deepEqual(
    found.map((list) => list.map(({ rule }) => rule)),
    [['oxlint/no-debugger']],
  );
});

test('ruff finds faults in Python, and lets packages re-export imports', async () => {
  const code = ['import os', 'def f(x=[]):', '  print(undefined)', '  return "%s %s" % (1,)'];
  assert.deepEqual(await saidOf(ruff, 'a.py', ...code), [
    '1 ruff/F401',
    '2 ruff/B006',
    '3 ruff/F821',
    '4 ruff/F507',
  ]);
  for (const path of ['pkg/__init__.py', 'alembic/versions/1_users.py'])
    assert.deepEqual(await saidOf(ruff, path, 'from .a import b'), []);
  const hidden = ['import extensions', 'def f(extensions):', '  return extensions'];
  assert.deepEqual(await saidOf(ruff, 'c.py', ...hidden), ['1 ruff/F401']);
  assert.deepEqual(await saidOf(ruff, 'b.py', 'def f(:', '  pass'), ['1 ruff/invalid-syntax']);
});

test('actionlint finds injections and broken references, and reports nothing that may be newer than itself', async () => {
  const workflow = [
    'on: { merge_group: {}, push: {} }',
    'jobs:',
    '  a:',
    '    runs-on: ubuntu-99.04',
    '    needs: [missing]',
    '    permissions: { attestations: write }',
    '    steps:',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: an expression of GitHub
    '      - run: echo ${{ github.event.issue.title }} ${{ vars.NAME }}',
  ];
  const path = '.github/workflows/ci.yml';
  assert.deepEqual(await saidOf(actionlint, path, ...workflow), [
    '3 actionlint/job-needs',
    '8 actionlint/untrusted-input',
  ]);
  const daily = ['on:', '  schedule:', "    - cron: '0 8 * * 1-5'", '      timezone: Europe/Berlin'];
  const job = ['jobs:', '  a:', '    runs-on: ubuntu-latest', '    steps:', '      - run: make'];
  assert.deepEqual(await saidOf(actionlint, path, ...daily, ...job), []);
  assert.ok(actionlint.covers(path) && !actionlint.covers('ci.yml'));
});

test('actionlint finds nothing in a workflow that is not valid YAML', async () => {
  assert.deepEqual(await saidOf(actionlint, '.github/workflows/ci.yml', 'on: push', 'jobs:', '  a: ['), []);
});

test('a workflow with very many expressions hides no injection', async () => {
  // biome-ignore-start lint/suspicious/noTemplateCurlyInString: expressions of GitHub
  const workflow = [
    'on: issues',
    'jobs:',
    '  a:',
    '    runs-on: ubuntu-latest',
    '    steps:',
    ...new Array<string>(20_000).fill('      - run: echo ${{ github.sha }}'),
    '      - run: |',
    '          true',
    '          echo "${{ github.sha }}" "${{ github.event.issue.title }}"',
    '        env: { TITLE: "${{ github.event.issue.title }}" }',
    '      - uses: actions/github-script@v7',
    '        with: { script: "f(`${{ github.head_ref }}`)" }',
  ];
  // biome-ignore-end lint/suspicious/noTemplateCurlyInString: expressions of GitHub
  assert.deepEqual(await saidOf(actionlint, '.github/workflows/ci.yml', ...workflow), [
    '20008 actionlint/untrusted-input',
    '20011 actionlint/untrusted-input',
  ]);
});

test('many workflows in a row are checked, and messages with quotes are parsed', async () => {
  const quoted = [
    'on: push',
    'jobs:',
    '  a:',
    '    runs-on: ubuntu-latest',
    '    needs: [missing]',
    '    strategy:',
    '      matrix:',
    '        settings: [{ build: \'npm i -g "a" && echo\' }]',
    '        exclude: [{ settings: { build: "x" } }]',
    '    steps: [{ run: "true" }]',
  ];
  const text = `${quoted.join('\n')}\n`;
  const files = Array.from({ length: 12 }, (_, index) => ({ path: `.github/workflows/${index}.yml`, text }));
  const found = await actionlint.find(files, signal);
  assert.deepEqual(
    found.map((list) => list.map(({ rule }) => rule)),
    files.map(() => ['actionlint/job-needs']),
  );
});

test('shell scripts are checked, with ShellCheck or without', async () => {
  const script = [
    '#!/bin/sh',
    'rm -rf "$DIR"/*',
    '[ "$a"="b" ] && echo',
    '# rm -rf $X/',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a parameter of the shell
    'rm -rf "${DIR:?}"/*',
    'chmod 777 /srv ',
  ];
  const found = ['2 shell/SC2115', '3 shell/SC2077', '6 shell/world-writable'];
  assert.deepEqual(await saidOf(shellRules('/nonexistent'), 'run.sh', ...script), found);
  assert.deepEqual(await saidOf(shellRules(process.env.PATH), 'run.sh', ...script), found);
  assert.deepEqual(
    checkShell('cat <<EOF\nrm -rf $X/\nEOF\nsort a > b\nsort a > a\n').map(({ line }) => line),
    [5],
  );
});

test('credentials are found and never repeated; placeholders and test data are not reported', async () => {
  const token = `ghp_${'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'}`;
  const [found] = await secrets.find([{ path: 'src/a.ts', text: `\nconst token = '${token}';\n` }], signal);
  assert.equal(found!.length, 1);
  assert.equal(found![0]!.severity, 'critical');
  assert.equal(found![0]!.startLine, 2);
  assert.ok(!JSON.stringify(found).includes(token));
  const harmless = [
    'password = "changeme"',
    'api_key = os.environ["API_KEY"]',
    'key = "AKIAIOSFODNN7EXAMPLE"',
    'url = "postgres://user:password@localhost/db"',
    'url = "postgres://app:Zk3v9Qp1xW7r@localhost:5432/db"',
    'url = "postgres://app:Zk3v9Qp1xW7r@db/app"',
    'url = "https://user:pa55@proxy.acme.com"',
  ];
  assert.deepEqual(await saidOf(secrets, 'src/settings.py', ...harmless), []);
  assert.deepEqual(await saidOf(secrets, 'tests/a.py', 'password = "Tr0ub4dor-9x!kQ"'), []);
});

test("the organization's rules apply to the files that they name, in five web languages, Python and Go", async () => {
  const { rules, faults } = readAstGrepRules(`
id: no-console
language: TypeScript
severity: error
message: No console here
note: Use the logger.
rule: { pattern: console.log($$$) }
ignores: ["scripts/**"]
metadata: { category: stability_and_availability }
---
id: no-print
language: py
message: No print
rule: { pattern: print($A) }
---
id: no-panic
language: go
message: No panic
rule: { pattern: panic($A) }
`);
  assert.deepEqual(faults, []);
  const source = astGrepRules(rules);
  assert.ok(!source.covers('scripts/a.ts') && !source.covers('a.rb'));
  const found = await source.find(
    [
      { path: 'a.ts', text: 'f();\nconsole.log(1, 2);\n' },
      { path: 'b.py', text: 'print(1)\n' },
      { path: 'c.go', text: 'package c\nfunc f() { panic("x") }\n' },
    ],
    signal,
  );
  assert.deepEqual(
    found.map((list) => list.map(({ rule, startLine, severity }) => [rule, startLine, severity])),
    [
      [['ast_grep/no-console', 2, 'major']],
      [['ast_grep/no-print', 1, 'minor']],
      [['ast_grep/no-panic', 2, 'minor']],
    ],
  );
  assert.equal(found[0]![0]!.category, 'stability_and_availability');
  assert.match(found[0]![0]!.body, /^Use the logger\.$/);
});

test('a rule of the organization that cannot be used is explained', () => {
  assert.match(
    readAstGrepRules('id: x\nlanguage: cobol\nrule: {}').faults.join(),
    /^line 2, column 11: language: must be one of/,
  );
  assert.match(readAstGrepRules('id: x').faults.join(), /language: is required/);
  assert.match(readAstGrepRules('a: [').faults.join(), /^line 1, column \d+: /);
  assert.match(readAstGrepRules('').faults.join(), /no rule/);
});
