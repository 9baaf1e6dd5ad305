import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvReply } from './page-reply.ts';

test('the next page is given by its cursor and by its URL with the same parameters', () => {
  const reply = csvReply(Buffer.from(''), '/v1/x?format=csv&cursor=old&q=a%20b', 'new_-');
  assert.deepEqual(reply.headers, {
    'x-next-cursor': 'new_-',
    link: '</v1/x?format=csv&cursor=new_-&q=a+b>; rel="next"',
  });
  assert.deepEqual(csvReply(Buffer.from(''), '/v1/x?format=csv', null).headers, {});
});
