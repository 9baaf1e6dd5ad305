import assert from 'node:assert/strict';
import { test } from 'node:test';
import { REDACTION_MARKER, REDACTOR_VERSION, redactCredentials } from './redact-credentials.ts';
import { generateSample, seededRandom } from './samples/generate-sample.ts';
import { UUID } from './samples/scanner-format.ts';

const random = seededRandom(2024);
const sample = (format: string): string => generateSample(format, random);

/** Text before and after redaction, with a freshly generated secret for `‹…›`; the rest must stay. */
const KEPT_CONTEXT: readonly [before: string, after: string][] = [
  ['Use ‹ghp_[A-Za-z0-9]{36}› in CI.', 'Use [REDACTED] in CI.'],
  ['postgres://app:‹[A-Za-z0-9]{12}›@db.internal:5432/app', 'postgres://app:[REDACTED]@db.internal:5432/app'],
  ['redis://:‹[A-Za-z0-9]{20}›@cache:6379/0', 'redis://:[REDACTED]@cache:6379/0'],
  [
    'mongodb+srv://joe:‹p@ss[a-z]{4}9!›@cluster0.example.net/x',
    'mongodb+srv://joe:[REDACTED]@cluster0.example.net/x',
  ],
  [
    'git clone https://‹ghp_[A-Za-z0-9]{36}›@github.com/o/r.git',
    'git clone https://[REDACTED]@github.com/o/r.git',
  ],
  ['Authorization: Bearer ‹[A-Za-z0-9]{40}›', 'Authorization: Bearer [REDACTED]'],
  ["'Authorization': 'Token ‹[0-9a-f]{40}›',", "'Authorization': 'Token [REDACTED]',"],
  ['Authorization: Basic ‹dXNlcjpwYXNzd29yZA›==', 'Authorization: Basic [REDACTED]'],
  ['password = "‹[a-z]{6}42›"', 'password = "[REDACTED]"'],
  ['password: ‹[a-z]{6}42›', 'password: [REDACTED]'],
  ['DB_PASSWORD=‹[a-z]{14}›\nDB_USER=app', 'DB_PASSWORD=[REDACTED]\nDB_USER=app'],
  ['{"client_secret": "‹[A-Za-z0-9_-]{40}›", "grant": 1}', '{"client_secret": "[REDACTED]", "grant": 1}'],
  ['<password>‹[A-Za-z0-9]{12}›</password>', '<password>[REDACTED]</password>'],
  ['<add key="DbPassword" value="‹[A-Za-z0-9!]{12}›" />', '<add key="DbPassword" value="[REDACTED]" />'],
  ['- name: API_TOKEN\n  value: ‹[A-Za-z0-9]{32}›', '- name: API_TOKEN\n  value: [REDACTED]'],
  ['api_key: |\n  ‹[A-Za-z0-9]{32}›\nother: 1', 'api_key: |\n  [REDACTED]\nother: 1'],
  ['?page=2&access_token=‹[A-Za-z0-9]{30}›&size=5', '?page=2&access_token=[REDACTED]&size=5'],
  [
    'Server=db;User Id=sa;Password=‹[A-Za-z0-9]{8}›;Encrypt=true',
    'Server=db;User Id=sa;Password=[REDACTED];Encrypt=true',
  ],
  [
    'AccountName=acc;AccountKey=‹[A-Za-z0-9+/]{86}==›;Suffix=x',
    'AccountName=acc;AccountKey=[REDACTED];Suffix=x',
  ],
  [
    'machine api.example.com login joe password ‹[A-Za-z0-9]{12}›',
    'machine api.example.com login joe password [REDACTED]',
  ],
  ['curl -u admin:‹[A-Za-z0-9]{12}› https://localhost', 'curl -u admin:[REDACTED] https://localhost'],
  ['mysql -u root -p‹[A-Za-z0-9]{10}› app', 'mysql -u root -p[REDACTED] app'],
  ['app --api-token ‹[A-Za-z0-9]{32}› --verbose', 'app --api-token [REDACTED] --verbose'],
  ['the password is ‹[a-z]{6}42›, change it', 'the password is [REDACTED], change it'],
  [
    'https://hooks.slack.com/services/‹T[A-Z0-9]{8}/B[A-Z0-9]{8}/[A-Za-z0-9]{24}›',
    'https://hooks.slack.com/services/[REDACTED]',
  ],
  ['//registry.example.com/:_authToken=‹[0-9a-f]{24}›', '//registry.example.com/:_authToken=[REDACTED]'],
  ['blob?sv=2022&sig=‹[A-Za-z0-9%]{43}›%3D&se=1', 'blob?sv=2022&sig=[REDACTED]&se=1'],
  [`heroku_api_key=‹${UUID}›`, 'heroku_api_key=[REDACTED]'],
  ['Cookie: _gitlab_session=‹[0-9a-z]{32}›; theme=dark', 'Cookie: _gitlab_session=[REDACTED]; theme=dark'],
];

for (const [before, after] of KEPT_CONTEXT) {
  test(`only the credential is replaced: ${after.replaceAll('\n', '\\n')}`, () => {
    assert.equal(redactCredentials(before.replace(/‹(.*)›/s, (_, format: string) => sample(format))), after);
  });
}

test('our own keys of every kind are replaced', () => {
  for (const kind of ['u', 'o', 'ws', 'op']) {
    assert.equal(
      redactCredentials(`key: ${sample(`pst_${kind}_[A-Za-z0-9]{43}[A-Za-z0-9]{6}`)}.`),
      'key: [REDACTED].',
    );
  }
});

test('a private key is replaced from its first to its last line', () => {
  const body = Array.from({ length: 12 }, () => sample('[A-Za-z0-9+/]{64}')).join('\n');
  for (const kind of ['RSA PRIVATE KEY', 'PRIVATE KEY', 'OPENSSH PRIVATE KEY', 'PGP PRIVATE KEY BLOCK']) {
    const block = `-----BEGIN ${kind}-----\n${body}\n-----END ${kind}-----`;
    assert.equal(redactCredentials(`before\n${block}\nafter`), 'before\n[REDACTED]\nafter');
    assert.equal(redactCredentials(`"${block.replaceAll('\n', '\\n')}"`), '"[REDACTED]"');
  }
});

test('a truncated private key is replaced as far as it goes', () => {
  const body = Array.from({ length: 5 }, () => sample('[A-Za-z0-9+/]{64}')).join('\n');
  assert.equal(redactCredentials(`-----BEGIN PRIVATE KEY-----\n${body}`), REDACTION_MARKER);
  assert.equal(
    redactCredentials(`-----BEGIN PRIVATE KEY-----\n${body}\nThis is how it was found.`),
    '[REDACTED]\nThis is how it was found.',
  );
});

test('a certificate and a public key stay', () => {
  const body = sample('[A-Za-z0-9+/]{64}');
  for (const kind of ['CERTIFICATE', 'PUBLIC KEY']) {
    const block = `-----BEGIN ${kind}-----\n${body}\n-----END ${kind}-----`;
    assert.equal(redactCredentials(block), block);
  }
});

test('credentials that overlap or touch become one marker', () => {
  const token = sample('ghp_[A-Za-z0-9]{36}');
  assert.equal(redactCredentials(`password = "${token}"`), 'password = "[REDACTED]"');
  assert.equal(redactCredentials(`Authorization: Bearer ${token}`), 'Authorization: Bearer [REDACTED]');
  assert.equal(redactCredentials(token + token), REDACTION_MARKER);
});

test('text that consists of a single credential becomes just the marker', () => {
  assert.equal(redactCredentials(sample('AKIA[A-Z2-7]{16}')), REDACTION_MARKER);
});

test('a credential in an escaped or encoded text is found', () => {
  const token = sample('sk_live_[A-Za-z0-9]{30}');
  assert.equal(redactCredentials(`a\\n${token}\\nb`), 'a\\n[REDACTED]\\nb');
  assert.equal(redactCredentials(`?q=%3D${token}&x`), '?q=%3D[REDACTED]&x');
  assert.equal(
    redactCredentials(`{\\"api_token\\": \\"${sample('[A-Za-z0-9]{32}')}\\"}`),
    '{\\"api_token\\": \\"[REDACTED]\\"}',
  );
});

test('text without credentials is returned unchanged, even if it is empty', () => {
  assert.equal(redactCredentials(''), '');
  assert.equal(redactCredentials('Prefer early returns.'), 'Prefer early returns.');
});

test('redacting text that was crafted to reveal one credential after another terminates, too', () => {
  const chain = `mysql -p${'a1[REDACTED]'.repeat(3)} `.repeat(300);
  const once = redactCredentials(chain);
  assert.equal(redactCredentials(once), once);
});

test('the version is an integer that can be stored with a record', () => {
  assert.ok(Number.isInteger(REDACTOR_VERSION) && REDACTOR_VERSION > 0);
});
