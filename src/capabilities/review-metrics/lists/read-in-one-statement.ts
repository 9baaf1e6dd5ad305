import { type OrgScope, organizationIdsOf } from '../../../access/org-scope.ts';
import type { Database } from '../../../db/database.ts';
import type { OrganizationId } from '../../../lib/ids.ts';
import type { PageMemory } from '../../../lib/wire/page-memory.ts';
import { coverDays } from '../order/day-spans.ts';
import { checkReadable, type OrganizationStorage } from '../storage/readable-storages.ts';
import { sharedStorage } from '../storage/storage-map.ts';
import { mergeQuery } from './merged-statement.ts';
import { type Page, type PageQuery, readPageInOneStatement } from './page-statement.ts';
import { longWindowDays } from './read-from-streams.ts';
import { type ScanRequest, scanQuery } from './scan-statement.ts';

/** A page without filters. */
export interface PlainPage extends Omit<ScanRequest, 'storages'> {
  /** Whether the index for scans is there. */
  readonly canScan: boolean;
}

/** Undefined for too many streams or too long a window. */
function pageQuery(wanted: PlainPage, storages: readonly OrganizationStorage[]): PageQuery | undefined {
  const { list, firstDay, lastDay, after, limit, canScan } = wanted;
  if (lastDay - firstDay >= longWindowDays) return undefined;
  const [storageId, ...otherStorages] = new Set(storages.map((storage) => storage.storageId));
  const organizationIds = storages.map(({ organizationId }) => organizationId);
  const spans = coverDays(firstDay, lastDay);
  const merged =
    storageId === undefined || otherStorages.length > 0
      ? undefined
      : mergeQuery(list, { storageId, organizationIds, spans, after, limit });
  return merged ?? (canScan ? scanQuery({ ...wanted, storages }) : undefined);
}

interface OneStatementDeps {
  readonly database: Database;
  /** Where metrics were found last: a guess that every statement verifies. */
  readonly lastKnownStorages: Map<OrganizationId, number>;
  readonly memory: PageMemory;
}

/**
 * Reads a page with one statement that also returns where the metrics are. Undefined when one is not enough: entries that are
 * too large, rows that are too far apart, or metrics that were moved.
 */
export async function readInOneStatement(
  { database, lastKnownStorages, memory }: OneStatementDeps,
  scope: OrgScope,
  wanted: PlainPage,
): Promise<Page | undefined> {
  const organizationIds = organizationIdsOf(scope);
  const guess = organizationIds.map((organizationId) => ({
    organizationId,
    storageId: lastKnownStorages.get(organizationId) ?? sharedStorage,
  }));
  const query = pageQuery(wanted, guess);
  if (query === undefined) return undefined;
  const { page, storageStates } = await readPageInOneStatement(database.readRows, query, memory);
  const storages = checkReadable(organizationIds, JSON.parse(storageStates));
  const wasGuessRight = storages.every(({ storageId }, index) => guess[index]!.storageId === storageId);
  if (wasGuessRight) return page;
  for (const { organizationId, storageId } of storages) lastKnownStorages.set(organizationId, storageId);
  return undefined;
}
