import type { Db, Tx } from '../../db/database.ts';
import type { HeldPackage, Inventory } from '../../reviewer/rules/dependencies/inventory/list-packages.ts';
import type { AffectedVersion } from '../../reviewer/rules/dependencies/osv/affected-part.ts';
import type { InventoryKey, StoredInventory, StoredPackage } from './inventory-record.ts';

/** When and from which commit an inventory was read; undefined if there is none. */
export async function findRead(
  db: Db,
  { organizationId, repositoryId }: InventoryKey,
): Promise<Pick<StoredInventory, 'revision' | 'readAt'> | undefined> {
  const [row] = await db<Pick<StoredInventory, 'revision' | 'readAt'>[]>`
    SELECT revision, read_at AS "readAt" FROM repository_inventories
    WHERE organization_id = ${organizationId} AND repository_id = ${repositoryId}`;
  return row;
}

/** Replaces the dependencies of a repository; unchanged rows are not written. */
export async function storeInventory(
  tx: Tx,
  { organizationId, repositoryId }: InventoryKey,
  revision: string | null,
  { packages, notes }: Inventory,
): Promise<void> {
  const column = <Key extends keyof HeldPackage>(key: Key) => packages.map((each) => each[key]);
  // Serializes two runs of the same unit.
  await tx`
    UPDATE repository_inventories SET revision = ${revision}, packages = ${packages.length}, notes = ${[...notes]}
    WHERE organization_id = ${organizationId} AND repository_id = ${repositoryId}`;
  await tx`
    DELETE FROM repository_packages p
    WHERE p.organization_id = ${organizationId} AND p.repository_id = ${repositoryId} AND NOT EXISTS (
      SELECT FROM unnest(${column('ecosystem')}::text[], ${column('name')}::text[], ${column('version')}::text[]) AS held (ecosystem, name, version)
      WHERE (held.ecosystem, held.name, held.version) = (p.ecosystem, p.name, p.version))`;
  await tx`
    INSERT INTO repository_packages AS p (organization_id, repository_id, ecosystem, name, version, is_fixed, is_direct, licence, path)
    SELECT ${organizationId}, ${repositoryId}, held.* FROM unnest(${column('ecosystem')}::text[], ${column('name')}::text[],
      ${column('version')}::text[], ${column('isFixed').map(String)}::text[]::boolean[], ${column('isDirect').map(String)}::text[]::boolean[], ${column('licence')}::text[],
      ${column('path')}::text[]) AS held
    ON CONFLICT (organization_id, repository_id, ecosystem, name, version) DO UPDATE
    SET is_fixed = excluded.is_fixed, is_direct = excluded.is_direct, licence = excluded.licence, path = excluded.path
    WHERE (p.is_fixed, p.is_direct, p.licence, p.path)
      IS DISTINCT FROM (excluded.is_fixed, excluded.is_direct, excluded.licence, excluded.path)`;
}

/** Stores which packages of a repository are affected; all others are marked as unaffected. */
export async function storeAffected(
  tx: Tx,
  { organizationId, repositoryId }: InventoryKey,
  affected: readonly AffectedVersion[],
): Promise<void> {
  await tx`
    UPDATE repository_inventories SET affected = ${affected.length}
    WHERE organization_id = ${organizationId} AND repository_id = ${repositoryId}`;
  await tx`
    WITH known AS (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(affected)}::text::jsonb)
        AS known (ecosystem text, name text, version text, ids text[], severity text)
    ), judged AS (
      SELECT p.ecosystem, p.name, p.version, coalesce(known.ids, '{}') AS ids, known.severity
      FROM repository_packages p LEFT JOIN known USING (ecosystem, name, version)
      WHERE p.organization_id = ${organizationId} AND p.repository_id = ${repositoryId}
        AND (p.severity IS NOT NULL OR known.severity IS NOT NULL)
    )
    UPDATE repository_packages p SET advisories = judged.ids, severity = judged.severity FROM judged
    WHERE p.organization_id = ${organizationId} AND p.repository_id = ${repositoryId}
      AND (p.ecosystem, p.name, p.version) = (judged.ecosystem, judged.name, judged.version)
      AND (p.advisories, p.severity) IS DISTINCT FROM (judged.ids, judged.severity)`;
}

/** The end of a page of one repository's packages. */
export type PackagePosition = Pick<StoredPackage, 'ecosystem' | 'name' | 'version'>;

/** The packages of one repository, in the order of the primary key. */
export async function readPackages(
  db: Db,
  { organizationId, repositoryId }: InventoryKey,
  after: PackagePosition | undefined,
  limit: number,
): Promise<StoredPackage[]> {
  return db<StoredPackage[]>`
    SELECT ecosystem, name, version, is_fixed AS "isFixed", is_direct AS "isDirect", licence, path, advisories, severity
    FROM repository_packages
    WHERE organization_id = ${organizationId} AND repository_id = ${repositoryId}
      ${after === undefined ? db`` : db`AND (ecosystem, name, version) > (${after.ecosystem}, ${after.name}, ${after.version})`}
    ORDER BY ecosystem, name, version LIMIT ${limit}`;
}
