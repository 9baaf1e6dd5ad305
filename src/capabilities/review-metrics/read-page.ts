import type { Tx } from '../../db/database.ts';
import type { RepositoryId } from '../../lib/ids.ts';
import { coverDays, type DaySpan, slotOf, slotsPerSpan, spanSizes } from './day-spans.ts';
import { mergeShape, mergeSpans } from './merge-spans.ts';
import type { MetricList } from './metric-list.ts';
import type { ReadablePlace } from './metrics-state.ts';
import type { PageRows } from './page-rows.ts';
import { fetchPositions, findPositions, type Stream, type StreamFilter } from './threshold-streams.ts';

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

export interface Page extends PageRows {
  /** The position behind which the next page begins; null when nothing remains. */
  readonly next: number | null;
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
  const isByRepository = authorIds === null;
  const repositoryIds = repositories?.map(({ repositoryId }) => repositoryId) ?? null;
  return { firstDay, lastDay, authorIds: null, repositoryIds: isByRepository ? null : repositoryIds };
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

async function spansOf(tx: Tx, question: PageQuestion): Promise<DaySpan[]> {
  const { firstDay, lastDay } =
    question.lastDay - question.firstDay < longWindowDays ? question : await daysWithEntries(tx, question);
  return coverDays(firstDay, lastDay);
}

async function readByPositions(
  tx: Tx,
  { list, after, limit }: PageQuestion,
  streams: readonly Stream[],
  filter: StreamFilter | null,
): Promise<Page> {
  const positions = await findPositions(tx, list, streams, filter, { after, limit: limit + 1 });
  const wanted = positions.slice(0, limit);
  const page = await fetchPositions(tx, list, wanted);
  return { ...page, next: positions.length > limit ? wanted.at(-1)!.seq : null };
}

/** Reads one page in write order; every statement must see the same snapshot. */
export async function readPage(tx: Tx, question: PageQuestion): Promise<Page> {
  const { list, places, repositories, authorIds, after, limit } = question;
  if (repositories !== null || authorIds !== null)
    return readByPositions(tx, question, filterStreams(question), filterOf(question));

  const spans = await spansOf(tx, question);
  const storages = new Set(places.map(({ storageId }) => storageId));
  const shape = mergeShape(spans, places.length * list.classes.length);
  const [storageId] = storages;
  if (shape === undefined || storages.size !== 1 || storageId === undefined)
    return readByPositions(tx, question, spanStreams(question, spans), null);

  const organizationIds = places.map(({ organizationId }) => organizationId);
  const found = await mergeSpans(tx, list, { storageId, organizationIds, spans, after, limit }, shape);
  const rows = found.rows.slice(0, limit);
  return { ...found, rows, next: found.rows.length > limit ? rows.at(-1)!.seq : null };
}
