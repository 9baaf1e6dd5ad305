import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { changeOf } from '../../../test/change-of-versions.ts';
import { reviewHere } from '../../../test/review-here.ts';
import { readAstGrepRules } from '../configuration/read-ast-grep-rules.ts';
import { resolveConfiguration } from '../configuration/review-configuration.ts';
import type { RuleSource } from '../rule-source.ts';
import { astGrepRules } from './ast-grep/ast-grep.ts';
import { patterns } from './patterns/patterns.ts';
import { ruff } from './ruff/ruff.ts';
import { secrets } from './secrets/secrets.ts';
import { severityTable } from './severity-table.ts';

const configuration = resolveConfiguration({ reviews: { severity_floor: 'info' } });

/** The findings about a change that adds these lines, as `severity rule`. */
async function severitiesOf(source: RuleSource, path: string, ...lines: string[]): Promise<string[]> {
  const text = lines.map((line) => `${line}\n`).join('');
  const { findings } = await reviewHere({
    change: changeOf({ [path]: ['', text] }),
    configuration,
    sources: [source],
    signal: AbortSignal.timeout(300_000),
  });
  return findings.map((finding) => `${finding.severity} ${finding.source.name}`);
}

test('a request that becomes code, a query or a command is critical; a text of unknown origin is major', async () => {
  const cases = [
    ['src/a.js', 'eval(req.query.code);', 'critical patterns/code-from-text'],
    ['src/a.js', 'eval(code);', 'major patterns/code-from-text'],
    [
      'src/a.py',
      'db.execute(f"SELECT a FROM b WHERE c = {request.args[0]}")',
      'critical patterns/sql-injection',
    ],
    ['src/a.py', 'db.execute(f"SELECT a FROM b WHERE c = {name}")', 'major patterns/sql-injection'],
    [
      'src/a.go',
      'package a\nfunc f() { db.Query("SELECT a FROM b WHERE c = " + r.FormValue("c")) }',
      'critical patterns/sql-injection',
    ],
    ['src/a.js', 'e.innerHTML = "<b>" + req.query.name;', 'minor patterns/html-injection'],
  ] as const;
  for (const [path, line, expected] of cases)
    assert.deepEqual(await severitiesOf(patterns, path, line), [expected], line);
});

test('a duplicate import is minor, a test that another one of its name replaces is major', async () => {
  const twice = ['def test_a():', '    assert 1', 'def test_a():', '    assert 2'];
  assert.deepEqual(await severitiesOf(ruff, 'tests/test_a.py', ...twice), ['major ruff/F811']);
  const routes = [
    'from shop import app',
    "@app.get('/a')",
    'def show():',
    '    pass',
    '',
    "@app.get('/b')",
    'def show():',
    '    pass',
  ];
  assert.deepEqual(
    await severitiesOf(ruff, 'src/a.py', ...routes),
    [],
    'a route is used by whom it is given to',
  );
  const imports = ['from a import b', 'from c import b', 'print(b)'];
  assert.deepEqual(await severitiesOf(ruff, 'src/a.py', ...imports), ['minor ruff/F811']);
});

test('false positives that real changes showed are not reported', async () => {
  assert.deepEqual(await severitiesOf(ruff, 'src/a/__init__.py', "__all__ = ['module']"), []);
  assert.deepEqual(await severitiesOf(ruff, 'src/a/b.py', "__all__ = ['name']"), ['major ruff/F822']);
  const bound = 'package a\nfunc f() { db.Exec(ctx, `DELETE FROM a WHERE b IN `+inBinding, ids...) }';
  assert.deepEqual(await severitiesOf(patterns, 'src/a.go', bound), []);
  const hash = `$2b$12$${'KzQ8vXr1TnW5yLd3HsPc9u'}${'eJm4GfAo7RiBt2NqUxVwYzSkCpD6h0E'}`;
  assert.deepEqual(await severitiesOf(secrets, 'store/seed/dump.sql', `VALUES ('${hash}')`), []);
});

test('a rule of the organization states its own severity', async () => {
  const { rules } = readAstGrepRules(
    'id: no-eval\nlanguage: javascript\nseverity: hint\nmessage: no eval\nrule: { pattern: eval($A) }\nmetadata: { cwe: CWE-95 }',
  );
  assert.deepEqual(await severitiesOf(astGrepRules(rules), 'src/a.js', 'eval(req.body);'), [
    'info ast_grep/no-eval',
  ]);
});

test('a hash in a commented-out line is minor, but a token stays critical there', async () => {
  const hash = `$2b$12$${'KzQ8vXr1TnW5yLd3HsPc9u'}${'eJm4GfAo7RiBt2NqUxVwYzSkCpD6h0E'}`;
  const token = `ghp_${'aB3dE5gH7j'.repeat(4).slice(0, 36)}`;
  assert.deepEqual(await severitiesOf(secrets, 'src/a.py', `hash = '${hash}'`), [
    'major secrets/bcrypt-hash',
  ]);
  assert.deepEqual(await severitiesOf(secrets, 'src/a.py', `  # hash = '${hash}'`), [
    'minor secrets/bcrypt-hash',
  ]);
  assert.deepEqual(await severitiesOf(secrets, 'src/a.ts', `// const t = '${token}';`), [
    'critical secrets/github-token',
  ]);
});

test('the guide has the current table', async () => {
  const guide = await readFile(new URL('../../../docs/review.md', import.meta.url), 'utf8');
  for (const [severity, reason] of Object.values(severityTable))
    assert.ok(guide.includes(`| ${severity} | ${reason} |`), reason);
});
