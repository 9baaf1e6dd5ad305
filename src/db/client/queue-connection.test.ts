import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PeerCertificate } from 'node:tls';
import { workConnection } from './queue-connection.ts';

test('the queue connects with the same settings as everything else, followed by those of the URL', () => {
  const target = { socketDirectory: '/data', port: 5432, user: 'postil', database: 'postil' };
  for (const { options } of [workConnection(target), workConnection({ url: 'postgres://db.test/reviews' })]) {
    assert.match(options, /-c lock_timeout=15000 -c statement_timeout=50000/);
    assert.match(options, /-c search_path="\$user",\\ public/);
  }
  const named = workConnection({
    url: 'postgres://db.test/reviews?options=-c%20search_path%3Down&sslmode=disable',
  });
  assert.match(named.options, /-c search_path=own$/);
  assert.equal(named.options.match(/search_path/g)?.length, 1);
  assert.equal(named.connectionString, 'postgres://db.test/reviews');
});

test('of several hosts, the certificate must name the one that the connection went to', () => {
  const { ssl } = workConnection({ url: 'postgres://a.test,b.test/reviews?sslmode=verify-full' });
  assert.ok(ssl);
  const certificate = { subject: { CN: 'b.test' }, subjectaltname: 'DNS:b.test' } as PeerCertificate;
  const check = (servedBy: string) =>
    ssl.checkServerIdentity!.call({ socket: { servedBy } }, 'a.test', certificate);
  assert.equal(check('b.test'), undefined);
  assert.ok(check('a.test'));
});
