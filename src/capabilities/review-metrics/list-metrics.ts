import { type OrgScope, organizationIdsOf } from '../../access/org-scope.ts';
import { arrayLiteral } from '../../db/array-literal.ts';
import type { Database, Db, Tx } from '../../db/database.ts';
import type { KeyContext, Reply } from '../../http/endpoint.ts';
import { checkResponseBytes, joinedPageReply, jsonPageBytes } from '../../http/json-page.ts';
import { concurrencyLimit } from '../../lib/concurrency-limit.ts';
import type { OrganizationId, RepositoryId } from '../../lib/ids.ts';
import { dayOfDate } from './day-spans.ts';
import type { MetricList } from './metric-list.ts';
import { judgeStates, type ReadablePlace, readablePlaces, statesColumn } from './metrics-state.ts';
import { type PageText, runPageStatement } from './page-statement.ts';
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
}

/** The entries of a page as JSON texts with commas between them, and the cursor of the next. */
export interface MetricsPage {
  readonly text: Buffer;
  readonly nextCursor: string | null;
}

const defaultLimit = 1000;
const pagesAtOnce = 4;

/** What the lists need to be read. */
export function metricsDeps(database: Database): MetricsDeps {
  return { database, pageTurns: concurrencyLimit(pagesAtOnce), knownStorages: new Map() };
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

/** The page by one statement that also tells where the metrics are; undefined when they are not where they were. */
async function readAtOnce(
  { database, knownStorages }: MetricsDeps,
  scope: OrgScope,
  asked: Asked,
): Promise<PageText | undefined> {
  const guess = organizationIdsOf(scope).map((organizationId) => ({
    organizationId,
    storageId: knownStorages.get(organizationId) ?? sharedStorage,
  }));
  const query = pageQuery({ ...asked, places: guess, repositories: null });
  if (query === undefined) return undefined;
  const parameters = [...query.parameters, arrayLiteral(organizationIdsOf(scope))];
  const statement = query.statement(statesColumn(`$${parameters.length}`));
  const { page, extra } = await runPageStatement(database.sql, statement, parameters);
  const places = judgeStates(JSON.parse(String(extra)));
  for (const { organizationId, storageId } of places) knownStorages.set(organizationId, storageId);
  const isAsGuessed = guess.every(
    ({ organizationId, storageId }) => knownStorages.get(organizationId) === storageId,
  );
  return isAsGuessed ? page : undefined;
}

/** The page by several statements on one snapshot. */
function readInSteps(
  { database }: MetricsDeps,
  scope: OrgScope,
  asked: Asked,
  repositoryIds: readonly string[] | undefined,
): Promise<PageText> {
  return database.transaction(
    async (tx) => {
      const places = await readablePlaces(tx, scope);
      const repositories = await findRepositories(tx, scope, places, repositoryIds);
      return readPage(tx, { ...asked, places, repositories });
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
    const page = atOnce ?? (await readInSteps(deps, scope, asked, repository_ids));
    const next = page.hasMore && page.last !== null ? ({ after: page.last } satisfies PagePosition) : null;
    const nextCursor = next === null ? null : cursors.issue(filters, next);
    checkResponseBytes(jsonPageBytes(page.entries, page.bytes, nextCursor));
    return present(deps.database.sql, { text: page.text!, nextCursor });
  });
}

/** Sends a page of a list whose entries are kept as they are sent. */
export function sendMetrics(
  deps: MetricsDeps,
  context: KeyContext,
  list: MetricList,
  query: WindowQuery,
): Promise<Reply> {
  return readMetrics(deps, context, list, query, null, (_db, { text, nextCursor }) =>
    joinedPageReply(text, nextCursor),
  );
}
