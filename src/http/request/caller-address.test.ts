import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestApp } from '../../../test/harness.ts';
import { readSettings } from '../../settings.ts';

/** The client address in the audit log for a request from 127.0.0.1 with this header. */
async function auditedAddress(POSTIL_TRUST_PROXY: string, forwardedFor: string): Promise<string> {
  const { trustProxy } = readSettings({ POSTIL_TRUST_PROXY });
  const app = await startTestApp({ settings: { trustProxy } });
  const invited = await app.call('POST', '/operator/v1/dashboard-invitations', {
    body: { email: 'root@postil.test', installation_admin: true },
    headers: { authorization: 'Bearer operator-token-of-the-tests', 'x-forwarded-for': forwardedFor },
  });
  assert.equal(invited.status, 201);
  const [entry] = await app.database.sql<{ ip_address: string }[]>`
    SELECT ip_address FROM audit_entries WHERE action = 'dashboard.invited'`;
  return entry!.ip_address;
}

for (const [trusted, forwardedFor, address] of [
  ['', '203.0.113.1', '127.0.0.1'],
  ['false', '203.0.113.1', '127.0.0.1'],
  ['0', '203.0.113.1', '127.0.0.1'],
  ['1', '203.0.113.1, 198.51.100.7', '198.51.100.7'],
  ['2', '203.0.113.1, 198.51.100.7, 10.1.2.3', '198.51.100.7'],
  ['10.0.0.0/8', '203.0.113.1', '127.0.0.1'],
  ['loopback', '203.0.113.1, 198.51.100.7', '198.51.100.7'],
  ['127.0.0.1, 10.0.0.0/8', '203.0.113.1, 198.51.100.7, 10.1.2.3', '198.51.100.7'],
  ['1', '198.51.100.7:51234', '198.51.100.7'],
  ['1', '[2001:DB8:0::7]:443', '2001:db8::7'],
  ['1', '::ffff:198.51.100.7', '198.51.100.7'],
  ['1', 'unknown', '127.0.0.1'],
  ['1', '999.1.1.1', '127.0.0.1'],
] as const)
  test(`with POSTIL_TRUST_PROXY=${trusted}, "${forwardedFor}" is a request of ${address}`, async () => {
    assert.equal(await auditedAddress(trusted, forwardedFor), address);
  });

test('"true" is rejected with a hint at the alternatives, and so is anything but a number or networks', () => {
  const attempt = (POSTIL_TRUST_PROXY: string) => () => readSettings({ POSTIL_TRUST_PROXY });
  assert.throws(
    attempt('true'),
    /POSTIL_TRUST_PROXY: .*number of your proxies.*"true" would let callers choose/,
  );
  for (const text of [
    'yes',
    '-1',
    '1.5',
    '100',
    '10.0.0.0/33',
    '0.0.0.0/0',
    '::/0',
    '10.0.0',
    '1,10.0.0.1',
    '10.0.0.1,',
  ])
    assert.throws(attempt(text), /POSTIL_TRUST_PROXY: /, text);
});
