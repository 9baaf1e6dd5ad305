import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { AppError } from '../lib/app-error.ts';
import { jsonPageBytes, jsonPageReply, maxResponseBytes } from './json-page.ts';

const cursor = fc.option(fc.base64String(), { nil: null });

test('a page is the JSON of its entries and its size is known before it is built', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), cursor, (values, nextCursor) => {
      const texts = values.map((value) => JSON.stringify(value));
      const { content } = jsonPageReply(texts, nextCursor);
      assert.deepEqual(JSON.parse(String(content!.bytes)), {
        data: JSON.parse(JSON.stringify(values)),
        next_cursor: nextCursor,
      });
      const entryBytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
      assert.equal((content!.bytes as Buffer).length, jsonPageBytes(texts.length, entryBytes, nextCursor));
    }),
  );
});

test('16 MiB exactly is sent, one byte more is refused', () => {
  const frame = jsonPageBytes(1, 0, null);
  const entry = (bytes: number) => Buffer.alloc(bytes, '1');
  const reply = jsonPageReply([entry(maxResponseBytes - frame)], null);
  assert.equal((reply.content!.bytes as Buffer).length, 16_777_216);
  assert.throws(
    () => jsonPageReply([entry(maxResponseBytes - frame + 1)], null),
    (error) => error instanceof AppError && error.code === 'RESPONSE_TOO_LARGE',
  );
});
