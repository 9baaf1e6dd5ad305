import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createTestDatabase } from '../../../test/postgres.ts';
import fc from '../../../test/properties.ts';
import { arrayLiteral } from './array-literal.ts';

const { database, drop } = await createTestDatabase({ empty: true });
after(drop);

const text = fc.option(
  fc.oneof(
    fc.string({ unit: 'binary' }).filter((value) => !value.includes('\0') && value.isWellFormed()),
    fc.constantFrom('', 'NULL', 'null', '{}', ',', '"', '\\', '\\"', ' a ', "'", '\n'),
  ),
  { nil: null },
);

test('PostgreSQL reads back any text as it was written', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(text), async (values) => {
      const [row] = await database.sql`SELECT to_json(${arrayLiteral(values)}::text[]) AS values`;
      assert.deepEqual(row?.values, values);
    }),
    { numRuns: 200 },
  );
});

test('PostgreSQL reads numbers, booleans, dates and NULL with their types', async () => {
  const date = new Date('2026-02-28T23:59:59.999Z');
  const [row] = await database.sql`
    SELECT to_json(${arrayLiteral([1, -2.5, null])}::float8[]) AS numbers,
      to_json(${arrayLiteral([true, null])}::boolean[]) AS flags,
      (${arrayLiteral([date, null])}::timestamptz[])[1] AS date`;
  assert.deepEqual({ ...row }, { numbers: [1, -2.5, null], flags: [true, null], date });
});
