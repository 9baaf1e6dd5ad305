import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ColumnsRow } from '../db/row.ts';
import { AppError } from '../lib/app-error.ts';
import { beginJsonPage, jsonPageBytes, jsonPageReply, maxResponseBytes } from './json-page.ts';
import { createPageMemory } from './page-memory.ts';

const rowOf = (bytes: Buffer) => new ColumnsRow([bytes]);
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

test('a page in memory that was used before is the same page', () => {
  const memory = createPageMemory();
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), cursor, (values, nextCursor) => {
      const texts = values.map((value) => JSON.stringify(value));
      const page = beginJsonPage(memory);
      for (const text of texts) page.add(rowOf(Buffer.from(text)), 0);
      const { content } = page.reply(nextCursor);
      assert.equal(String(content!.bytes), String(jsonPageReply(texts, nextCursor).content!.bytes));
      content!.onSent!();
      const again = beginJsonPage(memory);
      for (const text of texts) again.add(rowOf(Buffer.from(text)), 0);
      assert.equal(again.take(), texts.join());
    }),
  );
});

test('in used memory, too, 16 MiB exactly is sent and one byte more is refused', () => {
  const memory = createPageMemory();
  const room = maxResponseBytes - jsonPageBytes(3, 0, null);
  const pageOf = (bytes: number) => {
    const page = beginJsonPage(memory);
    for (const part of [1000, 5_000_000, bytes - 5_001_000]) page.add(rowOf(Buffer.alloc(part, '1')), 0);
    return page;
  };
  assert.equal((pageOf(room).reply(null).content!.bytes as Buffer).length, 16_777_216);
  const isTooLarge = (error: unknown) => error instanceof AppError && error.code === 'RESPONSE_TOO_LARGE';
  assert.throws(() => pageOf(room + 1).reply(null), isTooLarge);
  assert.throws(() => pageOf(3 * room).reply(null), isTooLarge);
});
