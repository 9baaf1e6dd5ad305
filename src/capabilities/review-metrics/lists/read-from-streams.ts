import type { Tx } from '../../../db/database.ts';
import type { RepositoryId } from '../../../lib/ids.ts';
import { beginJsonPage } from '../../../lib/wire/json-page.ts';
import type { PageMemory } from '../../../lib/wire/page-memory.ts';
import { coverDays, type DaySpan, slotOf, slotsPerSpan, spanSizes } from '../order/day-spans.ts';
import type { OrganizationStorage } from '../storage/readable-storages.ts';
import type { MetricList } from './list-definitions.ts';
import { fetchPositions, findPositions, type Stream, type StreamFilter } from './merged-streams.ts';
import type { Page } from './page-statement.ts';

/** Which page to read. */
export interface PageRequest {
  readonly list: MetricList;
  readonly storages: readonly OrganizationStorage[];
  readonly firstDay: number;
  readonly lastDay: number;
  /** Null: all. */
  readonly repositories: readonly (OrganizationStorage & { readonly repositoryId: RepositoryId })[] | null;
  readonly authorIds: readonly string[] | null;
  /** Only entries after this position in the write order. */
  readonly after: number;
  readonly limit: number;
}

function filterStreams({ repositories, authorIds, storages }: PageRequest): Stream[] {
  if (authorIds === null) {
    return (repositories ?? []).map(({ repositoryId, ...storage }) => ({
      ...storage,
      column: 'repository_id',
      value: repositoryId,
    }));
  }
  // An author has fewer pull requests than a repository, so the streams are by author and the filter checks repositories.
  const wanted = storages.filter(
    ({ organizationId }) => repositories?.some((of) => of.organizationId === organizationId) ?? true,
  );
  return wanted.flatMap((storage) =>
    authorIds.map((value): Stream => ({ ...storage, column: 'author_id', value })),
  );
}

function streamFilter({ repositories, authorIds, firstDay, lastDay }: PageRequest): StreamFilter {
  const isByAuthor = authorIds !== null && repositories !== null;
  return {
    firstDay,
    lastDay,
    repositoryIds: isByAuthor ? repositories.map(({ repositoryId }) => repositoryId) : null,
  };
}

function spanStreams({ storages, list }: PageRequest, spans: readonly DaySpan[]): Stream[] {
  return storages.flatMap((storage) =>
    spans.flatMap((span) =>
      list.classes.map(
        (entryClass): Stream => ({
          ...storage,
          column: `slot_${span.size}`,
          value: slotOf(span, entryClass),
        }),
      ),
    ),
  );
}

const longestSize = spanSizes.at(-1)!;
/** Longer windows are narrowed to the days that have entries. */
export const longWindowDays = 4096;

async function daysWithEntries(tx: Tx, { list, storages, firstDay, lastDay }: PageRequest) {
  const seq = tx.unsafe(list.seq);
  const slots: number[] = [];
  for (const [storageId, group] of Map.groupBy(storages, (storage) => storage.storageId)) {
    const rows = await tx<{ slot: number }[]>`
      SELECT edge.slot_256 AS slot
      FROM unnest(${group.map(({ organizationId }) => organizationId)}::uuid[]) AS o (id)
      CROSS JOIN LATERAL (
        (SELECT slot_256 FROM review_metrics WHERE storage_id = ${tx.unsafe(String(storageId))} AND organization_id = o.id
          AND ${seq} IS NOT NULL ORDER BY slot_256 LIMIT 1)
        UNION ALL
        (SELECT slot_256 FROM review_metrics WHERE storage_id = ${tx.unsafe(String(storageId))} AND organization_id = o.id
          AND ${seq} IS NOT NULL ORDER BY slot_256 DESC LIMIT 1)) AS edge`;
    slots.push(...rows.map(({ slot }) => Math.floor(slot / slotsPerSpan)));
  }
  const first = Math.min(...slots) * longestSize;
  const last = (Math.max(...slots) + 1) * longestSize - 1;
  return { firstDay: Math.max(firstDay, first), lastDay: Math.min(lastDay, last) };
}

/** A long window is narrowed to the days that have entries. */
async function narrowed(tx: Tx, request: PageRequest): Promise<PageRequest> {
  const { repositories, authorIds, firstDay, lastDay } = request;
  const isFiltered = repositories !== null || authorIds !== null;
  if (isFiltered || lastDay - firstDay < longWindowDays) return request;
  return { ...request, ...(await daysWithEntries(tx, request)) };
}

function streamsOf(request: PageRequest): [Stream[], StreamFilter | null] {
  const { repositories, authorIds, firstDay, lastDay } = request;
  if (repositories !== null || authorIds !== null) return [filterStreams(request), streamFilter(request)];
  return [spanStreams(request, coverDays(firstDay, lastDay)), null];
}

function emptyPage(memory: PageMemory): Page {
  return { entries: beginJsonPage(memory), next: null };
}

/** Reads any page, by as many statements as it takes; all of them must see the same snapshot. */
export async function readFromStreams(tx: Tx, wanted: PageRequest, memory: PageMemory): Promise<Page> {
  const request = await narrowed(tx, wanted);
  const { list, after, limit } = request;
  if (request.firstDay > request.lastDay) return emptyPage(memory);
  const [streams, filter] = streamsOf(request);
  const positions = await findPositions(tx, list, streams, filter, { after, limit: limit + 1 });
  const ofPage = positions.slice(0, limit);
  if (ofPage.length === 0) return emptyPage(memory);
  const { entries } = await fetchPositions(tx, list, ofPage, memory);
  return { entries, next: positions.length > limit ? ofPage.at(-1)!.seq : null };
}
