import type { CallerContext } from '../../../access/caller-context.ts';
import type { Database } from '../../../db/database.ts';
import { checkResponseBytes, maxResponseBytes } from '../../../lib/wire/json-page.ts';
import { cutPage } from '../../../lib/wire/one-page.ts';
import { type FindingFilters, type FindingPosition, findPage } from '../security-finding-store.ts';

/** Lists one page of the findings that match the filters; a page that is too large is rejected before its entries are read. */
export async function listFindings(
  { database }: { database: Database },
  { scope }: CallerContext,
  filters: FindingFilters,
  { after, limit }: { after: FindingPosition | undefined; limit: number },
): Promise<{ bodies: readonly string[]; next: FindingPosition | null }> {
  const found = await findPage(database.sql, scope, filters, after, limit, maxResponseBytes);
  checkResponseBytes(found.bytes);
  const { rows, next } = cutPage(found.entries, limit, ({ organizationId, id }) => ({ organizationId, id }));
  return { bodies: rows.map(({ body }) => body!), next };
}
