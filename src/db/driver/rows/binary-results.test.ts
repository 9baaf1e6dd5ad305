import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '../../../../test/properties.ts';
import { withBinaryResults } from './binary-results.ts';

function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeUInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

test('a Bind that names result formats itself is an error, never sent as something else', () => {
  assert.throws(
    () => withBinaryResults(message('B', Buffer.from('000000010000', 'hex').fill(1, 5))),
    /has changed/,
  );
});

const anyBody = fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes));
const anyMessage = fc.record({ type: fc.constantFrom('B', 'P', 'E', 'S', 'D', 'X', 'p'), body: anyBody });

test('in any sequence of messages, every Bind is made to ask for binary results and the others stay as they are', () => {
  fc.assert(
    fc.property(fc.array(anyMessage), (messages) => {
      const whole = ({ type, body }: { type: string; body: Buffer }, formats: string) =>
        message(type, type === 'B' ? Buffer.concat([body, Buffer.from(formats, 'hex')]) : body);
      const sent = Buffer.concat(messages.map((one) => whole(one, '0000')));
      const expected = Buffer.concat(messages.map((one) => whole(one, '00010001')));
      assert.deepEqual(withBinaryResults(sent), expected);
    }),
  );
});
