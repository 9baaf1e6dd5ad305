import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '../../../test/properties.ts';
import { AppError } from '../app-error.ts';
import { beginJsonPage, jsonPage, jsonPageBytes, maxResponseBytes } from './json-page.ts';
import { createPageMemory } from './page-memory.ts';

const rowOf = (bytes: Buffer) => ({
  size: () => bytes.length,
  copy: (_column: number, target: Buffer, at: number) => void target.set(bytes, at),
});
const cursor = fc.option(fc.base64String(), { nil: null });

test('a page is the JSON of its entries and its size is known before it is built', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), cursor, (values, nextCursor) => {
      const texts = values.map((value) => JSON.stringify(value));
      const page = jsonPage(texts, nextCursor);
      assert.deepEqual(JSON.parse(String(page)), {
        data: JSON.parse(JSON.stringify(values)),
        next_cursor: nextCursor,
      });
      const entryBytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
      assert.equal(page.length, jsonPageBytes(texts.length, entryBytes, nextCursor));
    }),
  );
});

test('a page of exactly 16 MiB is allowed, one byte more is not', () => {
  const frame = jsonPageBytes(1, 0, null);
  const entry = (bytes: number) => Buffer.alloc(bytes, '1');
  assert.equal(jsonPage([entry(maxResponseBytes - frame)], null).length, 16_777_216);
  assert.throws(
    () => jsonPage([entry(maxResponseBytes - frame + 1)], null),
    (error) => error instanceof AppError && error.code === 'RESPONSE_TOO_LARGE',
  );
});

test('a page built in reused memory has the same content', () => {
  const memory = createPageMemory();
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), cursor, (values, nextCursor) => {
      const texts = values.map((value) => JSON.stringify(value));
      const page = beginJsonPage(memory);
      for (const text of texts) page.add(rowOf(Buffer.from(text)), 0);
      const { bytes, release } = page.finish(nextCursor);
      assert.equal(String(bytes), String(jsonPage(texts, nextCursor)));
      release();
      const again = beginJsonPage(memory);
      for (const text of texts) again.add(rowOf(Buffer.from(text)), 0);
      assert.equal(again.take(), texts.join());
    }),
  );
});

test('in reused memory, too, exactly 16 MiB is allowed and one byte more is not', () => {
  const memory = createPageMemory();
  const room = maxResponseBytes - jsonPageBytes(3, 0, null);
  const pageOf = (bytes: number) => {
    const page = beginJsonPage(memory);
    for (const part of [1000, 5_000_000, bytes - 5_001_000]) page.add(rowOf(Buffer.alloc(part, '1')), 0);
    return page;
  };
  assert.equal(pageOf(room).finish(null).bytes.length, 16_777_216);
  const isTooLarge = (error: unknown) => error instanceof AppError && error.code === 'RESPONSE_TOO_LARGE';
  assert.throws(() => pageOf(room + 1).finish(null), isTooLarge);
  assert.throws(() => pageOf(3 * room).finish(null), isTooLarge);
});
