import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientOptions } from './client-options.ts';
import type { ConnectionTarget } from './sql.ts';

const optionsFor = (target: ConnectionTarget) => {
  const { path, host, port, user, pass, database, ssl } = clientOptions(target, {
    max: 1,
    applicationName: 'test',
  });
  return { path, host, port, user, pass, database, ssl };
};
const nobody = { path: undefined, host: undefined, port: undefined, user: undefined, pass: undefined };

test('a URL may name the folder of a unix socket in both ways that libpq knows', () => {
  for (const url of [
    'postgres://me:secret@%2Fvar%2Frun%2Fpg:5433/reviews?sslmode=disable',
    'postgresql://me:secret@/reviews?host=/var/run/pg&port=5433&sslmode=disable',
  ])
    assert.deepEqual(optionsFor({ url }), {
      ...nobody,
      path: '/var/run/pg/.s.PGSQL.5433',
      user: 'me',
      pass: 'secret',
      database: 'reviews',
      ssl: false,
    });
  assert.equal(optionsFor({ url: 'postgres:///reviews?host=/run/pg' }).path, '/run/pg/.s.PGSQL.5432');
});

test('a URL of a network address names its host, port, user, password and database, each decoded', () => {
  const url = 'postgres://m%40e:p%2Fs:s@[::1]:5433/my%20reviews?sslmode=require';
  assert.deepEqual(optionsFor({ url }), {
    path: undefined,
    host: ['::1'],
    port: [5433],
    user: 'm@e',
    pass: 'p/s:s',
    database: 'my reviews',
    ssl: false,
  });
  assert.deepEqual(optionsFor({ url: 'postgres://localhost' }), {
    ...nobody,
    host: ['localhost'],
    port: [5432],
    database: undefined,
    ssl: false,
  });
});

test('the embedded database is reached through its socket, without a network', () => {
  const target = { socketDirectory: '/data/postgres', port: 5432, user: 'postil', database: 'postil' };
  assert.deepEqual(optionsFor(target), {
    ...nobody,
    path: '/data/postgres/.s.PGSQL.5432',
    user: 'postil',
    pass: 'none',
    database: 'postil',
    ssl: false,
  });
});

test('what a URL sets for its sessions is sent as it says, and comes before what we set', () => {
  const sent = (query: string) => {
    const options = clientOptions(
      { url: `postgres://a/reviews${query}` },
      { max: 1, applicationName: 'test' },
    );
    return options.connection as unknown as Record<string, string>;
  };
  const { search_path, statement_timeout, lock_timeout } = sent('?search_path=own&statement_timeout=120000');
  assert.deepEqual([search_path, statement_timeout, lock_timeout], ['own', '120000', '15000']);
  const named = sent('?options=-c%20search_path%3Down%20-c%20DateStyle%3DGerman&sslmode=require');
  assert.equal(named.options, '-c search_path=own -c DateStyle=German');
  assert.deepEqual([named.search_path, named.DateStyle, named.lock_timeout], [undefined, undefined, '15000']);
  assert.equal('sslmode' in named, false);
});

test('a server on this machine may take a minute to accept a connection, any other and a pooler five seconds', () => {
  const secondsFor = (target: ConnectionTarget) =>
    clientOptions(target, { max: 1, applicationName: 'test' }).connect_timeout;
  const own = { socketDirectory: '/data/postgres', port: 5432, user: 'postil', database: 'postil' };
  assert.equal(secondsFor(own), 60);
  assert.equal(secondsFor({ url: 'postgres:///reviews?host=/run/pg' }), 60);
  assert.equal(secondsFor({ url: 'postgres:///reviews?host=/run/pg&pooling=transaction' }), 5);
  assert.equal(secondsFor({ url: 'postgres://db.test/reviews' }), 5);
});
