import { type RuleFacts, security, stability } from '../../rule-facts.ts';
import { harm } from '../../severity-table.ts';
import { sqlFacts } from '../pattern-rule.ts';

/** The facts of rules that several languages share. */
export const shared = {
  sql: [sqlFacts.severity, security, sqlFacts.title, sqlFacts.why, sqlFacts.cwe],
  /** For languages without data flow: a public benchmark shows that half of the matches are harmless. */
  query: [harm.exposed, security, sqlFacts.title, sqlFacts.why, sqlFacts.cwe],
  shell: [
    harm.unprotected,
    security,
    'A value is put into a shell command',
    'Whoever chooses the value can run other commands. Pass a list of arguments, without a shell.',
    'CWE-78',
  ],
  code: [
    harm.unprotected,
    security,
    'Text is run as code',
    'Whoever chooses the text can run anything here.',
    'CWE-95',
  ],
  html: [
    harm.unprotected,
    security,
    'A value of a request is put into HTML as it is',
    'Whoever sends a link to this page can run scripts in it. Escape it.',
    'CWE-79',
  ],
  path: [
    harm.unprotected,
    security,
    'A value of a request decides which file is run',
    'With another path in it, other files are run. Choose among the ones that are meant.',
    'CWE-22',
  ],
  objects: [
    harm.unprotected,
    security,
    'Foreign data is made into objects',
    'Reading this format can run code that its sender chose. Use a format for data, such as JSON.',
    'CWE-502',
  ],
  certificate: [
    harm.unprotected,
    security,
    'The certificate is not checked',
    'Anybody on the way can read and change what is sent.',
    'CWE-295',
  ],
  hash: [
    harm.exposed,
    security,
    'The hash is broken',
    'Two texts with the same hash can be made. Use SHA-256 or newer; for passwords, a function made for them.',
    'CWE-328',
  ],
  cipher: [
    harm.exposed,
    security,
    'The encryption is broken',
    'The algorithm is too short, or shows which blocks are alike. Use AES with GCM.',
    'CWE-327',
  ],
  random: [
    harm.exposed,
    security,
    'The random number can be guessed',
    'Whoever has seen some of them knows the next. For tokens, passwords and the like, use a generator for security.',
    'CWE-338',
  ],
  cookie: [
    harm.exposed,
    security,
    'The cookie is sent without encryption too',
    'Whoever is on the way can read it. Let it be secure.',
    'CWE-614',
  ],
  overflow: [
    harm.unprotected,
    security,
    'Nothing limits how much is written',
    'A longer text overwrites what is behind it in memory. Say how much there is room for.',
    'CWE-120',
  ],
  format: [
    harm.unprotected,
    security,
    'A variable is the format',
    'With `%` in it, memory is read or written. Print it with `%s`.',
    'CWE-134',
  ],
  uninitialized: [
    harm.sometimes,
    stability,
    'Memory is used before it holds anything',
    'What was there before is taken for a value. Use `MaybeUninit`.',
    'CWE-908',
  ],
} as const satisfies Readonly<Record<string, RuleFacts>>;
