import type { RuleExamples } from '../rule-examples.ts';
import { type RuleFacts, type RuleTable, security, stability } from '../rule-facts.ts';
import { harm } from '../severity-table.ts';

/** The dangers of untrusted values that are not sanitized. Severities are for values from a request. */
export const dataflowTable = {
  'command-injection': [
    harm.takeover,
    security,
    'A value from outside becomes part of a shell command',
    'Whoever chooses the value can run other commands. Start the program with a list of arguments and without a shell.',
    'CWE-78',
  ],
  'sql-injection': [
    harm.takeover,
    security,
    'A value from outside becomes part of a query',
    'Whoever chooses the value can ask the database anything. Pass it as a parameter of the query.',
    'CWE-89',
  ],
  'nosql-injection': [
    harm.takeover,
    security,
    'A value from outside becomes a query of the database',
    'Whoever sends it decides on operators and conditions, not on a value alone. Take the values out of it, as texts.',
    'CWE-943',
  ],
  'code-injection': [
    harm.takeover,
    security,
    'A value from outside is run as code',
    'Whoever chooses the value can run anything here.',
    'CWE-95',
  ],
  'path-traversal': [
    harm.unprotected,
    security,
    'A value from outside decides on a path',
    'With `../` in it, files outside of the folder can be reached. Resolve the path and check that it stays inside.',
    'CWE-22',
  ],
  'request-forgery': [
    harm.unprotected,
    security,
    'A value from outside decides where a request goes',
    'Services that only this machine can reach can be asked through it. Allow the hosts that are meant.',
    'CWE-918',
  ],
  'html-injection': [
    harm.unprotected,
    security,
    'A value from outside is put into HTML as it is',
    'Whoever chooses the value can run scripts in the page of others. Escape it.',
    'CWE-79',
  ],
  'open-redirect': [
    harm.unprotected,
    security,
    'A value from outside decides where people are sent',
    'A link to this site can lead to any other. Allow paths of this site only.',
    'CWE-601',
  ],
  deserialization: [
    harm.unprotected,
    security,
    'A value from outside is made into objects',
    'Reading such a format can run code that its sender chose. Use a format for data, such as JSON.',
    'CWE-502',
  ],
  'template-injection': [
    harm.unprotected,
    security,
    'A value from outside becomes a template',
    'Templates can run code. Pass the value to a template of your own.',
    'CWE-1336',
  ],
  'slow-regex': [
    harm.unprotected,
    stability,
    'A value from outside becomes a regular expression',
    'Whoever chooses it can choose one that runs for minutes. Escape it, or look for a plain text.',
    'CWE-1333',
  ],
  'property-injection': [
    harm.unprotected,
    security,
    'Names from outside decide on what is written',
    'With `__proto__` among them, every object of the program is changed. Refuse that name, `constructor` and `prototype`, or use a `Map`.',
    'CWE-1321',
  ],
} as const satisfies RuleTable;

/** The finding of `slow-regex` about a regular expression in the program itself. */
export const slowExpression: RuleFacts = [
  harm.unprotected,
  stability,
  'A regular expression that a text can make slow',
  'While it runs, nobody else is served. Make it clear which part each sign belongs to, or limit the length of the text.',
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
