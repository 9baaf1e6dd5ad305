import type { Db } from '../../../db/database.ts';
import type { OrganizationId } from '../../../lib/ids.ts';

/** The storage that all organizations share which are not isolated. */
export const sharedStorage = 0;

/** Where the metrics of an organization are. */
export interface StoragePlace {
  readonly writeTo: number;
  /** Where its rows may lie: one storage, or two while they are being moved. */
  readonly readFrom: readonly number[];
}

/** Where the metrics of every organization are, as of one version. */
export interface StorageMap {
  readonly version: number;
  placeOf(organizationId: OrganizationId): StoragePlace;
}

const shared: StoragePlace = { writeTo: sharedStorage, readFrom: [sharedStorage] };

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
  const places = new Map<OrganizationId, StoragePlace>();
  for (const { organization_id, storage_id, moving_from } of rows) {
    if (organization_id === null) continue;
    const readFrom = moving_from === null ? [storage_id] : [storage_id, moving_from];
    places.set(organization_id, { writeTo: storage_id, readFrom });
  }
  return {
    version: rows[0]?.version ?? 0,
    placeOf: (organizationId) => places.get(organizationId) ?? shared,
  };
}

/** Remembers the map between transactions; whoever finds it out of date has it forgotten. */
export function storageMemory() {
  let remembered: StorageMap | undefined;
  return {
    async current(db: Db): Promise<StorageMap> {
      remembered ??= await readStorageMap(db);
      return remembered;
    },
    forget(): void {
      remembered = undefined;
    },
  };
}

export type StorageMemory = ReturnType<typeof storageMemory>;
