import type { Database, Db, Tx } from '../../../db/database.ts';
import type { OrganizationId, RepositoryId } from '../../../lib/ids.ts';
import { lockWriteClock } from '../order/write-clock.ts';
import { sharedStorage } from './storage-map.ts';

/** Where an organization's metrics are, and where the operator wants them. */
export interface StorageState {
  readonly isIsolationWanted: boolean;
  /** The id of the organization's own storage. */
  readonly isolatedId: number;
  readonly hasPartition: boolean;
  readonly storageId: number;
  readonly movingFrom: number | null;
}

const lockTimeout = '3s';
const partitionPrefix = 'review_metrics_isolated_';

/**
 * The organizations whose metrics are not where they should be, or whose empty partition is still there. Only those that want or
 * have had a storage of their own can be among them; every node asks this every few seconds.
 */
export async function findPendingMoves(db: Db): Promise<OrganizationId[]> {
  const rows = await db<{ id: OrganizationId }[]>`
    SELECT o.id FROM organizations o LEFT JOIN metrics_storage s ON s.organization_id = o.id
    WHERE o.id IN (SELECT id FROM organizations WHERE metrics_isolated UNION SELECT organization_id FROM metrics_storage)
      AND (o.metrics_isolated <> (coalesce(s.storage_id, ${sharedStorage}) <> ${sharedStorage})
        OR s.moving_from IS NOT NULL
        OR o.metrics_isolated = (to_regclass(${partitionPrefix}::text || s.isolated_id) IS NULL))
    ORDER BY o.id`;
  return rows.map(({ id }) => id);
}

/** Reads the state of an organization, assigning it an id for a storage of its own if it has none yet. */
export async function readStorageState(db: Db, organizationId: OrganizationId): Promise<StorageState> {
  for (;;) {
    await db`
      INSERT INTO metrics_storage (organization_id, isolated_id, storage_id)
      SELECT ${organizationId}, coalesce(max(isolated_id), 0) + 1, ${sharedStorage} FROM metrics_storage
      ON CONFLICT DO NOTHING`;
    const [state] = await db<StorageState[]>`
      SELECT o.metrics_isolated AS "isIsolationWanted", s.isolated_id AS "isolatedId",
        to_regclass(${partitionPrefix}::text || s.isolated_id) IS NOT NULL AS "hasPartition",
        s.storage_id AS "storageId", s.moving_from AS "movingFrom"
      FROM organizations o JOIN metrics_storage s ON s.organization_id = o.id WHERE o.id = ${organizationId}`;
    // Another node has just taken the id for another organization: the next one is free.
    if (state !== undefined) return state;
  }
}

/** Creates the partition of a storage without blocking readers and writers of the others. */
export async function createPartition({ transaction }: Database, storageId: number): Promise<void> {
  const name = partitionPrefix + storageId;
  await transaction(async (tx) => {
    await tx.unsafe(`SET LOCAL lock_timeout = '${lockTimeout}'`);
    await tx.unsafe(
      `CREATE TABLE ${name} (LIKE review_metrics) WITH (fillfactor = 80, toast_tuple_target = 8160)`,
    );
    // Attaching, unlike creating in place, does not lock the whole table.
    await tx.unsafe(`ALTER TABLE review_metrics ATTACH PARTITION ${name} FOR VALUES IN (${storageId})`);
  });
}

/** Drops the empty partition of an organization that is back in the shared storage. */
export async function dropPartition(
  { transaction }: Database,
  organizationId: OrganizationId,
  storageId: number,
): Promise<void> {
  const name = partitionPrefix + storageId;
  await transaction(async (tx) => {
    await tx.unsafe(`SET LOCAL lock_timeout = '${lockTimeout}'`);
    const [state] = await tx`
      SELECT 1 FROM metrics_storage
      WHERE organization_id = ${organizationId} AND storage_id = ${sharedStorage} AND moving_from IS NULL FOR UPDATE`;
    if (state === undefined) return;
    // Looked up only now: another node may have dropped it while this one waited for the lock.
    const [partition] = await tx`SELECT 1 WHERE to_regclass(${name}) IS NOT NULL`;
    if (partition === undefined) return;
    const [row] = await tx.unsafe(`SELECT 1 FROM ${name} LIMIT 1`);
    if (row !== undefined) throw new Error(`${name} should be empty, but is not`);
    await tx.unsafe(`DROP TABLE ${name}`);
  });
}

// Needs the write clock: its holder knows that no transaction that used the previous storage map is still running.
async function bumpStorageVersion(tx: Tx): Promise<void> {
  await lockWriteClock(tx);
  await tx`UPDATE write_clock SET storage_version = storage_version + 1 WHERE id`;
}

/** Redirects new writes of an organization's metrics to another storage; existing rows remain to be moved. */
export async function redirectWrites(
  { transaction }: Database,
  organizationId: OrganizationId,
  storageId: number,
): Promise<void> {
  await transaction(async (tx) => {
    await bumpStorageVersion(tx);
    await tx`
      UPDATE metrics_storage SET storage_id = ${storageId}, moving_from = storage_id
      WHERE organization_id = ${organizationId} AND storage_id <> ${storageId}`;
  });
}

/** The last row of a moved batch. */
export interface MovePosition {
  readonly repositoryId: RepositoryId;
  readonly number: number;
}

/** Moves the next rows, skipping those that a writer has locked. Returns the end of the batch, or null if there was none. */
export async function moveBatch(
  { transaction }: Database,
  organizationId: OrganizationId,
  move: { readonly from: number; readonly to: number },
  after: MovePosition | null,
  batchSize: number,
): Promise<MovePosition | null> {
  const rows = await transaction((tx) => {
    const from = tx.unsafe(String(move.from));
    return tx<{ repository_id: RepositoryId; number: number }[]>`
      WITH batch AS (
        SELECT repository_id, number FROM review_metrics
        WHERE storage_id = ${from} AND organization_id = ${organizationId}
          ${after === null ? tx`` : tx`AND (repository_id, number) > (${after.repositoryId}::uuid, ${after.number}::int)`}
        ORDER BY repository_id, number LIMIT ${batchSize} FOR UPDATE SKIP LOCKED),
      moved AS (
        UPDATE review_metrics m SET storage_id = ${tx.unsafe(String(move.to))} FROM batch b
        WHERE m.storage_id = ${from} AND m.organization_id = ${organizationId}
          AND m.repository_id = b.repository_id AND m.number = b.number
        RETURNING m.repository_id, m.number)
      SELECT repository_id, number FROM moved ORDER BY repository_id DESC, number DESC LIMIT 1`;
  });
  const [last] = rows;
  return last === undefined ? null : { repositoryId: last.repository_id, number: last.number };
}

/** Ends the move if all rows were moved; returns whether it did. */
export async function finishMove(
  { transaction }: Database,
  organizationId: OrganizationId,
  move: { readonly from: number; readonly to: number },
): Promise<boolean> {
  return transaction(async (tx) => {
    await bumpStorageVersion(tx);
    const { count } = await tx`
      UPDATE metrics_storage SET moving_from = NULL
      WHERE organization_id = ${organizationId} AND storage_id = ${move.to} AND moving_from = ${move.from}
        AND NOT EXISTS (
          SELECT 1 FROM review_metrics
          WHERE storage_id = ${tx.unsafe(String(move.from))} AND organization_id = ${organizationId})`;
    return count === 1;
  });
}
