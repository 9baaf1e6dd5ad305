import type { RuleExamples } from '../../rule-examples.ts';
import { type RuleTable, security } from '../../rule-facts.ts';
import { harm } from '../../severity-table.ts';

/** Protections that a change must not remove while the protected code stays. */
export const lostProtectionTable = {
  'cleaning-removed': [
    harm.unprotected,
    security,
    'Escaping or sanitization was removed',
    'The value is now used exactly as it was sent. Keep the call, or explain where else this is done.',
    'CWE-116',
  ],
  'check-removed': [
    harm.unprotected,
    security,
    'A security check was removed',
    'What it rejected is now accepted. Keep the check, or explain where else this is done.',
    'CWE-693',
  ],
  'weaker-random': [
    harm.unprotected,
    security,
    'Secure random numbers were replaced by predictable ones',
    'Somebody who has seen a few values can compute the next ones. Keep the cryptographically secure generator.',
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
