import { Command } from 'commander';
import { redactCredentials } from '../src/redaction/redact-credentials.ts';

new Command('npm run bench:redaction --')
  .description(
    'Searches for the texts that cost the redaction of credentials most, and compares them with normal ones.',
  )
  .parse();

const NORMAL_LENGTH = 100_000;
const WORST_LENGTH = 10_000;
const REPEATS = 25;
const SEARCH_STEPS = 1200;
const SHOWN = 12;
const FINAL_REPEATS = 100;

/** Prose and code typical of Learnings, with words that trigger closer checks by the redactor. */
const PARAGRAPHS = [
  'Prefer named exports over default exports, and keep the public surface of a module small: a reader should find what it promises in its first lines.\n',
  'When a handler reads the access token from the header, validate its issuer and audience before it reaches the service layer; never log the token or the password.\n',
  'Migrations must be reversible. Add the column as nullable first, backfill in batches of 1,000 rows, then add the constraint in a second release (see commit 3f786850e387550fdab836ed7e6dc881de23001b).\n',
  'const client = new ApiClient({ baseUrl: config.baseUrl, apiKey: process.env.API_KEY, timeoutMs: 5_000 });\n',
  'export async function findUser(db: Database, scope: OrgScope, id: string): Promise<User | undefined> {\n  const rows = await db.query(`SELECT * FROM users WHERE id = $1`, [id]);\n  return rows[0];\n}\n',
  'if (password !== confirmation) { throw new AppError("INVALID_ITEM", "passwords differ"); }\n',
  '- name: DATABASE_URL\n  value: postgres://app@db.internal:5432/app?sslmode=require\n- key: cache-v2-550e8400-e29b-41d4-a716-446655440000\n',
  'Use `Promise.allSettled` for a batch whose items may fail alone; the primary key of the result is the index of the item. See https://example.com/docs/errors?lang=en#batches.\n',
];

/** Pieces that, repeated, make rules start matching and then fail: prefixes, names, operators, quotes and long runs. */
const PIECES = [
  ...[
    'a',
    'A',
    '0',
    '=',
    '-',
    '"',
    "'",
    ':',
    '/',
    '.',
    '@',
    '_',
    ' ',
    '\n',
    '\\',
    '[',
    '{',
    '<',
    '%',
    'e',
    'x1',
  ],
  ...[
    '-----BEGIN ',
    '-----BEGIN PRIVATE KEY-----',
    '-----END ',
    '://',
    '://a:',
    'password=',
    'password="',
    'token: ',
    'secret = ',
  ],
  ...[
    'key',
    'api_key=',
    '"token":"',
    'ghp_',
    'glpat-',
    'sk-',
    'sk_live_',
    'xoxb-',
    'AKIA',
    'AIza',
    'eyJ',
    'eyJa.',
    'ey.',
    'curl -u ',
    'curl ',
  ],
  ...[
    'Authorization: ',
    'Bearer ',
    'Basic ',
    'aws',
    'twitter',
    'twitter=',
    'azure_key=',
    'kind: Secret\n',
    'data:\n',
    'sig=',
    '&sig=',
    '$2a$',
  ],
  ...[
    'hvs.',
    'pypi-',
    'LS0tLS1CRUdJTi',
    'AAAA',
    'MTk4',
    's.',
    'pst_',
    'pst_u_',
    'Q~',
    'sl.',
    'a1B2',
    '0x',
    'mysql -p',
    ' -p',
    'value="',
    '[REDACTED]',
  ],
  ...['>{', '<secret>{', 'KEY ', 'KEY-', '-secret-', '?key=', 'unseal ', 'mailgun ', 'mailgun key '],
  ...["token - '", 'token" {', 'token() { return "', 'default = "', 'token{"', '${', '{a', '@a.', 'abc1xy9z'],
];

const normal = repeat(PARAGRAPHS.join(''), NORMAL_LENGTH);
const normalMs = shortestMs(normal);

const measured = PIECES.map((piece) => measure([piece]));
for (const first of PIECES) {
  const second = PIECES[(PIECES.indexOf(first) * 7 + 3) % PIECES.length] as string;
  measured.push(measure([first, second]));
}
let worst = slowest(measured);
for (let step = 0; step < SEARCH_STEPS; step += 1) {
  const candidate = measure(mutate(step % 3 === 0 ? pick(measured).pieces : worst.pieces), 5);
  if (candidate.ms > worst.ms * 0.9) {
    const again = measure(candidate.pieces);
    measured.push(again);
    worst = slowest([worst, again]);
  }
}

const slow = measured.sort((a, b) => b.ms - a.ms).slice(0, SHOWN);
const normalAgainMs = Math.min(normalMs, shortestMs(normal, FINAL_REPEATS));
const final = slow.map(({ pieces }) => measure(pieces, FINAL_REPEATS)).sort((a, b) => b.ms - a.ms);
print(`normal, ${NORMAL_LENGTH} characters: ${normalAgainMs.toFixed(2)} ms`);
for (const { pieces, ms } of final) {
  const shown = JSON.stringify(pieces.join('')).slice(0, 70);
  print(`${(ms / normalAgainMs).toFixed(2).padStart(6)} × normal  ${ms.toFixed(2).padStart(7)} ms  ${shown}`);
}
const ratio = slowest(final).ms / normalAgainMs;
print(`worst ${WORST_LENGTH} characters: ${ratio.toFixed(2)} × normal ${NORMAL_LENGTH}`);

interface Measured {
  readonly pieces: readonly string[];
  readonly ms: number;
}

function measure(pieces: readonly string[], repeats = REPEATS): Measured {
  return { pieces, ms: shortestMs(repeat(pieces.join(''), WORST_LENGTH), repeats) };
}

function mutate(pieces: readonly string[]): string[] {
  const changed = [...pieces];
  const at = Math.floor(Math.random() * (changed.length + 1));
  const choice = Math.random();
  if (choice < 0.4 && changed.length < 8) changed.splice(at, 0, pick(PIECES));
  else if (choice < 0.6 && changed.length > 1) changed.splice(at % changed.length, 1);
  else if (choice < 0.8) changed[at % changed.length] = pick(PIECES);
  else
    changed[at % changed.length] = (changed[at % changed.length] as string)
      .repeat(1 + Math.floor(Math.random() * 20))
      .slice(0, 400);
  return changed;
}

function pick<T>(from: readonly T[]): T {
  return from[Math.floor(Math.random() * from.length)] as T;
}

function slowest(from: readonly Measured[]): Measured {
  return from.reduce((a, b) => (b.ms > a.ms ? b : a));
}

function repeat(unit: string, length: number): string {
  return unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
}

/** The shortest of several runs: other activity on the machine can only make a run longer. */
function shortestMs(text: string, repeats = REPEATS): number {
  redactCredentials(text);
  const times = Array.from({ length: repeats }, () => {
    const start = performance.now();
    redactCredentials(text);
    return performance.now() - start;
  });
  return Math.min(...times);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
