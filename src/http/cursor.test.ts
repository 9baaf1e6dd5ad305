import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import fc from '../../test/properties.ts';
import { AppError } from '../lib/app-error.ts';
import { createCursorCodec } from './cursor.ts';

const codec = createCursorCodec(randomBytes(32));
const assertRejected = (run: () => unknown) =>
  assert.throws(run, (error) => error instanceof AppError && error.code === 'INVALID_REQUEST');

test('a cursor returns exactly the position that was sealed in it, and two cursors of one position differ', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (binding, position) => {
      const cursor = codec.seal(binding, position);
      assert.deepEqual(codec.open(binding, cursor), JSON.parse(JSON.stringify(position)));
      assert.notEqual(codec.seal(binding, position), cursor);
    }),
  );
});

test('a cursor with another binding, secret or encoding is rejected', () => {
  const cursor = codec.seal(['endpoint', 'scope', { a: 1 }], { at: 5 });
  for (const binding of [
    ['endpoint', 'scope', { a: 2 }],
    ['other', 'scope', { a: 1 }],
    ['endpoint', 'other', { a: 1 }],
    null,
  ]) {
    assertRejected(() => codec.open(binding, cursor));
  }
  assertRejected(() => createCursorCodec(randomBytes(32)).open(['endpoint', 'scope', { a: 1 }], cursor));
  for (const text of [
    '',
    'x',
    `${cursor}=`,
    ` ${cursor}`,
    cursor.slice(1),
    `${cursor}A`,
    cursor.replaceAll('-', '+'),
  ]) {
    if (text !== cursor) assertRejected(() => codec.open(['endpoint', 'scope', { a: 1 }], text));
  }
});

test('a cursor with any byte changed, or any arbitrary text, is rejected', () => {
  const cursor = codec.seal('binding', { at: 12345 });
  const bytes = Buffer.from(cursor, 'base64url');
  for (let index = 0; index < bytes.length; index += 1) {
    const changed = Buffer.from(bytes);
    changed[index] = changed[index]! ^ 1;
    assertRejected(() => codec.open('binding', changed.toString('base64url')));
  }
  fc.assert(fc.property(fc.string(), (text) => assertRejected(() => codec.open('binding', text))));
});
