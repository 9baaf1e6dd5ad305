import type { Database, Tx } from './database.ts';

/**
 * Reads the transaction's snapshot on another connection, so that both are busy at once. While fewer than half of the
 * connections are free, it reads on the transaction's own: waiting for a second connection while holding one could deadlock.
 * The transaction must be repeatable read and stay open until the result is returned.
 */
export async function readBeside<T>(
  database: Database,
  tx: Tx,
  read: (beside: Tx) => Promise<T>,
): Promise<T> {
  const [exported] = await tx<[{ snapshot: string }]>`SELECT pg_export_snapshot() AS snapshot`;
  const { inUse, size } = database.connections().transactions;
  if (inUse > size / 2) return read(tx);
  return database.transaction(
    async (beside) => {
      await beside.unsafe(`SET TRANSACTION SNAPSHOT '${exported.snapshot}'`);
      return read(beside);
    },
    { isolation: 'repeatable read', readOnly: true },
  );
}
