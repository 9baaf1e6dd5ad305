import { type OrgScope, organizationIdsOf } from '../../access/org-scope.ts';
import { arrayLiteral } from '../../db/array-literal.ts';
import type { Database, Db, Tx } from '../../db/database.ts';
import type { KeyContext, Reply } from '../../http/endpoint.ts';
import type { JsonPage } from '../../http/json-page.ts';
import { createPageMemory, type PageMemory } from '../../http/page-memory.ts';
import { concurrencyLimit } from '../../lib/concurrency-limit.ts';
import type { OrganizationId, RepositoryId } from '../../lib/ids.ts';
import { dayOfDate } from './day-spans.ts';
import type { MetricList } from './metric-list.ts';
import { judgeStates, type ReadablePlace, readablePlaces, statesColumn } from './metrics-state.ts';
import { type Page, readPageAtOnce } from './page-statement.ts';
import { type PageQuestion, pageQuery, readPage } from './read-page.ts';
import { sharedStorage } from './storage-map.ts';

/** What all three lists can be asked. */
export interface WindowQuery {
  readonly start_date: string;
  readonly end_date: string;
  readonly repository_ids?: string[] | undefined;
  readonly user_ids?: string[] | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface MetricsDeps {
  readonly database: Database;
  /** Bounds how many pages are built, and so held in memory, at once. */
  readonly pageTurns: ReturnType<typeof concurrencyLimit>;
  /** Where metrics were found last, as a guess that every statement checks. */
  readonly knownStorages: Map<OrganizationId, number>;
  readonly memory: PageMemory;
}

/** The entries of a page, and the cursor of the next. */
export interface MetricsPage {
  readonly entries: JsonPage;
  readonly nextCursor: string | null;
}

const defaultLimit = 1000;
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

interface PagePosition {
  readonly after: number;
}

/** Reads a page of one list and hands it on; `otherFilters` are what the list was chosen by. */
export async function readMetrics<Result>(
  deps: MetricsDeps,
  { scope, cursors }: KeyContext,
  list: MetricList,
  query: WindowQuery,
  otherFilters: unknown,
  present: (db: Db, page: MetricsPage) => Result | Promise<Result>,
): Promise<Result> {
  const { start_date, end_date, repository_ids, user_ids, limit = defaultLimit } = query;
  const filters = [start_date, end_date, repository_ids?.toSorted(), user_ids?.toSorted(), otherFilters];
  const { after } =
    query.cursor === undefined ? { after: 0 } : cursors.read<PagePosition>(filters, query.cursor);
  const days = { firstDay: dayOfDate(start_date), lastDay: dayOfDate(end_date) };
  const asked: Asked = { list, ...days, authorIds: user_ids ?? null, after, limit };

  return deps.pageTurns(async () => {
    const atOnce = repository_ids === undefined ? await readAtOnce(deps, scope, asked) : undefined;
    const { entries, next } = atOnce ?? (await readInSteps(deps, scope, asked, repository_ids));
    const nextCursor = next === null ? null : cursors.issue(filters, { after: next } satisfies PagePosition);
    return present(deps.database.sql, { entries, nextCursor });
  });
}

/** Sends a page of a list whose entries are kept as they are sent. */
export function sendMetrics(
  deps: MetricsDeps,
  context: KeyContext,
  list: MetricList,
  query: WindowQuery,
): Promise<Reply> {
  return readMetrics(deps, context, list, query, null, (_db, { entries, nextCursor }) =>
    entries.reply(nextCursor),
  );
}
