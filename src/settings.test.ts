import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readLocalReviewSettings } from './command-settings.ts';
import { readSettings } from './settings.ts';

const oidc = {
  POSTIL_OIDC_ISSUER: 'https://login.acme.test',
  POSTIL_OIDC_CLIENT_ID: 'postil',
  POSTIL_PUBLIC_URL: 'https://postil.acme.test/some/path',
};

test('replicas are a list of URLs, each with one or several hosts, and require a database of your own', () => {
  assert.deepEqual(readSettings({}).replicaUrls, []);
  const settings = readSettings({
    DATABASE_URL: 'postgres://primary/postil',
    DATABASE_REPLICA_URL: 'postgres://a,b:5433/postil, postgresql://c/postil',
    POSTIL_REPLICA_MAX_LAG_SECONDS: '10',
  });
  assert.deepEqual(settings.replicaUrls, ['postgres://a,b:5433/postil', 'postgresql://c/postil']);
  assert.equal(settings.replicaMaxLagMs, 10_000);
  assert.throws(
    () => readSettings({ DATABASE_REPLICA_URL: 'postgres://a/postil' }),
    /DATABASE_URL: required/,
  );
  for (const wrong of [{ DATABASE_REPLICA_URL: 'mysql://a' }, { POSTIL_REPLICA_MAX_LAG_SECONDS: '4' }])
    assert.throws(() => readSettings({ DATABASE_URL: 'postgres://primary/postil', ...wrong }), /must be/);
});

test('an empty value is unset, except where that would silently choose another database, token or key', () => {
  assert.deepEqual(readSettings({ POSTIL_OIDC_ISSUER: '' }).oidc, undefined);
  for (const name of ['DATABASE_URL', 'POSTIL_OPERATOR_TOKEN', 'POSTIL_SOURCE_KEY'])
    assert.throws(() => readSettings({ [name]: '' }), new RegExp(`${name}: is empty; unset it to use the`));
});

test('single sign-on requires a client and the public URL, of which only the origin is used', () => {
  assert.equal(readSettings({}).oidc, undefined);
  const settings = readSettings(oidc);
  assert.equal(settings.publicUrl, 'https://postil.acme.test');
  assert.deepEqual(settings.oidc, {
    issuer: 'https://login.acme.test',
    clientId: 'postil',
    clientSecret: undefined,
    trustEmail: false,
  });
  for (const name of ['POSTIL_OIDC_CLIENT_ID', 'POSTIL_PUBLIC_URL'] as const)
    assert.throws(() => readSettings({ ...oidc, [name]: '' }), new RegExp(`${name}: required`));
});

test('a mail server is one URL with a sender and the public address; a password needs TLS on the way to another machine', () => {
  const mail = {
    POSTIL_SMTP_URL: 'smtp://user:p%40ss@mail.acme.test',
    POSTIL_SMTP_FROM: 'Postil <postil@acme.test>',
    POSTIL_PUBLIC_URL: 'https://postil.acme.test',
  };
  assert.equal(readSettings({}).mail, undefined);
  assert.deepEqual(readSettings(mail).mail, {
    host: 'mail.acme.test',
    port: 587,
    isSecure: false,
    requiresTls: true,
    auth: { user: 'user', pass: 'p@ss' },
    from: 'Postil <postil@acme.test>',
  });
  const read = (url: string) => readSettings({ ...mail, POSTIL_SMTP_URL: url }).mail!;
  assert.deepEqual(
    [read('smtps://mail.acme.test').port, read('smtps://mail.acme.test').isSecure],
    [465, true],
  );
  assert.equal(read('smtp://user:pass@127.0.0.1:1025').requiresTls, false);
  assert.equal(read('smtp://mail.acme.test:25').requiresTls, false, 'there is no password to protect');
  for (const wrong of ['mail.acme.test', 'https://mail.acme.test', 'smtp://', 'smtp://a:%zz@mail.acme.test'])
    assert.throws(() => read(wrong), /POSTIL_SMTP_URL: must be a URL such as/);
  for (const wrong of ['Postil', 'a@b <c@d.test>', 'Postil <a@b.test>\r\nBcc: x@y.test'])
    assert.throws(() => readSettings({ ...mail, POSTIL_SMTP_FROM: wrong }), /POSTIL_SMTP_FROM: must be/);
  for (const name of ['POSTIL_SMTP_FROM', 'POSTIL_PUBLIC_URL'])
    assert.throws(() => readSettings({ ...mail, [name]: '' }), new RegExp(`${name}: required`));
});

test('an identity provider must use https, unless it is on this machine', () => {
  assert.throws(
    () => readSettings({ ...oidc, POSTIL_OIDC_ISSUER: 'http://login.acme.test' }),
    /POSTIL_OIDC_ISSUER: must be an https/,
  );
  assert.ok(readSettings({ ...oidc, POSTIL_OIDC_ISSUER: 'http://127.0.0.1:9000' }));
});

test('the settings of the model are validated together, and all their faults are listed at once', () => {
  const model = { POSTIL_MODEL_URL: 'http://10.0.0.7:8000/v1/', POSTIL_MODEL_NAME: 'local' };
  assert.equal(readSettings({}).model, undefined);
  assert.deepEqual(readSettings({}).reviewLimits, {
    maxTokens: 200_000,
    maxSeconds: 600,
    contextTokens: 6_000,
  });
  assert.equal(readSettings({ POSTIL_REVIEW_CONTEXT_TOKENS: '0' }).reviewLimits.contextTokens, 0);
  for (const wrong of ['-1', 'many', '1.5', ''.padEnd(10, '9')])
    assert.throws(
      () => readSettings({ POSTIL_REVIEW_CONTEXT_TOKENS: wrong }),
      /POSTIL_REVIEW_CONTEXT_TOKENS: must be/,
    );
  const expected = { url: 'http://10.0.0.7:8000/v1', name: 'local', apiKey: undefined, kind: 'openai' };
  assert.deepEqual(readSettings(model).model, { ...expected, priceIn: 0, priceOut: 0 });
  assert.deepEqual(readLocalReviewSettings(model).model, { ...expected, priceIn: 0, priceOut: 0 });
  for (const read of [readSettings, readLocalReviewSettings])
    assert.throws(
      () => read({ POSTIL_MODEL_NAME: 'x', POSTIL_MODEL_KIND: 'other', POSTIL_REVIEW_MAX_TOKENS: '0' }),
      (error: Error) =>
        [
          'POSTIL_MODEL_URL: required',
          'POSTIL_MODEL_KIND: must be',
          'POSTIL_REVIEW_MAX_TOKENS: must be',
        ].every((fault) => error.message.includes(fault)),
    );
  for (const read of [readSettings, readLocalReviewSettings])
    assert.throws(
      () => read({ POSTIL_REVIEW_MAX_SECONDS: '80001' }),
      /POSTIL_REVIEW_MAX_SECONDS: must be a whole number from 1 to 80000/,
    );
  assert.equal(readSettings({ POSTIL_REVIEW_MAX_SECONDS: '80000' }).reviewLimits.maxSeconds, 80_000);
  assert.throws(
    () => readSettings({ ...model, POSTIL_MODEL_URL: 'https://api.test/v1/chat/completions' }),
    /POSTIL_MODEL_URL: must be the base/,
  );
});

test('an archive is only allowed with the embedded database', () => {
  assert.equal(readSettings({}).archive, undefined);
  assert.deepEqual(readSettings({ POSTIL_ARCHIVE_DIR: '/mnt/archive', POSTIL_ARCHIVE_DAYS: '30' }).archive, {
    folder: '/mnt/archive',
    days: 30,
  });
  assert.throws(
    () => readSettings({ POSTIL_ARCHIVE_DIR: '/mnt/archive', DATABASE_URL: 'postgres://primary/postil' }),
    /POSTIL_ARCHIVE_DIR: is only for the embedded database/,
  );
});
