import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isHarmlessName, isOwnedKey, kindOfName, NAME_KEYWORDS } from './secret-names.ts';

const NAMES = {
  password: [
    'password',
    'DB_PASSWORD',
    'dbPassword',
    'pwd',
    'user.passwd',
    'SMTP_PASS',
    'admin-pass',
    'jwtPassphrase',
    'password_2',
  ],
  secret: [
    'secret',
    'client_secret',
    'clientSecret',
    'apiToken',
    'API_KEY',
    'apikey',
    'X-Api-Key',
    'accessKey',
    'privateKey',
    'SECRET_ACCESS_KEY',
    'credentials',
    'creds',
    'token_123',
    'mySecretString',
    'SLAPIKEY',
    'JSESSIONID',
    'session_id',
    'account-key',
  ],
  key: ['key', 'auth', 'access', 'sdk.key', 'license'],
} as const;

const HARMLESS = [
  'monkey',
  'keyboard',
  'keyword',
  'author',
  'accessor',
  'accessibility',
  'compass',
  'passenger',
  'tokenizer',
  'secretary',
  'publicKey',
  'PUBLIC_KEY',
  'pubkey',
  'primaryKey',
  'foreign_key',
  'csrfToken',
  'nextPageToken',
  'max_tokens',
  'keyId',
  'token_url',
  'tokenType',
  'passwordLength',
  'secretName',
  'api_version',
  'password_hash',
  'keyCode',
  'accessLevel',
  'PublicKeyToken',
  'AUTH_USER_MODEL',
  'bypass',
  'by-PASS',
  'password_change',
];

for (const [kind, names] of Object.entries(NAMES)) {
  test(`names of kind ${kind} are recognized`, () => {
    for (const name of names) assert.equal(kindOfName(name), kind, name);
  });
}

test('names that only sound like secrets have no kind', () => {
  for (const name of HARMLESS) assert.equal(kindOfName(name), undefined, name);
});

test('a key has an owner unless it is a lookup key', () => {
  for (const name of ['boostnoteKey', 'BOX_KEY', 'kontent_key', 'nifi.registry.bootstrap.sensitive.key'])
    assert.ok(isOwnedKey(name), name);
  for (const name of ['key', 'itemKey', 'storage_key', 'keyId', 'workspaceBlueprintPrimaryRemoteKey'])
    assert.ok(!isOwnedKey(name), name);
});

test('every name with a kind contains one of the keywords it is found by', () => {
  for (const name of Object.values(NAMES).flat()) {
    assert.ok(
      NAME_KEYWORDS.some((keyword) => name.toLowerCase().includes(keyword)),
      name,
    );
  }
});

test('a name that ends in a version, a digest or an address is harmless, a client id is not', () => {
  for (const name of ['aws_commit', 'datadogVersion', 'sentry-url', 'heroku_app_name'])
    assert.ok(isHarmlessName(name));
  for (const name of ['discord_client_id', 'herokuKey', 'twitter']) assert.ok(!isHarmlessName(name));
});
