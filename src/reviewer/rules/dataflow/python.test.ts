import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sidesOf } from '../../../../test/compared-change.ts';
import { defaultConfiguration } from '../../configuration/review-configuration.ts';
import { dataflow } from './dataflow.ts';

const { signal } = new AbortController();

/** The findings about a new file, as `severity rule:line`. */
async function saidOf(text: string, around: Record<string, string> = {}): Promise<string[]> {
  const sides = sidesOf({ 'shop/views.py': [null, text] }, around);
  const { findings } = await dataflow.compare(sides, defaultConfiguration.reviews, signal);
  return findings.map(
    ({ severity, rule, startLine }) => `${severity} ${rule.slice('dataflow/'.length)}:${startLine}`,
  );
}

const view = (...lines: string[]) =>
  `import os, subprocess, pickle, yaml, flask\nfrom flask import Flask, request, redirect\napp = Flask(__name__)\n@app.route('/a')\ndef a():\n${lines.map((line) => `    ${line}\n`).join('')}    return ''\n`;

test('requests of Flask are followed to shells, queries, code, files, URLs, templates and pickles', async () => {
  const cases: [string, string][] = [
    ["db.execute(f\"SELECT * FROM a WHERE b = '{request.args['b']}'\")", 'critical sql-injection:6'],
    ["db.execute('SELECT * FROM a WHERE b = %s' % request.args.get('b'))", 'critical sql-injection:6'],
    ["q = 'SELECT * FROM a WHERE b = %s'; q %= request.args['b']; db.execute(q)", 'critical sql-injection:6'],
    ["db.execute('SELECT * FROM a WHERE b = {}'.format(request.args.get('b')))", 'critical sql-injection:6'],
    ["os.system('ls ' + request.form.get('a', '.'))", 'critical command-injection:6'],
    ['subprocess.run(f\'ls {request.values["a"]}\', shell=True)', 'critical command-injection:6'],
    ["subprocess.run(['sh', '-c', 'ls ' + request.json['a']])", 'critical command-injection:6'],
    ["eval(request.cookies.get('a'))", 'critical code-injection:6'],
    ["open(os.path.join('files', request.args['a']))", 'major path-traversal:6'],
    ['pickle.loads(request.data)', 'major deserialization:6'],
    ['yaml.load(request.data, Loader=yaml.Loader)', 'major deserialization:6'],
    ["return redirect(request.args['next'])", 'major open-redirect:6'],
    ["return '<b>' + request.args['a'] + '</b>'", 'major html-injection:6'],
    ["return flask.render_template_string(request.args['a'])", 'major template-injection:6'],
    ["import requests; requests.get(request.args['url'])", 'major request-forgery:6'],
  ];
  for (const [line, expected] of cases) assert.deepEqual(await saidOf(view(line)), [expected], line);
});

test('values are followed through the constructs of Python', async () => {
  const ways = [
    ["a, b = request.args['a'], 1", "os.system('ls ' + a)"],
    [
      'for name in request.form.keys():',
      '    if name:',
      '        a = name',
      '        break',
      "os.system('ls ' + a)",
    ],
    ["items = ['x']", "items.append(request.args['a'])", 'items.pop(0)', "os.system('ls ' + items[0])"],
    ['d = {}', "d['a'] = request.args['a']", "os.system('ls ' + d['a'])"],
    ["names = [n.strip() for n in request.args.getlist('a')]", "os.system('ls ' + ' '.join(names))"],
    ['def run(command):', '    os.system(command)', "run('ls ' + request.args['a'])"],
    ["with open('x') as f:", '    os.system(f\'ls {request.args["a"]}\')'],
    ['try:', "    a = request.args['a']", 'except KeyError:', "    a = ''", "os.system('ls ' + a)"],
  ];
  for (const lines of ways) {
    const found = await saidOf(view(...lines));
    assert.deepEqual(
      found,
      [`critical command-injection:${5 + lines.length - (lines[0]!.startsWith('def') ? 1 : 0)}`],
      lines.join('; '),
    );
  }
});

test('Django, FastAPI, wrappers in the repository and parameters of public functions are supported', async () => {
  assert.deepEqual(await saidOf("import os\ndef view(request):\n    os.system('ls ' + request.GET['a'])\n"), [
    'critical command-injection:3',
  ]);
  assert.deepEqual(
    await saidOf(
      "import os\n@router.get('/a/{name}')\nasync def a(name: str, count: int):\n    os.system('ls ' + name)\n    os.system(f'ls {count}')\n",
    ),
    ['critical command-injection:4'],
  );
  assert.deepEqual(
    await saidOf(
      "import os\ndef show(name):\n    os.system('ls ' + name)\ndef _own(name):\n    os.system('ls ' + name)\n",
    ),
    ['minor command-injection:3'],
  );
  const wrapper =
    'class Wrapper:\n    def __init__(self, request):\n        self.request = request\n    def get(self, name):\n        return self.request.args.get(name)\n';
  const text = `import os\nfrom shop.wrapper import Wrapper\nfrom flask import request\ndef a():\n    os.system('ls ' + Wrapper(request).get('a'))\n`;
  assert.deepEqual(await saidOf(text, { 'shop/__init__.py': '', 'shop/wrapper.py': wrapper }), [
    'critical command-injection:5',
  ]);
});

test('values that were sanitized, checked, constant or passed as a query parameter are not reported', async () => {
  const harmless = [
    ["db.execute('SELECT * FROM a WHERE b = %s', (request.args['b'],))"],
    ['import shlex', "os.system('ls ' + shlex.quote(request.args['a']))"],
    ["os.system('kill %d' % int(request.args['a']))"],
    ["a = request.args['a']", "if a not in ('x', 'y'):", '    flask.abort(404)', "os.system('ls ' + a)"],
    ["a = request.args['a']", 'if 1 > 2:', "    os.system('ls ' + a)"],
    ["subprocess.run(['ls', request.args['a']])"],
    ['yaml.safe_load(request.data)', 'yaml.load(request.data, Loader=yaml.SafeLoader)'],
    ['return flask.jsonify(request.args)'],
    ["return {'a': request.args['a']}"],
    ["return redirect('/a?next=' + request.args['next'])"],
    [
      "path = os.path.abspath(os.path.join('files', request.args['a']))",
      "if not path.startswith(os.path.abspath('files')):",
      "    return ''",
      'open(path)',
    ],
    ["items = [request.args['a'], 'x']", "os.system('ls ' + items[1])"],
  ];
  for (const lines of harmless) assert.deepEqual(await saidOf(view(...lines)), [], lines.join('; '));
});

test('hostile Python terminates', async () => {
  const texts = [
    `def a(request):\n    x = ${'('.repeat(500)}request.GET${')'.repeat(500)}\n`,
    `def a(request):\n    x = ${Array.from({ length: 3_000 }, () => 'request.GET').join(' + ')}\n`,
    `def a(request):\n${Array.from({ length: 90 }, (_, depth) => `${'    '.repeat(depth + 1)}if request.GET:\n`).join('')}${'    '.repeat(91)}pass\n`,
    Array.from(
      { length: 200 },
      (_, index) => `def f${index}(a):\n    f${(index * 7) % 200}(a)\n    f${(index + 1) % 200}(a)\n`,
    ).join(''),
  ];
  for (const text of texts) assert.deepEqual(await saidOf(text), []);
});
