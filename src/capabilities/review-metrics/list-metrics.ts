import { type OrgScope, organizationIdsOf } from '../../access/org-scope.ts';
import type { Database, Tx } from '../../db/database.ts';
import type { KeyContext, Reply } from '../../http/endpoint.ts';
import { checkResponseBytes, jsonPageBytes, jsonPageReply } from '../../http/json-page.ts';
import { concurrencyLimit } from '../../lib/concurrency-limit.ts';
import type { OrganizationId, RepositoryId } from '../../lib/ids.ts';
import { dayOfDate } from './day-spans.ts';
import type { MetricList } from './metric-list.ts';
import { type ReadablePlace, readablePlaces } from './metrics-state.ts';
import { type PageQuestion, readPage } from './read-page.ts';

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
}

const defaultLimit = 1000;
const pagesAtOnce = 4;

/** The bound on pages that are built at once in this process. */
export function pageTurns(): MetricsDeps['pageTurns'] {
  return concurrencyLimit(pagesAtOnce);
}

/** The entries of a page as JSON texts, and the cursor of the next. */
export interface MetricsPage {
  readonly texts: readonly Buffer[];
  readonly nextCursor: string | null;
}

interface PagePosition {
  readonly after: number;
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
    WHERE organization_id = ANY(${organizationIdsOf(scope)}::uuid[])
      AND provider_repository_id = ANY(${[...providerIds]}::text[])`;
  const placeOf = new Map(places.map((place) => [place.organizationId, place]));
  return rows.map((row) => ({ ...placeOf.get(row.organization_id)!, repositoryId: row.id }));
}

/** Reads a page of one list out of one snapshot; `present` may read more out of the same. */
export async function readMetrics<Result>(
  { database, pageTurns }: MetricsDeps,
  { scope, cursors }: KeyContext,
  list: MetricList,
  query: WindowQuery,
  otherFilters: unknown,
  present: (tx: Tx, page: MetricsPage) => Result | Promise<Result>,
): Promise<Result> {
  const { start_date, end_date, repository_ids, user_ids, limit = defaultLimit } = query;
  const filters = [start_date, end_date, repository_ids?.toSorted(), user_ids?.toSorted(), otherFilters];
  const { after } =
    query.cursor === undefined ? { after: 0 } : cursors.read<PagePosition>(filters, query.cursor);

  const read = async (tx: Tx) => {
    const places = await readablePlaces(tx, scope);
    const page = await readPage(tx, {
      list,
      places,
      firstDay: dayOfDate(start_date),
      lastDay: dayOfDate(end_date),
      repositories: await findRepositories(tx, scope, places, repository_ids),
      authorIds: user_ids ?? null,
      after,
      limit,
    });
    const nextCursor =
      page.next === null ? null : cursors.issue(filters, { after: page.next } satisfies PagePosition);
    checkResponseBytes(jsonPageBytes(page.rows.length, page.textBytes, nextCursor));
    return present(tx, { texts: page.rows.map(({ text }) => text!), nextCursor });
  };
  return pageTurns(() => database.transaction(read, { isolation: 'repeatable read', readOnly: true }));
}

/** Sends a page of a list whose entries are kept as they are sent. */
export function sendMetrics(
  deps: MetricsDeps,
  context: KeyContext,
  list: MetricList,
  query: WindowQuery,
): Promise<Reply> {
  return readMetrics(deps, context, list, query, null, (_tx, { texts, nextCursor }) =>
    jsonPageReply(texts, nextCursor),
  );
}
