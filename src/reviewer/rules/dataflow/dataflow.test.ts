import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeOf, type Versions } from '../../../../test/change-of-versions.ts';
import { sidesOf } from '../../../../test/compared-change.ts';
import { reviewHere } from '../../../../test/review-here.ts';
import { defaultConfiguration, resolveConfiguration } from '../../configuration/review-configuration.ts';
import { patterns } from '../patterns/patterns.ts';
import { dataflow } from './dataflow.ts';
import { dataflowExamples, dataflowTable } from './dataflow-table.ts';

const { signal } = new AbortController();

async function findingsIn(versions: Versions, around: Record<string, string> = {}) {
  const { findings } = await dataflow.compare(
    sidesOf(versions, around),
    defaultConfiguration.reviews,
    signal,
  );
  return findings;
}

/** The findings about a change, as `severity rule path:line`. */
async function saidOf(versions: Versions, around: Record<string, string> = {}): Promise<string[]> {
  const findings = await findingsIn(versions, around);
  return findings.map(
    ({ severity, rule, path, startLine }) =>
      `${severity} ${rule.slice('dataflow/'.length)} ${path}:${startLine}`,
  );
}

/** The findings about a new file. */
const ofNew = (text: string, path = 'src/a.js') => saidOf({ [path]: [null, text] });

const handler = (...lines: string[]) =>
  `const cp = require('child_process');\nmodule.exports = async (req, res) => {\n${lines.join('\n')}\n};\n`;

test('every rule finds its own fault in its failing example, and nothing in its passing one', async () => {
  for (const [rule, { path, fails, passes }] of Object.entries(dataflowExamples)) {
    const found = await findingsIn({ [path]: [null, fails] });
    assert.deepEqual([...new Set(found.map((each) => each.rule))], [`dataflow/${rule}`]);
    assert.deepEqual(await ofNew(passes, path), [], rule);
  }
});

test('a change of many files takes linear time: no file is read again for each of the others', async () => {
  const dangerous = handler('cp.exec(req.query.name);');
  const versions = Object.fromEntries(
    Array.from({ length: 20 }, (_, index) => [`src/${index}.js`, [null, dangerous] as const]),
  );
  const sides = sidesOf(versions);
  const reads = new Map<string, number>();
  const files = sides.change.files.map((file) => ({
    ...file,
    newText() {
      reads.set(file.path, (reads.get(file.path) ?? 0) + 1);
      return file.newText();
    },
  }));
  const change = { ...sides.change, files };
  const { findings } = await dataflow.compare({ ...sides, change }, defaultConfiguration.reviews, signal);
  assert.equal(findings.length, 20);
  assert.deepEqual([...new Set(reads.values())], [1]);
});

test('every finding names its weakness and the steps from the source to the sink', async () => {
  const [found] = await findingsIn({
    'src/a.js': [
      null,
      handler('const name = req.query.name;', "const command = 'ls ' + name;", 'cp.exec(command);'),
    ],
  });
  assert.equal(found!.cwe, dataflowTable['command-injection'][4]);
  assert.deepEqual(
    found!.related.map(({ startLine, text }) => `${startLine} ${text}`),
    ['3 `request.query` comes from a request', '4 is stored in `command`', '5 reaches `cp.exec`'],
  );
});

test('a request that reaches a shell is critical, one that reaches a file major, and values from callers of exported functions are minor', async () => {
  assert.deepEqual(await ofNew(handler('cp.exec("ls " + req.body.dir);')), [
    'critical command-injection src/a.js:3',
  ]);
  assert.deepEqual(await ofNew(handler("require('fs').readFile(req.params.file, 'utf8');")), [
    'major path-traversal src/a.js:3',
  ]);
  assert.deepEqual(
    await ofNew(
      "import { execSync } from 'node:child_process';\nexport function list(dir) {\n  return execSync('ls ' + dir);\n}\n",
    ),
    ['minor command-injection src/a.js:3'],
  );
});

test('aliases of a function are recognized, and values are followed on detours', async () => {
  const ways = [
    "const shell = require('shelljs'); shell.exec('ls ' + req.query.a);",
    "const run = require('util').promisify(cp.exec); await run('ls ' + req.query.a);",
    "const { exec: go } = cp; go('ls ' + req.query.a);",
    "const list = []; list.push(req.query.a); cp.exec('ls ' + list.join(' '));",
    "const { a, ...rest } = req.query; cp.exec(['ls', a].join(' '));",
    "const o = {}; o.dir = req.query.a; cp.exec('ls ' + o.dir);",
    "let c = 'ls'; c += ' ' + req.query.a; cp.exec(c);",
    "const f = (x) => 'ls ' + x; cp.exec(f(req.query.a));",
    "const f = (x) => cp.exec('ls ' + x); f(req.query.a);",
    "for (const each of req.body.all) cp.exec('ls ' + each);",
    "req.body.all.forEach((each) => { cp.exec('ls ' + each); });",
    "let d = '.'; if (req.query.a) d = req.query.a; cp.exec('ls ' + d.trim());",
    "const d = req.query.a || '.'; cp.spawn('ls ' + d, { shell: true });",
  ];
  for (const way of ways)
    assert.deepEqual(await ofNew(handler(way)), ['critical command-injection src/a.js:3'], way);
  const kept =
    "class Runner {\n  constructor() { this.cp = require('child_process'); }\n  handle(req, res) { this.cp.exec('ls ' + req.query.a); }\n}\nmodule.exports = Runner;\n";
  assert.deepEqual(await ofNew(kept), ['critical command-injection src/a.js:3']);
});

test('values are followed into imported files, and a changed line must be on the way', async () => {
  const helper =
    "const { exec } = require('child_process');\nexports.list = (dir) => exec('ls ' + dir);\nexports.sum = (a) => a + 1;\n";
  const caller = (call: string) =>
    `const { list, sum } = require('./list');\nmodule.exports = (req, res) => {\n  ${call}\n};\n`;
  const around = { 'src/list.js': helper };
  assert.deepEqual(await saidOf({ 'src/a.js': [caller(''), caller('list(req.query.dir);')] }, around), [
    'critical command-injection src/a.js:3',
  ]);
  assert.deepEqual(await saidOf({ 'src/a.js': [caller(''), caller('sum(req.query.dir);')] }, around), []);
  const both = await saidOf({
    'src/a.js': [null, caller('list(req.query.dir);')],
    'src/list.js': [null, helper],
  });
  assert.deepEqual(both, ['critical command-injection src/list.js:2'], 'one finding, on the sink');
  const old = caller('list(req.query.dir);');
  assert.deepEqual(await saidOf({ 'src/a.js': [old, `${old}// end\n`] }, around), []);
  const checked = (test: string) =>
    caller(`const dir = req.query.dir;\n  if (${test}) return res.end();\n  list(dir);`);
  assert.deepEqual(
    await saidOf({ 'src/a.js': [checked('!isAllowed(dir)'), checked('!isAllowed(res)')] }, around),
    ['critical command-injection src/a.js:5'],
    'the check looks at something else, and the sink is in a file that stays as it is',
  );
});

test('the finding is on the sink, or on the nearest changed line towards the source', async () => {
  const text = (dir: string) =>
    handler(`  const dir = ${dir};`, "  const all = 'ls ' + dir;", '  cp.exec(all);');
  assert.deepEqual(await saidOf({ 'src/a.js': [text("'.'"), text('req.query.dir')] }), [
    'critical command-injection src/a.js:3',
  ]);
});

test('moved, renamed and reformatted code is not reported, but a removed check is', async () => {
  const old = handler('  const dir = req.query.dir;', "  cp.exec('ls ' + dir);");
  const moved = handler('  // first', "  const dir = req.query['dir'];", '', '  cp.exec("ls " + dir );');
  assert.deepEqual(await saidOf({ 'src/a.js': [old, moved] }), []);
  const checked = handler(
    '  const dir = req.query.dir;',
    '  if (!isAllowed(dir)) return;',
    "  cp.exec('ls ' + dir);",
  );
  assert.deepEqual(await saidOf({ 'src/a.js': [old, checked] }), []);
  assert.deepEqual(await saidOf({ 'src/a.js': [checked, old] }), ['critical command-injection src/a.js:4']);
});

test('properties that callers choose are found in every style of packages', async () => {
  const write = `function set(obj, path, value) {
  if (typeof path === 'string') return set(obj, path.split('.'), value);
  if (path.length === 1) { obj[path[0]] = value; return; }
  return set(obj[path[0]], path.slice(1), value);
}
`;
  const packages = {
    'for every loader': `(function (root, make) { if (typeof module === 'object') module.exports = make(); else root.a = make(); })(this, function () {
${write}  return { set: function (obj, path, value) { return set(obj, path, value); } };
});`,
    'without names': `module.exports = function extend() {
  var target = arguments[0];
  for (var i = 1; i < arguments.length; i++)
    for (var name in arguments[i]) {
      var copy = arguments[i][name];
      if (copy && typeof copy === 'object') extend(target[name], copy);
      else target[name] = copy;
    }
};`,
    'asking first': `const merge = (to, from) => {
  Object.keys(from).forEach((key) => {
    if (key in to) merge(to[key], from[key]);
    else to[key] = from[key];
  });
};
module.exports = merge;`,
  };
  for (const [name, text] of Object.entries(packages)) {
    const rules = (await findingsIn({ 'src/a.js': [null, text] })).map(({ rule }) => rule);
    assert.ok(rules.includes('dataflow/property-injection'), name);
    const kept = text.replaceAll(/\b(obj\[path\[0\]\]|target\[name\]|to\[key\]) = /g, '$1 ??= new Map(); ');
    assert.deepEqual(await ofNew(kept), [], name);
  }
  const asked = packages['without names'].replace(
    'var copy',
    "if (name === '__proto__') continue;\n      var copy",
  );
  assert.deepEqual(await ofNew(asked), []);
});

test('a second fault of the same shape elsewhere in the file is new, and only that one', async () => {
  const run = (name: string) => `exports.${name} = (req, res) => {\n  cp.exec('ls ' + req.query.dir);\n};\n`;
  const old = `const cp = require('child_process');\n${run('one')}`;
  const said = (line: number) => [`critical command-injection src/a.js:${line}`];
  assert.deepEqual(await saidOf({ 'src/a.js': [old, `${old}${run('two')}`] }), said(6));
  const before = `const cp = require('child_process');\n${run('zero')}${run('one')}`;
  assert.deepEqual(await saidOf({ 'src/a.js': [old, before] }), said(3));
  assert.deepEqual(await saidOf({ 'src/a.js': [before, `${before}// end\n`] }), []);
});

test('a function that writes its argument in several places is one finding, on the last of them', async () => {
  const merge = `module.exports = function merge(to, from) {
  for (const key in from) {
    if (Array.isArray(from[key])) {
      to[key] = merge([], from[key]);
    } else if (typeof from[key] === 'object') {
      to[key] = merge(to[key], from[key]);
    } else {
      to[key] = from[key];
    }
  }
  return to;
};
`;
  assert.deepEqual(await ofNew(merge), ['minor property-injection src/a.js:8']);
});

test('names of files are untrusted: a page that lists them must escape them', async () => {
  const listing = (name: string) => `const fs = require('fs');
const http = require('http');
http.createServer((req, res) => {
  fs.readdir('public', (error, files) => {
    res.write('<ul>');
    files.forEach((file) => {
      res.write('<li>' + ${name} + '</li>');
    });
    res.end(\`<p>\${fs.readdirSync('.').length}</p>\`);
  });
});
`;
  assert.deepEqual(await ofNew(listing('file')), ['minor html-injection src/a.js:7']);
  assert.deepEqual(await ofNew(listing('escapeHtml(file)')), []);
  assert.deepEqual(await ofNew(listing("'a'")), []);
  const kept = `const fs = require('fs');
const http = require('http');
http.createServer((req, res) => {
  const names = fs.readdirSync('public');
  res.end('<ul>' + names.join('<li>') + '</ul>');
});
`;
  assert.deepEqual(await ofNew(kept), ['minor html-injection src/a.js:5']);
});

test('values that were sanitized, checked or chosen by the program are not reported', async () => {
  const harmless = [
    "cp.exec('ls ' + Number(req.query.a));",
    "cp.exec('ls ' + shellEscape(req.query.a));",
    "const d = req.query.a; if (!/^[a-z]+$/.test(d)) return; cp.exec('ls ' + d);",
    "const d = req.query.a; if (!['a', 'b'].includes(d)) throw new Error(); cp.exec('ls ' + d);",
    "if (req.query.a === 'all') cp.exec('ls ' + req.query.a);",
    "const dirs = { a: 'x', b: 'y' }; cp.exec('ls ' + dirs[req.query.a]);",
    "let d = req.query.a; d = '.'; cp.exec('ls ' + d);",
    "cp.exec('ls ' + (1 > 2 ? req.query.a : '.'));",
    "validate(req.query.a); cp.exec('ls ' + req.query.a);",
    "cp.execFile('ls', [req.query.a]);",
    "cp.exec('ls', { cwd: req.query.a });",
    "cp.exec('ls ' + req.query.a); // postil-ignore",
    "fetch('https://example.com/' + req.query.a);",
    "res.redirect('/' + req.query.a.length);",
    "db.query('SELECT * FROM a WHERE b = $1', [req.query.a]);",
    "const o = { cmd: 'ls', name: req.query.a }; run(o); function run({ cmd }) { cp.exec(cmd + ' -l'); }",
  ];
  for (const line of harmless) assert.deepEqual(await ofNew(handler(line)), [], line);
  assert.deepEqual(
    await ofNew("export const read = (file: string) => require('fs').readFileSync(file);\n", 'src/a.ts'),
    [],
  );
  assert.deepEqual(
    await ofNew(
      "const cp = require('child_process');\nexports.kill = (pid: number) => cp.exec('kill ' + pid);\n",
      'src/a.ts',
    ),
    [],
  );
  for (const path of ['test/a.js', 'scripts/a.js', 'examples/a.js', 'src/a.test.js'])
    assert.deepEqual(await ofNew(handler('cp.exec("ls " + req.body.dir);'), path), [], path);
});

test('a match of a rule by syntax and a flow to the same sink are one finding', async () => {
  const text = handler('const dir = req.query.dir;', "cp.exec('ls ' + dir);");
  const { findings } = await reviewHere({
    change: changeOf({ 'src/a.js': [null, text] }),
    configuration: resolveConfiguration({}),
    sources: [patterns, dataflow],
    signal,
  });
  assert.deepEqual(
    findings.map(({ severity, rules, cwe, related }) => [severity, rules, cwe, related.length > 1]),
    [['critical', ['patterns/shell-injection', 'dataflow/command-injection'], 'CWE-78', true]],
  );
});

test('hostile code terminates: deep nesting, long chains, mutual recursion, a huge function', async () => {
  const texts = [
    `exports.a = (req, res) => { x = ${'('.repeat(3_000)}req.query.a${')'.repeat(3_000)}; };`,
    `exports.a = (req, res) => { x = req.query.a${'.b'.repeat(20_000)}; };`,
    `exports.a = (req, res) => { x = ${Array.from({ length: 20_000 }, () => 'req.query.a').join(' + ')}; };`,
    `exports.a = (req, res) => ${'{ if (req.query.a) '.repeat(1_000)}{}${'}'.repeat(1_000)};`,
    `${Array.from({ length: 300 }, (_, index) => `function f${index}(a) { ${Array.from({ length: 40 }, (_, other) => `f${(index * 7 + other) % 300}(a);`).join(' ')} }`).join('\n')}\nexports.f = f0;`,
    `exports.a = (req, res) => {\n${Array.from({ length: 20_000 }, (_, index) => `if (req.query.a${index}) { v${index} = req.query.b + v${index - 1}; }`).join('\n')}\n};`,
    `exports.a = (a) => { while (a) { ${'for (const k in a) { a = a[k]; '.repeat(60)}${'}'.repeat(60)} } };`,
  ];
  for (const text of texts) {
    const { findings } = await dataflow.compare(
      sidesOf({ 'src/a.js': [null, `${text}\n`] }),
      defaultConfiguration.reviews,
      signal,
    );
    assert.ok(findings.length < 10, text.slice(0, 60));
  }
});
