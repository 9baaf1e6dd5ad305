import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestApp } from '../../../../test/harness.ts';
import { advanceWriteClock } from './write-clock.ts';

const { database } = await startTestApp();

async function clockPages(): Promise<number> {
  const [row] = await database.sql<[{ pages: number }]>`
    SELECT (pg_relation_size('write_clock') / current_setting('block_size')::int)::int AS pages`;
  return row.pages;
}

test('the clock table does not grow while a long transaction holds an old snapshot', async () => {
  const before = await clockPages();
  await database.transaction(
    async (reader) => {
      await reader`SELECT 1 FROM write_clock`;
      for (let writer = 0; writer < 500; writer++)
        await database.transaction((tx) => advanceWriteClock(tx, 2));
      assert.equal(await clockPages(), before);
    },
    { isolation: 'repeatable read', readOnly: true, isLong: true },
  );
});

test('each position is used once, and transactions become visible in the order of their positions', async () => {
  const taken: { first: number; count: number }[] = [];
  await database.sql`CREATE TABLE visible (first int NOT NULL)`;
  const write = (count: number) =>
    database.transaction(async (tx) => {
      const { first } = await advanceWriteClock(tx, count);
      // Whoever holds the clock sees all earlier holders, and no later ones.
      const [row] = await tx<[{ newest: number | null }]>`SELECT max(first) AS newest FROM visible`;
      assert.ok((row.newest ?? 0) < first);
      assert.equal(row.newest, taken.at(-1)?.first ?? null);
      await tx`INSERT INTO visible VALUES (${first})`;
      taken.push({ first, count });
    });
  await Promise.all(Array.from({ length: 40 }, (_, index) => write(index % 4)));
  for (const [index, { first, count }] of taken.entries()) {
    const next = taken[index + 1];
    if (next !== undefined) assert.ok(first + count <= next.first);
  }
});
