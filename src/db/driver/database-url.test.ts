import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faultOfDatabaseUrl, readDatabaseUrl } from './database-url.ts';

const password = 'x7Kq93LmVt';

test('a URL names any number of hosts, each with its port or the usual one', () => {
  const { hosts, plain, ofHost, isPooled } = readDatabaseUrl(
    `postgres://me:${password}@a:6001,b,[::1]:6003/reviews?target_session_attrs=read-write&sslmode=require`,
  );
  assert.deepEqual(hosts, [
    { host: 'a', port: 6001 },
    { host: 'b', port: 5432 },
    { host: '::1', port: 6003 },
  ]);
  assert.equal(isPooled, false);
  assert.equal(plain, `postgres://me:${password}@a:6001/reviews?sslmode=require`);
  assert.equal(
    readDatabaseUrl(ofHost(hosts[2]!)).plain,
    `postgres://me:${password}@[::1]:6003/reviews?sslmode=require`,
  );
});

test('that a pooler is in between holds for each of the hosts, and no driver is told', () => {
  const { hosts, plain, ofHost, isPooled } = readDatabaseUrl('postgres://a,b/reviews?pooling=transaction');
  assert.equal(isPooled, true);
  assert.equal(plain, 'postgres://a/reviews');
  assert.equal(readDatabaseUrl(ofHost(hosts[1]!)).isPooled, true);
});

test('a URL of one host stays exactly as it was written', () => {
  for (const url of [
    'postgres://localhost',
    'postgresql://me:p%40ss@db.test:5433/reviews?options=-c%20search_path%3Down',
    'postgres://me@%2Fvar%2Frun%2Fpg:5433/reviews',
    'postgres:///reviews?host=/run/pg',
  ]) {
    assert.equal(faultOfDatabaseUrl(url, false), undefined, url);
    assert.equal(readDatabaseUrl(url).plain, url);
  }
});

test('a URL that cannot be meant is refused, and the reason does not contain its password', () => {
  const refused: [string, RegExp][] = [
    ['mysql://a', /postgres:\/\//],
    ['a,b', /postgres:\/\//],
    ['postgres://a:x,b/reviews', /postgres:\/\//],
    ['postgres://a,,b/reviews', /commas/],
    ['postgres://a,%2Frun%2Fpg/reviews', /socket/],
    ['postgres://a,b/reviews?target_session_attrs=standby', /read-write or primary/],
    ['postgres://a/reviews?pooling=session', /transaction/],
  ];
  for (const [url, reason] of refused) {
    const fault = faultOfDatabaseUrl(url.replace('://', `://me:${password}@`), false);
    assert.match(fault ?? 'accepted', reason, url);
    assert.doesNotMatch(fault!, new RegExp(password));
  }
  assert.equal(faultOfDatabaseUrl('postgres://a,b/reviews?target_session_attrs=standby', true), undefined);
});
