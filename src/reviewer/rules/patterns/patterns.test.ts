// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are texts of programs
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RuleSource } from '../../rule-source.ts';
import { ruff } from '../ruff/ruff.ts';
import { patterns } from './patterns.ts';

/** The findings of a source about one text, as `line rule`. */
async function saidOf(source: RuleSource, path: string, ...lines: string[]): Promise<string[]> {
  const [found] = await source.find([{ path, text: `${lines.join('\n')}\n` }], AbortSignal.timeout(300_000));
  return found!.map(({ startLine, rule }) => `${startLine} ${rule}`).sort();
}

test('values that become commands, queries, pages or code are found; constant texts and parameters are not', async () => {
  const script = [
    "import { exec, execSync } from 'node:child_process';",
    'exec(`ssh ${host} restart`);',
    "execSync('git tag ' + name);",
    "exec('git status');",
    'pattern.exec(`${host}`);',
    'box.innerHTML = `<b>${name}</b>`;',
    'box.innerHTML = `<b>${escapeHtml(name)}</b>`;',
    "box.innerHTML = '';",
    'new Function(body);',
    "new Function('return 1');",
    "db.query(`SELECT * FROM users WHERE name = '${name}'`);",
    'db.query("SELECT * FROM users WHERE id = " + id);',
    "db.query('SELECT * FROM users WHERE id = $1', [id]);",
    'db.query(`SELECT * FROM ${table} WHERE id = $1`, [id]);',
    'await sql`SELECT * FROM users WHERE name = ${name}`;',
  ];
  const found = [
    '11 patterns/sql-injection',
    '12 patterns/sql-injection',
    '2 patterns/shell-injection',
    '3 patterns/shell-injection',
    '6 patterns/html-injection',
    '9 patterns/code-from-text',
  ];
  for (const path of ['src/a.ts', 'src/a.tsx', 'src/a.js'])
    assert.deepEqual(await saidOf(patterns, path, ...script), found, path);
  const plugin = [
    "$('<div>' + message + '</div>');",
    "$('<div>' + escapeHtml(message) + '</div>');",
    "$('.' + name);",
    'function Panel(options) { this.options = options; }',
    'Panel.prototype.parent = function () { return $(this.options.parent); };',
    'Panel.prototype.found = function () { return $(document).find(this.options.parent); };',
    'Panel.prototype.show = function () { box.appendTo(this.options.container); };',
  ];
  assert.deepEqual(await saidOf(patterns, 'src/panel.js', ...plugin, '$.fn.panel = Panel;'), [
    '1 patterns/html-injection',
    '5 patterns/markup-from-option',
    '7 patterns/markup-from-option',
  ]);
  assert.deepEqual(await saidOf(patterns, 'src/page.js', ...plugin), ['1 patterns/html-injection']);
  const buffers = ['new Buffer(x);', "new Buffer(x, 'hex');", "new Buffer('a');", 'new Buffer(16);'];
  assert.deepEqual(await saidOf(patterns, 'src/a.js', ...buffers), ['1 patterns/buffer-of-anything']);
  const withoutProcesses = await saidOf(patterns, 'src/b.ts', 'exec(`${a}`);');
  assert.deepEqual(withoutProcesses, [], 'another function of that name');
  for (const path of ['scripts/a.ts', 'src/a.test.ts', 'webpack.config.js'])
    assert.ok(!patterns.covers(path));
  const python = [
    'cursor.execute(f"SELECT * FROM users WHERE name = \'{name}\'")',
    'cursor.execute("SELECT * FROM users WHERE id = %s" % name)',
    'cursor.execute("SELECT * FROM users WHERE id = " + name)',
    'cursor.execute("SELECT * FROM users WHERE id = {}".format(name))',
    'cursor.execute("SELECT * FROM users WHERE id = %s", (name,))',
    'cursor.execute(f"SELECT * FROM {table} WHERE id = %s", (name,))',
    'pool.execute(f"{name}")',
    'cursor.execute(f"SELECT * FROM users WHERE id IN ({placeholders})", ids)',
    "cursor.execute(f\"DELETE FROM users WHERE id IN ({','.join('?' * len(ids))})\", ids)",
  ];
  assert.deepEqual(
    await saidOf(patterns, 'src/a.py', ...python),
    [1, 2, 3, 4].map((line) => `${line} patterns/sql-injection`),
  );
});

test('Python that swallows every error is reported; running values is left to data flow, and a bare raise is right', async () => {
  const lines = [
    'import os; from service import name, run',
    'os.system("rm " + name)',
    'eval(name)',
    'try:',
    '    run()',
    'except:',
    '    pass',
    'try:',
    '    run()',
    'except OSError:',
    '    pass',
    'def handle():',
    '    __loader_of_plugins__(name)',
    '    raise',
  ];
  assert.deepEqual(await saidOf(ruff, 'src/a.py', ...lines), ['6 ruff/S110']);
});

test('predictable secrets and broken hashes in Python are reported, but not if nothing is secret', async () => {
  const lines = [
    'import hashlib, random; from service import data',
    'a = hashlib.md5(data)',
    'b = hashlib.md5(data, usedforsecurity=False)',
    'c = hashlib.sha256(data)',
    'd = random.choice(data)',
    '',
    '',
    '',
    '',
    'token = random.randint(0, 9)',
  ];
  assert.deepEqual(await saidOf(ruff, 'src/a.py', ...lines), ['10 ruff/S311', '2 ruff/S324']);
  assert.deepEqual(await saidOf(ruff, 'tests/test_a.py', ...lines), []);
});

test('Python with `secure=False` for a cookie is reported; without `secure` it is not', async () => {
  const lines = [
    'response.set_cookie("a", "b", secure=False)',
    'response.set_cookie("a", "b", secure=True)',
    'response.set_cookie("a", "b")',
  ];
  assert.deepEqual(await saidOf(patterns, 'src/a.py', ...lines), ['1 patterns/cookie-without-secure']);
});
