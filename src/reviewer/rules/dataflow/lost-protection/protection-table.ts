import type { RuleExamples } from '../../rule-examples.ts';
import { type RuleTable, security } from '../../rule-facts.ts';
import { harm } from '../../severity-table.ts';

/** Protections that a change must not remove while the protected code stays. */
export const lostProtectionTable = {
  'cleaning-removed': [
    harm.unprotected,
    security,
    'A value is no longer made harmless',
    'It now arrives as whoever chose it wrote it. Keep the call, or say where else it is done.',
    'CWE-116',
  ],
  'check-removed': [
    harm.unprotected,
    security,
    'A check that kept something out is gone',
    'What it refused now gets through. Keep the check, or say where else it is done.',
    'CWE-693',
  ],
  'weaker-random': [
    harm.unprotected,
    security,
    'Random numbers that can be guessed take the place of ones that cannot',
    'Who has seen a few of them can tell the next ones. Keep the source that is made for secrets.',
    'CWE-338',
  ],
} as const satisfies RuleTable;

export type LostProtectionRule = keyof typeof lostProtectionTable;

/** Here, `passes` is the file before a change, and `fails` the file after it. */
export const lostProtectionExamples: RuleExamples<typeof lostProtectionTable> = {
  'cleaning-removed': {
    path: 'src/row.js',
    fails: "export const row = (user) => '<td>' + user.name + '</td>';\n",
    passes:
      "import escapeHtml from 'escape-html';\nexport const row = (user) => '<td>' + escapeHtml(user.name) + '</td>';\n",
  },
  'check-removed': {
    path: 'src/copy.js',
    fails:
      'function copy(target, source) {\n  for (const key of Object.keys(source)) {\n    target[key] = source[key];\n  }\n}\n',
    passes:
      "function copy(target, source) {\n  for (const key of Object.keys(source)) {\n    if (key === '__proto__') continue;\n    target[key] = source[key];\n  }\n}\n",
  },
  'weaker-random': {
    path: 'src/invite.js',
    fails: 'export const invite = () => Math.random().toString(36).slice(2);\n',
    passes:
      "import { randomBytes } from 'node:crypto';\nexport const invite = () => randomBytes(16).toString('hex');\n",
  },
};
