import assert from 'node:assert/strict';
import { test } from 'node:test';
import { workConnection } from './queue-connection.ts';

test('the queue connects with the same settings as everything else, followed by those of the URL', () => {
  const target = { socketDirectory: '/data', port: 5432, user: 'postil', database: 'postil' };
  for (const { options } of [workConnection(target), workConnection({ url: 'postgres://db.test/reviews' })]) {
    assert.match(options, /-c lock_timeout=15000 -c statement_timeout=50000/);
    assert.match(options, /-c search_path="\$user",\\ public/);
  }
  const named = workConnection({
    url: 'postgres://db.test/reviews?options=-c%20search_path%3Down&sslmode=disable&jit=on',
  });
  assert.match(named.options, /-c jit=on .*-c search_path=own$/);
  assert.equal(named.options.match(/search_path|jit/g)?.length, 2);
});
