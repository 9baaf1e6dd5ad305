import type { Tx } from '../../../db/database.ts';
import { plainArrayLiteral } from '../../../db/driver/array-literal.ts';
import type { OrganizationId } from '../../../lib/ids.ts';
import type { PullRequestKey } from '../../pull-requests/pull-request-state.ts';
import { joinKeysByUrl, type PullRequestUrl, urlRows } from '../../pull-requests/pull-request-urls.ts';
import type { StorageMap } from '../storage/storage-map.ts';
import {
  columnArrays,
  insertStatement,
  type KeyedRecord,
  type PositionedRecord,
  type StoredRow,
  toRecord,
  updateStatement,
} from './record-columns.ts';

// Storage ids are literals in the statement, so that its plan covers only these partitions.
function groupByStorages<Item>(
  storages: StorageMap,
  items: readonly Item[],
  organizationOf: (item: Item) => OrganizationId,
): Map<string, Item[]> {
  return Map.groupBy(items, (item) => storages.storageOf(organizationOf(item)).readFrom.join(', '));
}

function keyRows(tx: Tx, keys: readonly PullRequestKey[]) {
  return tx`unnest(${plainArrayLiteral(keys.map(({ organizationId }) => organizationId))}::uuid[],
    ${plainArrayLiteral(keys.map(({ repositoryId }) => repositoryId))}::uuid[],
    ${plainArrayLiteral(keys.map(({ number }) => number))}::int[]) AS k (organization_id, repository_id, number)`;
}

// The inner limits force a lookup by key, whatever the planner estimates about the size of the tables.
function joinMetrics(tx: Tx, storages: string) {
  return tx`
    CROSS JOIN LATERAL (
      SELECT * FROM review_metrics m
      WHERE m.storage_id IN (${tx.unsafe(storages)}) AND m.organization_id = p.organization_id
        AND m.repository_id = p.repository_id AND m.number = p.number
      LIMIT 1 FOR UPDATE) m`;
}

/** The records of the pull requests that exist, locked until the transaction ends. */
export async function loadRecords(
  tx: Tx,
  storages: StorageMap,
  keys: readonly PullRequestKey[],
): Promise<KeyedRecord[]> {
  const loaded: KeyedRecord[] = [];
  for (const [numbers, group] of groupByStorages(storages, keys, (key) => key.organizationId)) {
    const rows = await tx<StoredRow[]>`
      SELECT m.*, p.url, p.state, p.event_time
      FROM ${keyRows(tx, group)}
      CROSS JOIN LATERAL (
        SELECT * FROM pull_requests p
        WHERE p.organization_id = k.organization_id AND p.repository_id = k.repository_id AND p.number = k.number
        LIMIT 1 FOR UPDATE) p
      ${joinMetrics(tx, numbers)}`;
    loaded.push(...rows.map(toRecord));
  }
  return loaded;
}

/** A record with the URL by which it was found: its current one or a former one. */
export interface RecordByUrl extends KeyedRecord {
  readonly url: string;
}

/** The records of all pull requests that have or once had these URLs, locked until the transaction ends. */
export async function loadRecordsByUrl(
  tx: Tx,
  storages: StorageMap,
  urls: readonly PullRequestUrl[],
): Promise<RecordByUrl[]> {
  const loaded: RecordByUrl[] = [];
  for (const [numbers, group] of groupByStorages(storages, urls, ({ organizationId }) => organizationId)) {
    const rows = await tx<(StoredRow & { named_url: string })[]>`
      SELECT m.*, p.url, p.state, p.event_time, k.url AS named_url
      FROM ${urlRows(tx, group)}
      ${joinKeysByUrl(tx)}
      CROSS JOIN LATERAL (
        SELECT * FROM pull_requests p
        WHERE p.organization_id = k.organization_id AND p.repository_id = n.repository_id AND p.number = n.number
        LIMIT 1 FOR UPDATE) p
      ${joinMetrics(tx, numbers)}`;
    loaded.push(...rows.map((row) => ({ ...toRecord(row), url: row.named_url })));
  }
  return loaded;
}

/** Prepares the metrics of new pull requests; the returned function inserts them, given their first position. */
export function prepareInsert(records: readonly PositionedRecord[]) {
  if (records.length === 0) return async () => {};
  const arrays = columnArrays(records, true);
  return async (tx: Tx, first: number): Promise<void> => {
    await tx.unsafe(insertStatement, [...arrays, first], { prepare: true });
  };
}

/** Replaces the metrics of pull requests. */
export async function updateRecords(
  tx: Tx,
  storages: StorageMap,
  records: readonly PositionedRecord[],
): Promise<void> {
  for (const [numbers, group] of groupByStorages(storages, records, ({ key }) => key.organizationId)) {
    await tx.unsafe(updateStatement(numbers), columnArrays(group, false), { prepare: true });
  }
}
