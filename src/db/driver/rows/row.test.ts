import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '../../../../test/properties.ts';
import { ColumnsRow, isRowMessage, MessageRow, type Row } from './row.ts';

type Columns = readonly (Buffer | null)[];

/** The message in which PostgreSQL sends a row. */
function messageOf(columns: Columns): Buffer {
  const parts = columns.flatMap((column) => {
    const size = Buffer.alloc(4);
    size.writeInt32BE(column?.length ?? -1);
    return column === null ? [size] : [size, column];
  });
  const head = Buffer.alloc(7);
  head.write('D');
  head.writeUInt16BE(columns.length, 5);
  const message = Buffer.concat([head, ...parts]);
  message.writeUInt32BE(message.length - 1, 1);
  return message;
}

function assertShows(row: Row, columns: Columns): void {
  for (const [index, column] of columns.entries()) {
    assert.equal(row.size(index), column?.length ?? -1);
    assert.equal(row.text(index), column === null ? null : column.toString());
    if (column === null || column.length === 0) continue;
    assert.equal(row.firstByte(index), column[0]);
    const copied = Buffer.alloc(column.length + 2, 0x2e);
    row.copy(index, copied, 1);
    assert.equal(copied.toString('latin1'), `.${column.toString('latin1')}.`);
  }
}

const column = fc.option(
  fc.string({ unit: 'binary', maxLength: 50 }).map((text) => Buffer.from(text)),
  { nil: null },
);
const rows = fc.array(fc.array(column, { maxLength: 5 }), { maxLength: 8 });

test('a row read inside its message has the same columns as one split by the client, message after message', () => {
  const inMessage = new MessageRow();
  fc.assert(
    fc.property(rows, fc.nat(20), (all, before) => {
      const bytes = Buffer.concat([Buffer.alloc(before, 0x7b), ...all.map(messageOf)]);
      let at = before;
      for (const columns of all) {
        assert.ok(isRowMessage(bytes, at));
        inMessage.moveTo(bytes, at);
        assertShows(inMessage, columns);
        assertShows(new ColumnsRow(columns), columns);
        at += bytes.readUInt32BE(at + 1) + 1;
      }
    }),
  );
});

test('a null or empty column has no first byte, whatever follows it', () => {
  const row = new MessageRow();
  row.moveTo(messageOf([null, Buffer.alloc(0), Buffer.from('{')]), 0);
  for (const index of [0, 1, 3]) assert.throws(() => row.firstByte(index), RangeError);
  assert.equal(row.firstByte(2), 0x7b);
});

test('an integer is the same in both kinds of row, and one that a number cannot represent exactly is an error', () => {
  const inMessage = new MessageRow();
  const read = (value: bigint): [() => number, () => number] => {
    const text = Buffer.from(String(value));
    inMessage.moveTo(messageOf([null, text]), 0);
    return [() => inMessage.integer(1), () => new ColumnsRow([null, text]).integer(1)];
  };
  fc.assert(
    fc.property(fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n), (value) => {
      const isSafe = Number.isSafeInteger(Number(value));
      for (const integer of read(value))
        if (isSafe) assert.equal(integer(), Number(value));
        else assert.throws(integer, RangeError);
    }),
  );
  for (const value of [0, -1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER])
    assert.deepEqual(
      read(BigInt(value)).map((integer) => integer()),
      [value, value],
    );
});

test('bytes that were selected as base64, which PostgreSQL breaks into lines, are the same in both kinds of row', () => {
  const inMessage = new MessageRow();
  fc.assert(
    fc.property(fc.option(fc.uint8Array({ maxLength: 200 })), (bytes) => {
      const expected = bytes === null ? null : Buffer.from(bytes);
      const text = expected?.toString('base64').replaceAll(/.{76}/g, '$&\n');
      const column = text === undefined ? null : Buffer.from(text);
      inMessage.moveTo(messageOf([column]), 0);
      assert.deepEqual(inMessage.base64(0), expected);
      assert.deepEqual(new ColumnsRow([column]).base64(0), expected);
    }),
  );
});
