import { rowsFrom, type Tx } from '../../../db/database.ts';
import type { RepositoryId } from '../../../lib/ids.ts';
import { beginJsonPage } from '../../../lib/wire/json-page.ts';
import type { PageMemory } from '../../../lib/wire/page-memory.ts';
import { coverDays, type DaySpan, slotOf, slotsPerSpan, spanSizes } from '../order/day-spans.ts';
import type { ReadablePlace } from '../storage/readable-places.ts';
import type { MetricList } from './list-definitions.ts';
import { type Lead, mergeQuery } from './merged-statement.ts';
import { fetchPositions, findPositions, type Stream, type StreamFilter } from './merged-streams.ts';
import { type Page, type PageQuery, readPageInTurns } from './page-statement.ts';

/** What a page is asked for. */
export interface PageQuestion {
  readonly list: MetricList;
  readonly places: readonly ReadablePlace[];
  readonly firstDay: number;
  readonly lastDay: number;
  /** Null: all. */
  readonly repositories: readonly (ReadablePlace & { readonly repositoryId: RepositoryId })[] | null;
  readonly authorIds: readonly string[] | null;
  /** Only what was written behind this position. */
  readonly after: number;
  readonly limit: number;
}

function filterStreams({ repositories, authorIds, places }: PageQuestion): Stream[] {
  if (authorIds === null) {
    return (repositories ?? []).map(({ repositoryId, ...place }) => ({
      ...place,
      column: 'repository_id',
      value: repositoryId,
    }));
  }
  // An author has fewer pull requests than a repository, so the repositories are left to the filter.
  const wanted = places.filter(
    ({ organizationId }) => repositories?.some((of) => of.organizationId === organizationId) ?? true,
  );
  return wanted.flatMap((place) =>
    authorIds.map((value): Stream => ({ ...place, column: 'author_id', value })),
  );
}

function filterOf({ repositories, authorIds, firstDay, lastDay }: PageQuestion): StreamFilter {
  const isByAuthor = authorIds !== null && repositories !== null;
  return {
    firstDay,
    lastDay,
    repositoryIds: isByAuthor ? repositories.map(({ repositoryId }) => repositoryId) : null,
  };
}

function spanStreams({ places, list }: PageQuestion, spans: readonly DaySpan[]): Stream[] {
  return places.flatMap((place) =>
    spans.flatMap((span) =>
      list.classes.map(
        (entryClass): Stream => ({ ...place, column: `slot_${span.size}`, value: slotOf(span, entryClass) }),
      ),
    ),
  );
}

const longestSize = spanSizes.at(-1)!;
/** Longer windows are cut to the days that have anything. */
const longWindowDays = 4096;

async function daysWithEntries(tx: Tx, { list, places, firstDay, lastDay }: PageQuestion) {
  const seq = tx.unsafe(list.seq);
  const slots: number[] = [];
  for (const [storageId, group] of Map.groupBy(places, (place) => place.storageId)) {
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

/** The one statement that gives the page, if there is one: without filters, and with neither too many streams nor days. */
export function pageQuery(question: PageQuestion, lead?: Lead): PageQuery | undefined {
  const { list, places, repositories, authorIds, firstDay, lastDay, after, limit } = question;
  const [storageId, ...otherStorages] = new Set(places.map((place) => place.storageId));
  const isPlain = repositories === null && authorIds === null && lastDay - firstDay < longWindowDays;
  if (!isPlain || storageId === undefined || otherStorages.length > 0) return undefined;
  const organizationIds = places.map(({ organizationId }) => organizationId);
  const spans = coverDays(firstDay, lastDay);
  return mergeQuery(list, { storageId, organizationIds, spans, after, limit }, lead);
}

async function streamsOf(tx: Tx, question: PageQuestion): Promise<[Stream[], StreamFilter | null]> {
  const { repositories, authorIds, firstDay, lastDay } = question;
  if (repositories !== null || authorIds !== null) return [filterStreams(question), filterOf(question)];
  const days = lastDay - firstDay < longWindowDays ? question : await daysWithEntries(tx, question);
  return [spanStreams(question, coverDays(days.firstDay, days.lastDay)), null];
}

/** Reads one page in write order; all statements must see the same snapshot. */
export async function readPage(tx: Tx, question: PageQuestion, memory: PageMemory): Promise<Page> {
  const { list, after, limit } = question;
  const query = pageQuery(question);
  if (query !== undefined) return readPageInTurns(rowsFrom(tx), query, memory);
  const [streams, filter] = await streamsOf(tx, question);
  const positions = await findPositions(tx, list, streams, filter, { after, limit: limit + 1 });
  const wanted = positions.slice(0, limit);
  if (wanted.length === 0) return { entries: beginJsonPage(memory), next: null };
  const { entries } = await fetchPositions(tx, list, wanted, memory);
  return { entries, next: positions.length > limit ? wanted.at(-1)!.seq : null };
}
