import { plainArrayLiteral } from '../../../db/driver/array-literal.ts';
import { slotsPerSpan } from '../order/day-spans.ts';
import { type OrganizationStorage, storageStatesColumn } from '../storage/readable-storages.ts';
import type { MetricList } from './list-definitions.ts';
import { cutMark, type PageQuery, pageStatement } from './page-statement.ts';
import { cachedStatement } from './statement-cache.ts';

/** The index that has all organizations of a storage in write order, for each position. */
export const scanIndexes = { write_seq: 'review_metrics_scan', mcp_seq: 'review_metrics_mcp_scan' } as const;

/** With fewer organizations, reading their own streams is cheaper. */
const minOrganizations = 9;
/** The span of the index. */
const scanDays = 16;
/** How many rows may be scanned for each that is in the window. */
const maxRowsPerHit = 10;
/** The number of streams is rounded up to one of these, so that few distinct statements serve all windows. */
const streamCounts = [4, 16, 64, 128, 400];
/** No row ever has this slot. */
const emptySlot = -1;

/** Which page to read: the days and the organizations with their storages. */
export interface ScanRequest {
  readonly list: MetricList;
  readonly storages: readonly OrganizationStorage[];
  readonly firstDay: number;
  readonly lastDay: number;
  readonly after: number;
  readonly limit: number;
}

const organizationsParameter = '$4';
const firstSlotParameter = 7;
const maxRows = `(${maxRowsPerHit} * ($2::int + 1))`;

// Merges the streams up to the maximum number of scanned rows, and filters the merged rows by window and organizations.
// Reads nothing beyond what the page needs: only if the page is not full does the second part count whether the limit was
// reached. PostgreSQL appends the second part to the first, because it never leaves a part with a limit to a parallel
// worker.
function scanStatement(list: MetricList, storageIds: readonly number[], streamCount: number): string {
  const columns = [...new Set(['organization_id', 'slot_1', ...list.columns])];
  const slots = Array.from({ length: streamCount }, (_, stream) => `$${firstSlotParameter + stream}::int`);
  const streams = storageIds.flatMap((storageId) =>
    slots.map(
      (slot) => `(SELECT ${list.seq} AS seq, NULL::text AS states, ${columns.join()} FROM review_metrics
        WHERE storage_id = ${storageId} AND slot_${scanDays} = ${slot}
          AND ${list.seq} > $1::bigint ORDER BY ${list.seq} LIMIT ${maxRows})`,
    ),
  );
  const states = `(SELECT 0::bigint, ${storageStatesColumn(organizationsParameter)}::text, ${columns.map(() => 'NULL').join()})`;
  const merged = [...streams, states].join(' UNION ALL ');
  const limit = 'LIMIT $2::int + 2';
  // The sub-select is hashed, unlike an array; the OR keeps it from becoming a join, which might lose the order.
  return pageStatement(
    `(SELECT seq, CASE WHEN seq = 0 THEN states ELSE ${list.entry} END AS entry
      FROM (SELECT * FROM (${merged}) AS merged ORDER BY seq LIMIT ${maxRows}) AS scanned
      WHERE seq = 0
        OR (slot_1 BETWEEN $5::int AND $6::int AND organization_id IN (SELECT unnest(${organizationsParameter}::uuid[])))
      ORDER BY seq ${limit})
    UNION ALL
    (SELECT 0, '${cutMark}' WHERE ${maxRows} = (
      SELECT count(*) FROM (
        SELECT 1 FROM unnest(ARRAY[${slots.join()}]) AS of (slot), LATERAL (
          SELECT 1 FROM review_metrics
          WHERE storage_id IN (${storageIds.join()}) AND slot_${scanDays} = of.slot AND ${list.seq} > $1::bigint
          ORDER BY ${list.seq} LIMIT ${maxRows}) AS stream
        LIMIT ${maxRows}) AS counted))
    ${limit}`,
    '$3',
  );
}

/**
 * The statement that reads a page of many organizations by scanning the rows of all organizations in write order, instead of
 * reading a stream for each. Undefined if that cannot be faster. The page is cut if too few of the scanned rows are wanted.
 */
export function scanQuery(request: ScanRequest): PageQuery | undefined {
  const { list, storages, firstDay, lastDay, after, limit } = request;
  const [first, last] = [Math.floor(firstDay / scanDays), Math.floor(lastDay / scanDays)];
  const days = (last - first + 1) * scanDays;
  if (storages.length < minOrganizations || days > maxRowsPerHit * (lastDay - firstDay + 1)) return undefined;
  const storageIds = [...new Set(storages.map(({ storageId }) => storageId))].sort((a, b) => a - b);
  const slots = Array.from({ length: last - first + 1 }, (_, index) =>
    list.classes.map((entryClass) => (first + index) * slotsPerSpan + entryClass),
  ).flat();
  const streamCount = streamCounts.find((count) => count >= slots.length);
  if (streamCount === undefined || streamCount * storageIds.length > streamCounts.at(-1)!) return undefined;
  const padded = [...slots, ...new Array<number>(streamCount - slots.length).fill(emptySlot)];
  const rest = [
    plainArrayLiteral(storages.map(({ organizationId }) => organizationId)),
    firstDay * slotsPerSpan,
    lastDay * slotsPerSpan + slotsPerSpan - 1,
    ...padded,
  ];
  const name = ['scan', storageIds.join('/'), streamCount].join();
  return {
    statement: cachedStatement(list, name, () => scanStatement(list, storageIds, streamCount)),
    parameters: (textBytes) => [after, limit, textBytes, ...rest],
    limit,
  };
}
