import type { Db } from '../../../db/database.ts';
import type { OrganizationId } from '../../../lib/ids.ts';

/** The storage shared by all organizations that are not isolated. */
export const sharedStorage = 0;

/** Where the metrics of an organization are written and read. */
export interface StorageAssignment {
  readonly writeTo: number;
  /** Where its rows may be: one storage, or two while they are being moved. */
  readonly readFrom: readonly number[];
}

/** Where the metrics of every organization are, at one version. */
export interface StorageMap {
  readonly version: number;
  storageOf(organizationId: OrganizationId): StorageAssignment;
}

const shared: StorageAssignment = { writeTo: sharedStorage, readFrom: [sharedStorage] };

interface StorageRow {
  version: number;
  organization_id: OrganizationId | null;
  storage_id: number;
  moving_from: number | null;
}

/** Reads where the metrics of all organizations are. */
export async function readStorageMap(db: Db): Promise<StorageMap> {
  const rows = await db<StorageRow[]>`
    SELECT c.storage_version AS version, s.organization_id, s.storage_id, s.moving_from
    FROM write_clock c LEFT JOIN metrics_storage s ON s.storage_id <> ${sharedStorage} OR s.moving_from IS NOT NULL`;
  const assignments = new Map<OrganizationId, StorageAssignment>();
  for (const { organization_id, storage_id, moving_from } of rows) {
    if (organization_id === null) continue;
    const readFrom = moving_from === null ? [storage_id] : [storage_id, moving_from];
    assignments.set(organization_id, { writeTo: storage_id, readFrom });
  }
  return {
    version: rows[0]?.version ?? 0,
    storageOf: (organizationId) => assignments.get(organizationId) ?? shared,
  };
}

/** Caches the map between transactions; a transaction that finds it stale invalidates it. */
export function createStorageMapCache() {
  let cached: StorageMap | undefined;
  return {
    async get(db: Db): Promise<StorageMap> {
      cached ??= await readStorageMap(db);
      return cached;
    },
    invalidate(): void {
      cached = undefined;
    },
  };
}

export type StorageMapCache = ReturnType<typeof createStorageMapCache>;
