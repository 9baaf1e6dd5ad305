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
    'A value is inserted into a shell command',
    'Whoever controls the value can run other commands. Pass the arguments as a list, without a shell.',
    'CWE-78',
  ],
  code: [
    harm.unprotected,
    security,
    'A string is executed as code',
    'Whoever controls the string can run any code here.',
    'CWE-95',
  ],
  html: [
    harm.unprotected,
    security,
    'A request value is put into HTML without escaping',
    'An attacker can send a link that runs scripts in this page (cross-site scripting). Escape the value.',
    'CWE-79',
  ],
  path: [
    harm.unprotected,
    security,
    'A request value decides which file is executed',
    'With another path in it, other files are executed. Choose from a fixed list of files.',
    'CWE-22',
  ],
  objects: [
    harm.unprotected,
    security,
    'Unsafe deserialization',
    'Deserializing this format can run code that the sender chose. Use a data-only format, such as JSON.',
    'CWE-502',
  ],
  certificate: [
    harm.unprotected,
    security,
    'Certificate verification is disabled',
    'Anybody on the network path can read and change what is sent.',
    'CWE-295',
  ],
  hash: [
    harm.exposed,
    security,
    'Insecure hash function',
    'Two inputs with the same hash can be constructed. Use SHA-256 or newer; for passwords, use a password hash such as Argon2.',
    'CWE-328',
  ],
  cipher: [
    harm.exposed,
    security,
    'Insecure encryption algorithm or mode',
    'The algorithm is too weak, or the mode (ECB) reveals which blocks are equal. Use AES-GCM.',
    'CWE-327',
  ],
  random: [
    harm.exposed,
    security,
    'Predictable random number',
    'Somebody who has seen a few values can compute the next ones. For tokens, passwords and other secrets, use a cryptographically secure generator.',
    'CWE-338',
  ],
  cookie: [
    harm.exposed,
    security,
    'Cookie without the `Secure` attribute',
    'It is also sent over unencrypted connections, where others can read it. Set the attribute.',
    'CWE-614',
  ],
  overflow: [
    harm.unprotected,
    security,
    'Possible buffer overflow',
    'Nothing limits how much is written, so a longer string overwrites the memory behind the buffer. Limit the length to the size of the buffer.',
    'CWE-120',
  ],
  format: [
    harm.unprotected,
    security,
    'A variable is used as the format string',
    'If it contains `%`, memory is read or overwritten. Print it with `%s`.',
    'CWE-134',
  ],
  uninitialized: [
    harm.sometimes,
    stability,
    'Use of uninitialized memory',
    'Whatever was in memory before is treated as a value, which is undefined behavior. Use `MaybeUninit`.',
    'CWE-908',
  ],
} as const satisfies Readonly<Record<string, RuleFacts>>;
