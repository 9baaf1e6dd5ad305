import type { CallerContext } from '../../../access/caller-context.ts';
import { type OrgScope, organizationIdsOf } from '../../../access/org-scope.ts';
import type { Database, Tx } from '../../../db/database.ts';
import { arrayLiteral } from '../../../db/driver/array-literal.ts';
import { concurrencyLimit } from '../../../lib/concurrency/concurrency-limit.ts';
import type { OrganizationId, RepositoryId } from '../../../lib/ids.ts';
import type { JsonPage } from '../../../lib/wire/json-page.ts';
import { createPageMemory, type PageMemory } from '../../../lib/wire/page-memory.ts';
import { dayOfDate } from '../order/day-spans.ts';
import { findReadableStorages, type OrganizationStorage } from '../storage/readable-storages.ts';
import type { MetricList } from './list-definitions.ts';
import type { Page } from './page-statement.ts';
import { type PageRequest, readFromStreams } from './read-from-streams.ts';
import { readInOneStatement } from './read-in-one-statement.ts';
import { scanIndexes } from './scan-statement.ts';

/** The window and filters that all three lists accept. */
export interface MetricsFilter {
  readonly startDate: string;
  readonly endDate: string;
  readonly repositoryIds: readonly string[] | undefined;
  readonly authorIds: readonly string[] | undefined;
}

/** Where a page starts, and how many pull requests it may have. */
export interface MetricsPageLimits {
  readonly after: PagePosition | undefined;
  readonly limit: number;
}

/** Where a page ends. */
export interface PagePosition {
  readonly after: number;
}

export interface MetricsDeps {
  readonly database: Database;
  /** Limits how many pages are built, and so held in memory, at once. */
  readonly limitPages: ReturnType<typeof concurrencyLimit>;
  /** Where metrics were found last: a guess that every statement verifies. */
  readonly lastKnownStorages: Map<OrganizationId, number>;
  readonly memory: PageMemory;
  /** Whether an index that is built in the background is there. */
  isIndexReady(name: string): boolean;
}

/** The entries of a page, and the position after which the next one begins. */
export interface MetricsPage {
  readonly entries: JsonPage;
  readonly next: PagePosition | null;
}

const maxConcurrentPages = 4;

/** Creates what reading the lists needs. */
export function createMetricsDeps(
  database: Database,
  isIndexReady: MetricsDeps['isIndexReady'],
): MetricsDeps {
  return {
    isIndexReady,
    database,
    limitPages: concurrencyLimit(maxConcurrentPages),
    lastKnownStorages: new Map(),
    memory: createPageMemory(),
  };
}

async function findRepositories(
  tx: Tx,
  scope: OrgScope,
  storages: readonly OrganizationStorage[],
  providerIds: readonly string[] | undefined,
): Promise<PageRequest['repositories']> {
  if (providerIds === undefined) return null;
  const rows = await tx<{ organization_id: OrganizationId; id: RepositoryId }[]>`
    SELECT organization_id, id FROM repositories
    WHERE organization_id = ANY(${arrayLiteral(organizationIdsOf(scope))}::uuid[])
      AND provider_repository_id = ANY(${arrayLiteral(providerIds)}::text[])`;
  const storageOf = new Map(storages.map((storage) => [storage.organizationId, storage]));
  return rows.map((row) => ({ ...storageOf.get(row.organization_id)!, repositoryId: row.id }));
}

type PageOptions = Omit<PageRequest, 'storages' | 'repositories'>;

/** Reads the page with several statements on one snapshot. */
function readOnSnapshot(
  { database, memory }: MetricsDeps,
  scope: OrgScope,
  options: PageOptions,
  repositoryIds: readonly string[] | undefined,
): Promise<Page> {
  return database.transaction(
    async (tx) => {
      const storages = await findReadableStorages(tx, scope);
      const repositories = await findRepositories(tx, scope, storages, repositoryIds);
      return readFromStreams(tx, { ...options, storages, repositories }, memory);
    },
    { isolation: 'repeatable read', readOnly: true },
  );
}

/** Reads a page of one list in write order. */
export async function readMetrics(
  deps: MetricsDeps,
  { scope }: CallerContext,
  list: MetricList,
  { startDate, endDate, repositoryIds, authorIds }: MetricsFilter,
  { after, limit }: MetricsPageLimits,
): Promise<MetricsPage> {
  const days = { firstDay: dayOfDate(startDate), lastDay: dayOfDate(endDate) };
  const options: PageOptions = {
    list,
    ...days,
    authorIds: authorIds ?? null,
    after: after?.after ?? 0,
    limit,
  };
  return deps.limitPages(async () => {
    const canScan = deps.isIndexReady(scanIndexes[list.seq]);
    const isFiltered = repositoryIds !== undefined || authorIds !== undefined;
    const page = isFiltered ? undefined : await readInOneStatement(deps, scope, { ...options, canScan });
    const { entries, next } = page ?? (await readOnSnapshot(deps, scope, options, repositoryIds));
    return { entries, next: next === null ? null : { after: next } };
  });
}
