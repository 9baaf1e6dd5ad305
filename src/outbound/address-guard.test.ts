import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type AllowedAddresses,
  isInternal,
  parseAllowedAddresses,
  publicAddresses,
} from './address-guard.ts';

test('internal addresses are recognized in every notation', () => {
  const internal = [
    '127.0.0.1',
    '127.8.8.8',
    '0.0.0.0',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::1',
    '::',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:a9fe:a9fe',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    'fd00::1',
    '2001:0:7f00:1::',
    '2001:db8::1',
    '3fff::1',
    'fe80::1',
    'fe80::1%eth0',
    'ff02::1',
    'not an address',
  ];
  for (const address of internal) assert.ok(isInternal(address), address);
  for (const address of [
    '8.8.8.8',
    '1.1.1.1',
    '172.32.0.1',
    '2606:4700::1111',
    '2001:4860:4860::8888',
    '::ffff:8.8.8.8',
  ])
    assert.ok(!isInternal(address), address);
});

test('the operator can allow addresses, ranges and host names', () => {
  const guard = publicAddresses(
    parseAllowedAddresses('10.0.0.5, 192.168.0.0/16,hooks.acme.test') as AllowedAddresses,
  );
  assert.ok(guard('10.0.0.5', 'anything'));
  assert.ok(guard('192.168.7.7', 'anything'));
  assert.ok(guard('10.9.9.9', 'Hooks.Acme.test'));
  assert.ok(!guard('10.0.0.6', 'anything'));
  assert.ok(!guard('127.0.0.1', 'hooks.acme.test.evil.test'));
});

test('an invalid element of the list is reported', () => {
  for (const invalid of ['10.0.0.0/40', 'http://x', '10.0.0.0/x', 'a b'])
    assert.equal(parseAllowedAddresses(`10.0.0.1,${invalid}`), invalid);
});
