import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientArguments } from './client-options.ts';
import type { ConnectionTarget } from './sql.ts';

const argumentsFor = (target: ConnectionTarget) =>
  clientArguments(target, { max: 1, applicationName: 'test' });

test('a URL may name the folder of a unix socket in both ways that libpq knows', () => {
  for (const url of [
    'postgres://me:secret@%2Fvar%2Frun%2Fpg:5433/reviews?sslmode=disable',
    'postgresql://me:secret@/reviews?host=/var/run/pg&port=5433&sslmode=disable',
  ]) {
    const [client, options] = argumentsFor({ url });
    assert.match(client, /^postgres(ql)?:\/\/me:secret@localhost\/reviews\?sslmode=disable$/);
    assert.equal(options.path, '/var/run/pg/.s.PGSQL.5433');
  }
  assert.equal(argumentsFor({ url: 'postgres:///reviews?host=/run/pg' })[1].path, '/run/pg/.s.PGSQL.5432');
});

test('a URL of a network address stays as it is', () => {
  for (const url of ['postgres://localhost', 'postgres://me@db.test:5433/reviews?sslmode=require']) {
    const [client, options] = argumentsFor({ url });
    assert.equal(client, url);
    assert.equal(options.path, undefined);
  }
});

test('the embedded database is reached through its socket, without a network', () => {
  const target = { socketDirectory: '/data/postgres', port: 5432, user: 'postil', database: 'postil' };
  const [, { path, user, database, ssl }] = argumentsFor(target);
  assert.deepEqual(
    { path, user, database, ssl },
    {
      path: '/data/postgres/.s.PGSQL.5432',
      user: 'postil',
      database: 'postil',
      ssl: false,
    },
  );
});
