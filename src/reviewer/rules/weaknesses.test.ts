import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeOf } from '../../../test/change-of-versions.ts';
import { reviewHere } from '../../../test/review-here.ts';
import { readAstGrepRules } from '../configuration/read-ast-grep-rules.ts';
import { resolveConfiguration } from '../configuration/review-configuration.ts';
import type { RuleSource } from '../rule-source.ts';
import { actionlint } from './actionlint/actionlint.ts';
import { astGrepRules } from './ast-grep/ast-grep.ts';
import { oxlint } from './oxlint/oxlint.ts';
import { patterns } from './patterns/patterns.ts';
import { ruff } from './ruff/ruff.ts';
import { secrets } from './secrets/secrets.ts';
import { shellRules } from './shell/shell.ts';
import { text } from './text/text.ts';

const { signal } = new AbortController();

/** The weaknesses that a source names in a text. */
async function weaknessesIn(source: RuleSource, path: string, code: string) {
  const [found] = await source.find([{ path, text: `${code}\n` }], signal);
  assert.ok(found!.every(({ confidence, related }) => confidence === 'proven' && related.length === 0));
  return [...new Set(found!.map(({ cwe }) => cwe))];
}

test('rules about a weakness name it, and all others name none', async () => {
  const workflow = [
    'on: issues',
    'jobs:',
    '  a:',
    '    runs-on: ubuntu-latest',
    '    steps:',
    '      - run: echo $' + '{{ github.event.issue.title }}',
  ].join('\n');
  const token = `ghp_${'aB3dE5gH7j'.repeat(4).slice(0, 36)}`;
  const cases: [RuleSource, string, string, string | null][] = [
    [secrets, 'a.ts', `const t = '${token}';`, 'CWE-798'],
    [text, 'a.rb', 'a = "\u202e"', 'CWE-1007'],
    [oxlint, 'a.js', 'eval(b);', 'CWE-95'],
    [oxlint, 'a.js', 'debugger;', null],
    [ruff, 'a.py', 'import requests\nrequests.get("https://a.example", verify=False)', 'CWE-295'],
    [patterns, 'a.js', 'eval(b);', 'CWE-95'],
    [patterns, 'a.js', 'db.query(`select a from b where c = $' + '{d}`);', 'CWE-89'],
    [patterns, 'a.go', 'package a\nvar c = tls.Config{InsecureSkipVerify: true}', 'CWE-295'],
    [actionlint, '.github/workflows/a.yml', workflow, 'CWE-94'],
    [shellRules(undefined), 'a.sh', 'chmod 777 /srv/x', 'CWE-732'],
  ];
  for (const [source, path, code, cwe] of cases) {
    const named = await weaknessesIn(source, path, code);
    assert.ok(named.includes(cwe), `${source.name}: ${code} is ${named.join(', ') || 'not found'}`);
  }
});

test('a rule of the organization may name its weakness in the usual ways; anything else is ignored', async () => {
  const named = (cwe: string) => {
    const rule = `id: a\nlanguage: js\nrule: { pattern: f() }\nmetadata: { cwe: ${cwe} }\n`;
    const { rules, faults } = readAstGrepRules(rule);
    assert.deepEqual(faults, []);
    return weaknessesIn(astGrepRules(rules), 'a.js', 'f();');
  };
  assert.deepEqual(await named('CWE-89'), ['CWE-89']);
  assert.deepEqual(await named('"cwe-089: SQL injection"'), ['CWE-89']);
  assert.deepEqual(await named('["CWE-22", "CWE-23"]'), ['CWE-22']);
  for (const other of ['injection', '89', '{ a: b }', 'null', '"CWE-123456"'])
    assert.deepEqual(await named(other), [null], other);
});

test('findings of two tools about one line are merged: by their weakness, or by the table of equal rules', async () => {
  const { findings } = await reviewHere({
    change: changeOf({ 'a.js': [null, 'eval(b);\n'], 'a.py': [null, 'print("%z" % 1)\n'] }),
    configuration: resolveConfiguration({}),
    sources: [patterns, ruff, oxlint],
    signal,
  });
  assert.deepEqual(
    findings.map(({ path, rules, cwe }) => [path, rules, cwe]),
    [
      ['a.js', ['oxlint/no-eval', 'patterns/code-from-text'], 'CWE-95'],
      ['a.py', ['ruff/F509', 'ruff/PLE1300'], null],
    ],
  );
});
