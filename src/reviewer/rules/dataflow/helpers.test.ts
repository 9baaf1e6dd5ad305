// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are texts of programs
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sidesOf } from '../../../../test/compared-change.ts';
import { defaultConfiguration } from '../../configuration/review-configuration.ts';
import { dataflow } from './dataflow.ts';

const { signal } = new AbortController();

async function findingsIn(path: string, text: string, around: Record<string, string> = {}) {
  const sides = sidesOf({ [path]: [null, text] }, around);
  const { findings } = await dataflow.compare(sides, defaultConfiguration.reviews, signal);
  return findings;
}

/** The findings about a new file, as `severity rule:line`. */
const saidOf = async (path: string, text: string, around: Record<string, string> = {}) =>
  (await findingsIn(path, text, around)).map(
    ({ severity, rule, startLine }) => `${severity} ${rule.slice('dataflow/'.length)}:${startLine}`,
  );

/** A file with helpers in line 1, and a handler of requests after them. */
const inJavaScript = (helpers: string, ...lines: string[]) =>
  saidOf('src/a.js', `${helpers}\nmodule.exports = async (req, res) => {\n${lines.join('\n')}\n};\n`);

/** A file with a helper that ends in line 4, and a handler of requests after it. */
const inPython = (helper: readonly [string, string], ...lines: string[]) =>
  saidOf(
    'shop/views.py',
    `from flask import request\napp = Flask(__name__)\n${helper.join('\n')}\n@app.route('/a')\ndef a():\n${lines.map((line) => `    ${line}\n`).join('')}`,
  );

const run = 'function run(sql, values) { return pool.query(sql, values); }';
const find = "function find(where) { return run('SELECT * FROM a WHERE ' + where); }";
const runInPython = ['def run(query):', '    return db.execute(query)'] as const;

test('a helper that takes a whole query is dangerous for queries that are built from untrusted input', async () => {
  const expected = ['critical sql-injection:1'];
  const cases: [string, ...string[]][] = [
    [run, "await run('SELECT * FROM a WHERE b = ' + req.query.id);"],
    [run, 'await run(`SELECT * FROM a WHERE b = ${req.query.id}`);'],
    [run, "const sql = 'SELECT * FROM a WHERE b = ' + req.query.id;", 'await run(sql);'],
    [
      'const run = (sql) => pool.query(sql.trim());',
      'await run(`SELECT * FROM a WHERE b = ${req.query.id}`);',
    ],
    [
      'const run = ({ sql, values }) => pool.query(sql, values);',
      "run({ sql: 'SELECT * FROM a WHERE b = ' + req.query.id, values: [] });",
    ],
    [
      `${run} const first = async (sql) => (await run(sql)).rows[0];`,
      "first('SELECT * FROM a WHERE b = ' + req.query.id);",
    ],
    [`${run} ${find}`, 'find(req.query.where);'],
  ];
  for (const [helpers, ...lines] of cases)
    assert.deepEqual(await inJavaScript(helpers, ...lines), expected, lines.join(' '));
  const inPythonToo = [
    ['query = "SELECT * FROM a WHERE b = \'%s\'"', "query %= request.args['x']", 'run(query)'],
    ["return run(f\"SELECT * FROM a WHERE b = '{request.args['x']}'\")"],
    ["return run(query='SELECT * FROM a WHERE b = {}'.format(request.args['x']))"],
  ];
  for (const lines of inPythonToo)
    assert.deepEqual(await inPython(runInPython, ...lines), ['critical sql-injection:4'], lines.join('; '));
  const inGo = `package shop
import ("database/sql"; "net/http")
func run(db *sql.DB, query string) { db.Query(query) }
func handle(w http.ResponseWriter, r *http.Request, db *sql.DB) {
	run(db, "SELECT * FROM a WHERE b = '" + r.FormValue("b") + "'")
}
`;
  assert.deepEqual(await saidOf('shop/views.go', inGo), ['critical sql-injection:3']);
  assert.deepEqual(
    await inJavaScript('', 'const page = (html) => res.send(html);', "page('<b>' + req.query.name);"),
    ['major html-injection:3'],
  );
});

test('constants, query parameters, escaped values and other texts in such a helper are not reported', async () => {
  const cases: [string, ...string[]][] = [
    [run, "await run('SELECT * FROM a');"],
    [run, "await run('SELECT * FROM a WHERE b = $1', [req.query.id]);"],
    [run, "await run('SELECT * FROM a WHERE b = $1', ['from ' + req.query.id]);"],
    [run, "await run('SELECT * FROM a WHERE b = ' + Number(req.query.id));"],
    [run, "if (!isValid(req.query.id)) return; await run('SELECT * FROM a WHERE b = ' + req.query.id);"],
    [run, 'await run(req.query.sql);'],
    [run, "await run('key-' + req.query.id);"],
    [run, "await run({ text: 'SELECT * FROM a WHERE b = $1', values: ['from ' + req.query.id] });"],
    [
      "const find = (city) => pool.query({ text: 'SELECT * FROM a WHERE b = $1', values: [city] });",
      "find('from ' + req.query.city);",
    ],
    [
      "const find = (city) => pool.query('SELECT * FROM a WHERE b = $1', [city]);",
      "find('from ' + req.query.city);",
    ],
    ['const run = (sql) => pool.query(escapeSql(sql));', "run('SELECT * FROM a WHERE b = ' + req.query.id);"],
    ['const read = (key) => cache.get(key);', "read('user:' + req.query.id);"],
    ['', 'const page = (html) => res.send(html);', "page('Hello ' + req.query.name);"],
    ['const run = ({ sql }) => pool.query(sql);', 'await run();'],
  ];
  for (const [helpers, ...lines] of cases)
    assert.deepEqual(await inJavaScript(helpers, ...lines), [], lines.join(' '));
  const inPythonToo = [
    ["run('SELECT * FROM a')"],
    ["run('SELECT * FROM a WHERE b = %d' % int(request.args['x']))"],
    ["db.execute('SELECT * FROM a WHERE b = %s', (request.args['x'],))"],
  ];
  for (const lines of inPythonToo)
    assert.deepEqual(await inPython(runInPython, ...lines), [], lines.join('; '));
  assert.deepEqual(
    await saidOf('src/a.js', `${run}\n${find}\nmodule.exports = { run };\n`),
    [],
    'what callers of an exported helper pass as the whole query is not known',
  );
});

test('an address with a fixed start is as harmless in a helper as at the sink itself; composed code is not', async () => {
  const load = 'const load = (url) => fetch(url);';
  assert.deepEqual(await inJavaScript(load, 'load(req.query.url);'), ['major request-forgery:1']);
  assert.deepEqual(await inJavaScript(load, "load('https://shop.test/' + req.query.id);"), []);
  const run = 'const run = (code) => eval(code);';
  for (const code of ['req.query.code', "'f(' + req.query.code + ')'"])
    assert.deepEqual(await inJavaScript(run, `run(${code});`), ['critical code-injection:1'], code);
});

test('a helper of another file is followed, and one that is a sink by its own name is reported once', async () => {
  const around = { 'src/db.js': `const pool = connect();\n${run}\nmodule.exports = { run };\n` };
  const caller =
    "const { run } = require('./db');\nmodule.exports = (req, res) => {\n  run('SELECT * FROM a WHERE b = ' + req.query.id);\n};\n";
  assert.deepEqual(await saidOf('src/a.js', caller, around), ['critical sql-injection:3']);
  const wrapper = 'const db = { query: (sql) => pool.query(sql) };';
  const direct = "await db.query('SELECT * FROM a WHERE b = ' + req.query.id);";
  assert.deepEqual(await inJavaScript(wrapper, direct), ['critical sql-injection:3']);
  assert.deepEqual(
    await inJavaScript(
      `${wrapper}\nfunction run(sql) { return db.query(sql); }`,
      direct.replace('db.query', 'run'),
    ),
    ['critical sql-injection:2'],
  );
});

test('the steps name every helper that the value is passed to, also if one line does it all', async () => {
  const stepsOf = async (path: string, text: string) => {
    const [found] = await findingsIn(path, text);
    return found!.related.map(({ startLine, text: said }) => `${startLine} ${said}`);
  };
  const text = `function run(sql) {
  return pool.query(sql);
}
function first(sql) {
  return run(sql);
}
exports.show = (req, res) => first('SELECT * FROM a WHERE b = ' + req.query.id);
`;
  assert.deepEqual(await stepsOf('src/a.js', text), [
    '7 `request.query` comes from a request',
    '7 is passed to `first`',
    '5 is passed to `run`',
    '2 reaches `pool.query`',
  ]);
  const [one, two] = runInPython;
  const inLines = `from flask import request
${one}
${two}
@app.route('/a')
def a():
    query = 'SELECT * FROM a WHERE b = %s' % request.args['x']
    for _ in range(2):
        query = query.strip()
    run(query)
`;
  assert.deepEqual(await stepsOf('shop/views.py', inLines), [
    '6 `flask.request.args` comes from a request',
    '8 is stored in `query`',
    '9 is passed to `run`',
    '3 reaches `db.execute`',
  ]);
});

test('a long name in a step is cut, and ends with an ellipsis', async () => {
  const [name, fitting] = ['command'.repeat(9), 'c'.repeat(60)];
  const text = `const cp = require('child_process');
module.exports = (req, res) => {
  const ${name} =
    req.query.id;
  const ${fitting} =
    ${name};
  cp.exec(${fitting});
};
`;
  const [found] = await findingsIn('src/a.js', text);
  assert.deepEqual(
    found!.related.map(({ text: said }) => said).filter((said) => said.startsWith('is stored')),
    [`is stored in \`${name.slice(0, 59)}…\``, `is stored in \`${fitting}\``],
  );
});

test('each new call of a helper is reported, whoever calls it already', async () => {
  const handler = (name: string, input: string) =>
    `module.exports.${name} = (req, res) => {\n  run('SELECT * FROM a WHERE b = ' + req.query.${input});\n};\n`;
  const around = { 'src/db.js': `const pool = connect();\n${run}\nmodule.exports = { run };\n` };
  const start = "const { run } = require('./db');\n";
  const linesOf = async (old: string | null, now: string) => {
    const sides = sidesOf({ 'src/a.js': [old, now] }, around);
    const { findings } = await dataflow.compare(sides, defaultConfiguration.reviews, signal);
    return findings.map(({ path, startLine }) => `${path}:${startLine}`);
  };
  const [one, two] = [handler('one', 'id'), handler('two', 'name')];
  assert.deepEqual(await linesOf(null, start + one + two), ['src/a.js:3', 'src/a.js:6']);
  assert.deepEqual(await linesOf(start + one, start + one + two), ['src/a.js:6']);
  assert.deepEqual(await linesOf(start + one, start + one + handler('two', 'id')), ['src/a.js:6']);
  const moved = `${start}const limit = 1;\n${two.replaceAll('\n', '\n  ')}\n${one}`;
  assert.deepEqual(await linesOf(start + one + two, moved), []);
  const helper = `const pool = connect();\n${run}\n`;
  assert.deepEqual(
    await linesOf(null, helper + one + two),
    ['src/a.js:2'],
    'a helper that is new itself is reported',
  );
});
