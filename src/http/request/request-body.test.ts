import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { RequestBody } from './request-body.ts';

test('the memory of a large body is freed at the end of its request, without waiting for the garbage collector', async () => {
  const sent = Buffer.alloc(300_000, 'abc');
  const headers = { 'content-length': String(sent.length) };
  const request = Readable.from([sent.subarray(0, 70_000), sent.subarray(70_000)], { objectMode: false });
  const body = new RequestBody(Object.assign(request, { headers }) as never);
  const received = await body.readWhole(sent.length);
  assert.ok(received.equals(sent));
  body.end();
  assert.equal(received.length, 0);
});
