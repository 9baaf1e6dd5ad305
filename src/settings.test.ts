import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSettings } from './settings.ts';

const oidc = {
  POSTIL_OIDC_ISSUER: 'https://login.acme.test',
  POSTIL_OIDC_CLIENT_ID: 'postil',
  POSTIL_PUBLIC_URL: 'https://postil.acme.test/some/path',
};

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

test('an identity provider must use https, unless it is on this machine', () => {
  assert.throws(
    () => readSettings({ ...oidc, POSTIL_OIDC_ISSUER: 'http://login.acme.test' }),
    /POSTIL_OIDC_ISSUER: must be an https/,
  );
  assert.ok(readSettings({ ...oidc, POSTIL_OIDC_ISSUER: 'http://127.0.0.1:9000' }));
});
