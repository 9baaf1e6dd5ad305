import type { CallerContext } from '../../access/caller-context.ts';
import { onlyOrganization } from '../../access/org-scope.ts';
import type { Database } from '../../db/database.ts';
import { AppError } from '../../lib/app-error.ts';
import { productVersion } from '../../lib/product-version.ts';
import { writeCycloneDx } from './cyclonedx.ts';
import type { StoredInventory, StoredPackage } from './inventory-record.ts';
import { type PackagePosition, readPackages } from './store.ts';

const packagesPerRead = 500;

/** The dependencies of one repository as a CycloneDX document, in parts; one that was never read is not found. */
export async function exportInventory(
  { database }: { readonly database: Database },
  { scope }: Pick<CallerContext, 'scope'>,
  repositoryId: string,
): Promise<AsyncGenerator<string>> {
  const { sql } = database;
  const organizationId = onlyOrganization(scope).organization.id;
  const [inventory] = await sql<StoredInventory[]>`
    SELECT r.id AS "repositoryId", r.name AS "repositoryName", i.revision, i.read_at AS "readAt"
    FROM repositories r JOIN repository_inventories i ON i.organization_id = r.organization_id AND i.repository_id = r.id
    WHERE r.organization_id = ${organizationId} AND r.provider_repository_id = ${repositoryId} AND r.active AND i.read_at IS NOT NULL`;
  if (inventory === undefined)
    throw new AppError('NOT_FOUND', 'There is no such repository, or its dependencies were never read');
  const key = { organizationId, repositoryId: inventory.repositoryId };
  async function* readPages(): AsyncGenerator<readonly StoredPackage[]> {
    for (let after: PackagePosition | undefined; ; ) {
      const page = await readPackages(sql, key, after, packagesPerRead);
      yield page;
      if (page.length < packagesPerRead) return;
      after = page.at(-1);
    }
  }
  return writeCycloneDx(inventory, productVersion, readPages);
}
