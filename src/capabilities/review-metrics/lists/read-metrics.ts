import type { CallerContext } from '../../../access/caller-context.ts';
import { type OrgScope, organizationIdsOf } from '../../../access/org-scope.ts';
import type { Database, Tx } from '../../../db/database.ts';
import { arrayLiteral } from '../../../db/driver/array-literal.ts';
import { concurrencyLimit } from '../../../lib/concurrency-limit.ts';
import type { OrganizationId, RepositoryId } from '../../../lib/ids.ts';
import type { JsonPage } from '../../../lib/wire/json-page.ts';
import { createPageMemory, type PageMemory } from '../../../lib/wire/page-memory.ts';
import { dayOfDate } from '../order/day-spans.ts';
import { judgeStates, type ReadablePlace, readablePlaces, statesColumn } from '../storage/readable-places.ts';
import { sharedStorage } from '../storage/storage-map.ts';
import type { MetricList } from './list-definitions.ts';
import { type Page, readPageAtOnce } from './page-statement.ts';
import { type PageQuestion, pageQuery, readPage } from './read-page.ts';

/** What all three lists can be asked. */
export interface MetricsQuestion {
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
  /** Bounds how many pages are built, and so held in memory, at once. */
  readonly pageTurns: ReturnType<typeof concurrencyLimit>;
  /** Where metrics were found last, as a guess that every statement checks. */
  readonly knownStorages: Map<OrganizationId, number>;
  readonly memory: PageMemory;
}

/** The entries of a page, and the position behind which the next one begins. */
export interface MetricsPage {
  readonly entries: JsonPage;
  readonly next: PagePosition | null;
}

const pagesAtOnce = 4;

/** What the lists need to be read. */
export function metricsDeps(database: Database): MetricsDeps {
  return {
    database,
    pageTurns: concurrencyLimit(pagesAtOnce),
    knownStorages: new Map(),
    memory: createPageMemory(),
  };
}

async function findRepositories(
  tx: Tx,
  scope: OrgScope,
  places: readonly ReadablePlace[],
  providerIds: readonly string[] | undefined,
): Promise<PageQuestion['repositories']> {
  if (providerIds === undefined) return null;
  const rows = await tx<{ organization_id: OrganizationId; id: RepositoryId }[]>`
    SELECT organization_id, id FROM repositories
    WHERE organization_id = ANY(${arrayLiteral(organizationIdsOf(scope))}::uuid[])
      AND provider_repository_id = ANY(${arrayLiteral(providerIds)}::text[])`;
  const placeOf = new Map(places.map((place) => [place.organizationId, place]));
  return rows.map((row) => ({ ...placeOf.get(row.organization_id)!, repositoryId: row.id }));
}

type Asked = Omit<PageQuestion, 'places' | 'repositories'>;

/** The page by one statement that also tells where the metrics are; undefined when it takes more than one. */
async function readAtOnce(
  { database, knownStorages, memory }: MetricsDeps,
  scope: OrgScope,
  asked: Asked,
): Promise<Page | undefined> {
  const guess = organizationIdsOf(scope).map((organizationId) => ({
    organizationId,
    storageId: knownStorages.get(organizationId) ?? sharedStorage,
  }));
  const lead = { column: statesColumn, parameter: arrayLiteral(organizationIdsOf(scope)) };
  const query = pageQuery({ ...asked, places: guess, repositories: null }, lead);
  if (query === undefined) return undefined;
  const { page, leading } = await readPageAtOnce(database.readRows, query, memory);
  const places = judgeStates(JSON.parse(leading));
  for (const { organizationId, storageId } of places) knownStorages.set(organizationId, storageId);
  const isAsGuessed = guess.every(
    ({ organizationId, storageId }) => knownStorages.get(organizationId) === storageId,
  );
  return isAsGuessed ? page : undefined;
}

/** The page by several statements on one snapshot. */
function readInSteps(
  { database, memory }: MetricsDeps,
  scope: OrgScope,
  asked: Asked,
  repositoryIds: readonly string[] | undefined,
): Promise<Page> {
  return database.transaction(
    async (tx) => {
      const places = await readablePlaces(tx, scope);
      const repositories = await findRepositories(tx, scope, places, repositoryIds);
      return readPage(tx, { ...asked, places, repositories }, memory);
    },
    { isolation: 'repeatable read', readOnly: true },
  );
}

/** Reads a page of one list in write order. */
export async function readMetrics(
  deps: MetricsDeps,
  { scope }: CallerContext,
  list: MetricList,
  { startDate, endDate, repositoryIds, authorIds }: MetricsQuestion,
  { after, limit }: MetricsPageLimits,
): Promise<MetricsPage> {
  const days = { firstDay: dayOfDate(startDate), lastDay: dayOfDate(endDate) };
  const asked: Asked = { list, ...days, authorIds: authorIds ?? null, after: after?.after ?? 0, limit };
  return deps.pageTurns(async () => {
    const atOnce = repositoryIds === undefined ? await readAtOnce(deps, scope, asked) : undefined;
    const { entries, next } = atOnce ?? (await readInSteps(deps, scope, asked, repositoryIds));
    return { entries, next: next === null ? null : { after: next } };
  });
}
