import type { CallerContext } from '../../access/caller-context.ts';
import { onlyOrganization } from '../../access/org-scope.ts';
import type { Database } from '../../db/database.ts';
import { cutPage } from '../../lib/wire/one-page.ts';
import type { StoredInventory } from './inventory-record.ts';

export interface InventoryPosition {
  readonly name: string;
  readonly id: string;
}

/** A page of the active repositories whose dependencies are kept, by name. */
export async function listInventories(
  { database }: { readonly database: Database },
  { scope }: Pick<CallerContext, 'scope'>,
  { after, limit }: { readonly after: InventoryPosition | undefined; readonly limit: number },
): Promise<{ readonly rows: readonly StoredInventory[]; readonly next: InventoryPosition | null }> {
  const { sql } = database;
  const { id } = onlyOrganization(scope).organization;
  const found = await sql<StoredInventory[]>`
    SELECT r.id AS "repositoryId", r.provider_repository_id AS "providerRepositoryId", r.name AS "repositoryName", i.revision,
      i.read_at AS "readAt", i.packages, i.affected, i.notes
    FROM repositories r JOIN repository_inventories i ON i.organization_id = r.organization_id AND i.repository_id = r.id
    WHERE r.organization_id = ${id} AND r.active
      ${after === undefined ? sql`` : sql`AND (r.name COLLATE "C", r.id) > (${after.name}, ${after.id}::uuid)`}
    ORDER BY r.name COLLATE "C", r.id LIMIT ${limit + 1}`;
  return cutPage(found, limit, ({ repositoryName, repositoryId }) => ({
    name: repositoryName,
    id: repositoryId,
  }));
}
