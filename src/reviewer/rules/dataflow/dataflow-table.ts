import type { RuleExamples } from '../rule-examples.ts';
import { type RuleFacts, type RuleTable, security, stability } from '../rule-facts.ts';
import { harm } from '../severity-table.ts';

/** The dangers of untrusted values that are not sanitized. Severities are for values from a request. */
export const dataflowTable = {
  'command-injection': [
    harm.takeover,
    security,
    'Untrusted input in a shell command',
    'Whoever controls the value can run other commands. Start the program with a list of arguments and without a shell.',
    'CWE-78',
  ],
  'sql-injection': [
    harm.takeover,
    security,
    'Untrusted input in a database query',
    'Whoever controls the value can change the query (SQL injection). Pass it as a query parameter.',
    'CWE-89',
  ],
  'nosql-injection': [
    harm.takeover,
    security,
    'Untrusted input is used as a database query',
    'Whoever sends it can add operators and conditions, not only values. Take the single values from it, and convert them to strings.',
    'CWE-943',
  ],
  'code-injection': [
    harm.takeover,
    security,
    'Untrusted input is executed as code',
    'Whoever controls the value can run any code here.',
    'CWE-95',
  ],
  'path-traversal': [
    harm.unprotected,
    security,
    'Untrusted input in a file path',
    'With `../` in it, files outside of the directory can be reached. Resolve the path, and check that it is still inside.',
    'CWE-22',
  ],
  'request-forgery': [
    harm.unprotected,
    security,
    'Untrusted input decides where a request is sent',
    'An attacker can reach services that only this machine can access (server-side request forgery). Allow only the intended hosts.',
    'CWE-918',
  ],
  'html-injection': [
    harm.unprotected,
    security,
    'Untrusted input is put into HTML without escaping',
    'Whoever controls the value can run scripts in the browsers of others (cross-site scripting). Escape it.',
    'CWE-79',
  ],
  'open-redirect': [
    harm.unprotected,
    security,
    'Untrusted input decides where users are redirected',
    'A link to this site can lead to any other site. Allow only paths of this site.',
    'CWE-601',
  ],
  deserialization: [
    harm.unprotected,
    security,
    'Untrusted input is deserialized',
    'Deserializing such a format can run code that the sender chose. Use a data-only format, such as JSON.',
    'CWE-502',
  ],
  'template-injection': [
    harm.unprotected,
    security,
    'Untrusted input is used as a template',
    'Templates can run code. Pass the value to your own template as data.',
    'CWE-1336',
  ],
  'slow-regex': [
    harm.unprotected,
    stability,
    'Untrusted input is used as a regular expression',
    'An attacker can choose one that takes minutes to match. Escape the value, or search for a plain string.',
    'CWE-1333',
  ],
  'property-injection': [
    harm.unprotected,
    security,
    'Prototype pollution by untrusted property names',
    'With `__proto__` as a name, every object of the program is changed. Reject that name, `constructor` and `prototype`, or use a `Map`.',
    'CWE-1321',
  ],
} as const satisfies RuleTable;

/** The finding of `slow-regex` about a regular expression in the program itself. */
export const slowExpression: RuleFacts = [
  harm.unprotected,
  stability,
  'Regular expression with excessive backtracking',
  'While it runs, it blocks other work. Rewrite it so that each character can match only one of its parts, or limit the length of the input.',
  'CWE-1333',
];

export type FlowRule = keyof typeof dataflowTable;

/**
 * The severity for values from callers of an exported function, or from arguments of the program: these are less often an
 * attacker's.
 */
export const severityFromOthers = harm.exposed;

const handler = (...lines: string[]) => `import express from 'express';\n${lines.join('\n')}\n`;

export const dataflowExamples: RuleExamples<typeof dataflowTable> = {
  'command-injection': {
    path: 'src/log.js',
    fails:
      "const { exec } = require('child_process');\n\nmodule.exports = (req, res) => {\n  const command = 'git log ' + req.query.branch;\n  exec(command, (error, out) => res.json({ out }));\n};\n",
    passes:
      "const { execFile } = require('child_process');\n\nmodule.exports = (req, res) => {\n  execFile('git', ['log', '--', req.query.branch], (error, out) => res.json({ out }));\n};\n",
  },
  'sql-injection': {
    path: 'src/users.js',
    fails:
      'module.exports = (db) => async (req, res) => {\n  const query = "SELECT * FROM users WHERE name = \'" + req.body.name + "\'";\n  res.json(await db.query(query));\n};\n',
    passes:
      "module.exports = (db) => async (req, res) => {\n  res.json(await db.query('SELECT * FROM users WHERE name = $1', [req.body.name]));\n};\n",
  },
  'nosql-injection': {
    path: 'src/login.js',
    fails:
      'module.exports = (users) => async (req, res) => {\n  res.json(await users.findOne(req.body));\n};\n',
    passes:
      'module.exports = (users) => async (req, res) => {\n  res.json(await users.findOne({ name: String(req.body.name) }));\n};\n',
  },
  'code-injection': {
    path: 'src/formula.js',
    fails:
      'module.exports = (req, res) => {\n  const formula = req.query.formula;\n  res.json({ result: eval(formula) });\n};\n',
    passes:
      "const { evaluate } = require('./formula');\n\nmodule.exports = (req, res) => {\n  res.json({ result: evaluate(req.query.formula) });\n};\n",
  },
  'path-traversal': {
    path: 'src/files.js',
    fails:
      "const fs = require('fs');\nconst path = require('path');\n\nmodule.exports = (req, res) => {\n  const file = path.join('public', req.params.name);\n  fs.createReadStream(file).pipe(res);\n};\n",
    passes:
      "const fs = require('fs');\nconst path = require('path');\n\nmodule.exports = (req, res) => {\n  const file = path.resolve('public', req.params.name);\n  if (!file.startsWith(path.resolve('public') + path.sep)) return res.sendStatus(404);\n  fs.createReadStream(file).pipe(res);\n};\n",
  },
  'request-forgery': {
    path: 'src/preview.js',
    fails:
      'module.exports = async (req, res) => {\n  const answer = await fetch(req.query.url);\n  res.json({ title: await answer.text() });\n};\n',
    passes:
      "module.exports = async (req, res) => {\n  const answer = await fetch('https://images.example.com/' + encodeURIComponent(req.query.name));\n  res.json({ title: await answer.text() });\n};\n",
  },
  'html-injection': {
    path: 'src/hello.js',
    fails: handler(
      "const app = express();\napp.get('/', (req, res) => {\n  const name = req.query.name;\n  res.send('<h1>Hello ' + name + '</h1>');\n});",
    ),
    passes: handler(
      "import escapeHtml from 'escape-html';\nconst app = express();\napp.get('/', (req, res) => {\n  res.send('<h1>Hello ' + escapeHtml(req.query.name) + '</h1>');\n});",
    ),
  },
  'open-redirect': {
    path: 'src/login.ts',
    fails: handler(
      'export function done(req: express.Request, res: express.Response) {\n  res.redirect(req.query.next as string);\n}',
    ),
    passes: handler(
      "export function done(req: express.Request, res: express.Response) {\n  res.redirect('/start?next=' + encodeURIComponent(String(req.query.next)));\n}",
    ),
  },
  deserialization: {
    path: 'src/session.js',
    fails:
      "const { unserialize } = require('node-serialize');\n\nmodule.exports = (req, res) => res.json(unserialize(req.cookies.profile));\n",
    passes: 'module.exports = (req, res) => res.json(JSON.parse(req.cookies.profile));\n',
  },
  'template-injection': {
    path: 'src/page.js',
    fails:
      "const ejs = require('ejs');\n\nmodule.exports = (req, res) => res.send(ejs.render(req.body.page, {}));\n",
    passes:
      "const ejs = require('ejs');\n\nmodule.exports = (req, res) => res.send(ejs.render('<%= page %>', { page: req.body.page }));\n",
  },
  'slow-regex': {
    path: 'src/search.js',
    fails:
      'module.exports = (names) => (req, res) => {\n  const wanted = new RegExp(req.query.q);\n  res.json(names.filter((name) => wanted.test(name)));\n};\n',
    passes:
      'module.exports = (names) => (req, res) => {\n  const wanted = req.query.q;\n  res.json(names.filter((name) => name.includes(wanted)));\n};\n',
  },
  'property-injection': {
    path: 'src/merge.js',
    fails:
      "function merge(target, source) {\n  for (const key in source) {\n    if (typeof source[key] === 'object') target[key] = merge(target[key] || {}, source[key]);\n    else target[key] = source[key];\n  }\n  return target;\n}\nmodule.exports = merge;\n",
    passes:
      "function merge(target, source) {\n  for (const key in source) {\n    if (key === '__proto__' || key === 'constructor') continue;\n    if (typeof source[key] === 'object') target[key] = merge(target[key] || {}, source[key]);\n    else target[key] = source[key];\n  }\n  return target;\n}\nmodule.exports = merge;\n",
  },
};
