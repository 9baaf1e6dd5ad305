import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faultOfDatabaseUrl, readDatabaseUrl } from './database-url.ts';

const password = 'x7Kq93LmVt';

test('a URL names any number of hosts, each with its port or the usual one', () => {
  const { hosts, ofHost, isPooled, ...who } = readDatabaseUrl(
    `postgres://me:${password}@a:6001,b,[::1]:6003/reviews?target_session_attrs=read-write&sslmode=require`,
  );
  assert.deepEqual(hosts, [
    { host: 'a', port: 6001 },
    { host: 'b', port: 5432 },
    { host: '::1', port: 6003 },
  ]);
  assert.equal(isPooled, false);
  const { ofHost: _, hosts: only, ...whoAtHost } = readDatabaseUrl(ofHost(hosts[2]!));
  assert.deepEqual(only, [hosts[2]]);
  assert.deepEqual(whoAtHost, { ...who, isPooled });
  assert.deepEqual([who.user, who.password, who.database], ['me', password, 'reviews']);
});

test('the parameter for a pooler applies to each of the hosts, and is not a session setting', () => {
  const { hosts, ofHost, isPooled, settings } = readDatabaseUrl(
    'postgres://a,b/reviews?pooling=transaction&target_session_attrs=primary&jit=on',
  );
  assert.equal(isPooled, true);
  assert.deepEqual(settings, { jit: 'on' });
  assert.equal(readDatabaseUrl(ofHost(hosts[1]!)).isPooled, true);
});

test('a URL of one host, or of the folder of a socket, is accepted in every form', () => {
  for (const url of [
    'postgres://localhost',
    'postgresql://me:p%40ss@db.test:5433/reviews?options=-c%20search_path%3Down',
    'postgres://me:p@ss:w@db.test/reviews',
    'postgres://me@%2Fvar%2Frun%2Fpg:5433/reviews',
    'postgres:///reviews?host=/run/pg',
  ])
    assert.equal(faultOfDatabaseUrl(url, false), undefined, url);
  assert.equal(readDatabaseUrl('postgres://me:p@ss:w@db.test/reviews').password, 'p@ss:w');
});

test('an invalid URL is refused, and the reason does not contain its password', () => {
  const refused: [string, RegExp][] = [
    ['mysql://a', /postgres:\/\//],
    ['a,b', /postgres:\/\//],
    ['postgres://a:x,b/reviews', /postgres:\/\//],
    ['postgres://a,,b/reviews', /commas/],
    ['postgres://a,%2Frun%2Fpg/reviews', /socket/],
    ['postgres://a,b/reviews?target_session_attrs=standby', /read-write or primary/],
    ['postgres://a/reviews?pooling=session', /transaction/],
    ['postgres://a%/reviews', /%25|postgres:/],
    ['postgres://a/re%views', /%25/],
    ['postgres://a/reviews?connect_timeout=3', /^connect_timeout is not supported: .*5 seconds/],
    ['postgres://a/reviews?channel_binding=require', /^channel_binding is not supported: .*verify-full/],
    ['postgres://a/reviews?ssl=true', /^ssl is not supported: use sslmode/],
    ['postgres://a/reviews?password=secret', /^password is not supported: .*before the parameters/],
    ['postgres://a/reviews?host=b', /^host can only be the folder/],
    ['postgres://a/reviews?port=5433', /^port belongs to the host/],
    ['postgres://a/reviews?sslmode=require&sslmode=disable', /^sslmode is given twice/],
    ['postgres://1/ss%word@a/reviews', /%25/],
    ['postgres://a/reviews?s%24cret', /%3F/],
  ];
  for (const [url, reason] of refused) {
    const fault = faultOfDatabaseUrl(url.replace('://', `://me:${password}@`), false);
    assert.match(fault ?? 'accepted', reason, url);
    assert.doesNotMatch(fault!, new RegExp(password));
  }
  assert.equal(faultOfDatabaseUrl('postgres://a,b/reviews?target_session_attrs=standby', true), undefined);
});
