import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Versions } from '../../../../../test/change-of-versions.ts';
import { sidesOf } from '../../../../../test/compared-change.ts';
import { defaultConfiguration } from '../../../configuration/review-configuration.ts';
import { dataflow } from '../dataflow.ts';
import { checkExpressions } from './check-expressions.ts';
import { asScript } from './python-expressions.ts';

const { signal } = new AbortController();

async function findingsIn(versions: Versions) {
  return (await dataflow.compare(sidesOf(versions), defaultConfiguration.reviews, signal)).findings;
}

/** The findings about a change, as `severity path:line`. */
async function saidOf(versions: Versions): Promise<string[]> {
  const findings = await findingsIn(versions);
  return findings.map(({ severity, rule, path, startLine }) => {
    assert.equal(rule, 'dataflow/slow-regex');
    return `${severity} ${path}:${startLine}`;
  });
}

test('a new slow expression is reported with a text that makes it slow', async () => {
  const [found, ...others] = await findingsIn({
    'src/a.js': [null, 'export const isName = (text) =>\n  /^(\\w+\\s?)+$/.test(text);\n'],
  });
  assert.deepEqual(others, []);
  assert.equal(found!.rule, 'dataflow/slow-regex');
  assert.equal(found!.severity, 'minor');
  assert.equal(found!.cwe, 'CWE-1333');
  assert.equal(found!.startLine, 2);
  assert.match(found!.body, /^With the input `.+repeat.+` \(\d+ characters\), it runs for seconds\./);
});

test('it is major for a text from a request, and a merely quadratic one is only reported for untrusted texts', async () => {
  const handler = (expression: string) =>
    `const name = /${expression}/;\nmodule.exports = (req, res) => {\n  res.json(name.test(req.query.name));\n};\n`;
  assert.deepEqual(await saidOf({ 'src/a.js': [null, handler('^(a+)+$')] }), ['major src/a.js:1']);
  assert.deepEqual(await saidOf({ 'src/a.js': [null, handler('\\s+$')] }), ['major src/a.js:1']);
  const trim = (given: string) => `export const trim = (${given}) => text.replace(/\\s+$/, "");\n`;
  assert.deepEqual(await saidOf({ 'src/a.js': [null, trim('text')] }), ['minor src/a.js:1']);
  assert.deepEqual(await saidOf({ 'src/a.js': [null, `const text = "a ";\n${trim('')}`] }), []);
});

test('either of two expressions may be the one in use, and a part of an old expression is new', async () => {
  const text = `const [strict, loose] = [/^a+$/, 0];
const exact = /^\\w+=\\s*(\\S*\\s+)*$/;
const free = /(\\w+\\s?)+$/;
exports.parse = (given, isFree) => {
  const pattern = isFree ? free : exact;
  return pattern.exec(given) ?? strict.exec(loose);
};
exports.ending = (given) => given.replace(/.*\\./, '');
`;
  const old = text.replace('/.*', '/^.*').replace('\\s?)+$/', ')$/').replace('(\\S*\\s+)*', '');
  assert.deepEqual((await saidOf({ 'src/a.js': [old, text] })).sort(), [
    'minor src/a.js:2',
    'minor src/a.js:3',
    'minor src/a.js:8',
  ]);
});

test('expressions of Python are checked if JavaScript has the same syntax; those of Go are always linear', async () => {
  const python = 'import re\nfrom flask import request\nNAME = re.compile(r"^(a+)+$")\n';
  assert.deepEqual(await saidOf({ 'shop/a.py': [null, python] }), ['minor shop/a.py:3']);
  const view = `${python}@app.route("/")\ndef show():\n    NAME.match(request.args["a"])\n`;
  assert.deepEqual(await saidOf({ 'shop/a.py': [null, view] }), ['major shop/a.py:3']);
  const go = 'package a\nimport "regexp"\nvar name = regexp.MustCompile(`^(a+)+$`)\n';
  assert.deepEqual(await saidOf({ 'a/a.go': [null, go] }), []);
  assert.deepEqual(asScript('(?P<a>x+)(?P=a)', true, 're.I'), { source: '(?<a>x+)\\k<a>', flags: 'i' });
  for (const foreign of ['(?>a+)+', 'a++', '\\Aa', '(?#b)a', '(?x)a', '(?(1)a|b)'])
    assert.equal(asScript(foreign, true, ''), null, foreign);
  assert.equal(asScript('a b', true, 're.VERBOSE'), null);
});

test('old, moved, silenced and fast expressions, and those in tests, are not reported', async () => {
  const slow = 'export const name = /^(a+)+$/;\n';
  const silent: Versions[] = [
    { 'src/a.js': [slow, `// names\n${slow}`] },
    { 'src/a.js': [slow, `export const name =\n  /^(a+)+$/u;\n`] },
    { 'src/a.js': [slow, 'export {};\n'], 'src/b.js': [null, slow] },
    { 'src/a.js': [null, `// postil-ignore\n${slow}`] },
    { 'src/a.test.js': [null, slow] },
    { 'src/a.js': [null, 'export const name = /^[a-z]+@[a-z]+\\.com$/;\nexport const id = /\\d+/g;\n'] },
  ];
  for (const versions of silent) assert.deepEqual(await saidOf(versions), [], JSON.stringify(versions));
});

test('checking hostile expressions terminates, and verdicts are cached', async () => {
  await checkExpressions(
    [
      { source: `${'('.repeat(400)}a${')*'.repeat(400)}b`, flags: '' },
      { source: `${'(a?){1,50}'.repeat(20)}c`, flags: '' },
    ],
    signal,
    AbortSignal.timeout(60_000),
  );
  const slow = { source: '^(a+)+$', flags: '' };
  const first = await checkExpressions([slow], signal, signal);
  assert.notEqual(first.get(slow) ?? null, null);
  const parted = { source: '^(\\u2028+)+$', flags: '' };
  assert.match((await checkExpressions([parted], signal, signal)).get(parted)!.text, /\u2028/);
  const again = await checkExpressions([slow], AbortSignal.abort(), signal);
  assert.deepEqual(again.get(slow), first.get(slow));
});
