import type { Tx } from '../../../db/database.ts';
import { arrayLiteral, plainArrayLiteral } from '../../../db/driver/array-literal.ts';
import type { OrganizationId } from '../../../lib/ids.ts';
import type { PullRequestKey } from '../../pull-requests/pull-request-state.ts';
import type { StorageMap } from '../storage/storage-map.ts';
import {
  columnArrays,
  insertStatement,
  type KeyedRecord,
  type PlacedRecord,
  recordOf,
  type StoredRow,
  updateStatement,
} from './record-columns.ts';

/** Names a pull request the way outcomes and MCP usage do. */
export interface PullRequestUrl {
  readonly organizationId: OrganizationId;
  readonly url: string;
}

// Storage numbers are written into the statement, so that its plan is for these partitions only.
function byStorages<Item>(
  storages: StorageMap,
  items: readonly Item[],
  organizationOf: (item: Item) => OrganizationId,
): Map<string, Item[]> {
  return Map.groupBy(items, (item) => storages.placeOf(organizationOf(item)).readFrom.join(', '));
}

function keysOf(tx: Tx, keys: readonly PullRequestKey[]) {
  return tx`unnest(${plainArrayLiteral(keys.map(({ organizationId }) => organizationId))}::uuid[],
    ${plainArrayLiteral(keys.map(({ repositoryId }) => repositoryId))}::uuid[],
    ${plainArrayLiteral(keys.map(({ number }) => number))}::int[]) AS k (organization_id, repository_id, number)`;
}

/** The URLs as rows `k (organization_id, url)`. */
export function urlsOf(tx: Tx, urls: readonly PullRequestUrl[]) {
  return tx`unnest(${plainArrayLiteral(urls.map(({ organizationId }) => organizationId))}::uuid[],
    ${arrayLiteral(urls.map(({ url }) => url))}::text[]) AS k (organization_id, url)`;
}

function pullRequestsOf(tx: Tx, items: readonly KeyedRecord[]) {
  const facts = items.map(({ record }) => record.pullRequest);
  return tx`unnest(${plainArrayLiteral(items.map(({ key }) => key.organizationId))}::uuid[],
    ${plainArrayLiteral(items.map(({ key }) => key.repositoryId))}::uuid[],
    ${plainArrayLiteral(items.map(({ key }) => key.number))}::int[],
    ${arrayLiteral(facts.map(({ url }) => url))}::text[], ${arrayLiteral(facts.map(({ state }) => state))}::text[],
    ${arrayLiteral(facts.map(({ eventTime }) => eventTime))}::timestamptz[])
    AS r (organization_id, repository_id, number, url, state, event_time)`;
}

// The inner limits keep the plan a lookup by key, whatever the planner thinks of the size of the tables.
function metricsOf(tx: Tx, storages: string) {
  return tx`
    CROSS JOIN LATERAL (
      SELECT * FROM review_metrics m
      WHERE m.storage_id IN (${tx.unsafe(storages)}) AND m.organization_id = p.organization_id
        AND m.repository_id = p.repository_id AND m.number = p.number
      LIMIT 1 FOR UPDATE) m`;
}

/** The records of those pull requests that are known, locked until the transaction ends. */
export async function loadRecords(
  tx: Tx,
  storages: StorageMap,
  keys: readonly PullRequestKey[],
): Promise<KeyedRecord[]> {
  const loaded: KeyedRecord[] = [];
  for (const [numbers, group] of byStorages(storages, keys, (key) => key.organizationId)) {
    const rows = await tx<StoredRow[]>`
      SELECT m.*, p.url, p.state, p.event_time
      FROM ${keysOf(tx, group)}
      CROSS JOIN LATERAL (
        SELECT * FROM pull_requests p
        WHERE p.organization_id = k.organization_id AND p.repository_id = k.repository_id AND p.number = k.number
        LIMIT 1 FOR UPDATE) p
      ${metricsOf(tx, numbers)}`;
    loaded.push(...rows.map(recordOf));
  }
  return loaded;
}

// The key of every pull request that has the URL `k`, or once had it; some may come twice.
function keysByUrl(tx: Tx) {
  return tx`
    CROSS JOIN LATERAL (
      SELECT p.repository_id, p.number FROM pull_requests p
      WHERE p.organization_id = k.organization_id AND md5(p.url)::uuid = md5(k.url)::uuid AND p.url = k.url
      UNION ALL
      SELECT f.repository_id, f.number FROM former_pull_request_urls f
      WHERE f.organization_id = k.organization_id AND f.url_hash = md5(k.url)::uuid AND f.url = k.url
      OFFSET 0) n`;
}

/** A record with the URL by which it was asked for: the one it has, or one it once had. */
export interface NamedRecord extends KeyedRecord {
  readonly url: string;
}

/** The records of all pull requests that have or once had these URLs, locked until the transaction ends. */
export async function loadRecordsByUrl(
  tx: Tx,
  storages: StorageMap,
  urls: readonly PullRequestUrl[],
): Promise<NamedRecord[]> {
  const loaded: NamedRecord[] = [];
  for (const [numbers, group] of byStorages(storages, urls, ({ organizationId }) => organizationId)) {
    const rows = await tx<(StoredRow & { named_url: string })[]>`
      SELECT m.*, p.url, p.state, p.event_time, k.url AS named_url
      FROM ${urlsOf(tx, group)}
      ${keysByUrl(tx)}
      CROSS JOIN LATERAL (
        SELECT * FROM pull_requests p
        WHERE p.organization_id = k.organization_id AND p.repository_id = n.repository_id AND p.number = n.number
        LIMIT 1 FOR UPDATE) p
      ${metricsOf(tx, numbers)}`;
    loaded.push(...rows.map((row) => ({ ...recordOf(row), url: row.named_url })));
  }
  return loaded;
}

/** Tells whether a pull request that has or once had one of these URLs is known by now. */
export async function isAnyUrlKnown(tx: Tx, urls: readonly PullRequestUrl[]): Promise<boolean> {
  const [row] = await tx<[{ known: boolean }]>`
    SELECT EXISTS (SELECT 1 FROM ${urlsOf(tx, urls)} ${keysByUrl(tx)}) AS known`;
  return row.known;
}

/** Adds those pull requests that are not known, and tells how many there were; another transaction's are waited for. */
export async function insertPullRequests(tx: Tx, items: readonly KeyedRecord[]): Promise<number> {
  const { count } = await tx`
    INSERT INTO pull_requests (organization_id, repository_id, number, url, state, event_time)
    SELECT * FROM ${pullRequestsOf(tx, items)}
    ON CONFLICT DO NOTHING`;
  return count;
}

/** Replaces what is known of pull requests. */
export async function updatePullRequests(tx: Tx, items: readonly KeyedRecord[]): Promise<void> {
  if (items.length === 0) return;
  await tx`
    UPDATE pull_requests p SET url = r.url, state = r.state, event_time = r.event_time
    FROM ${pullRequestsOf(tx, items)}
    WHERE p.organization_id = r.organization_id AND p.repository_id = r.repository_id AND p.number = r.number`;
}

/** Remembers URLs that pull requests no longer have; those it remembers already stay. */
export async function keepFormerUrls(
  tx: Tx,
  former: readonly (PullRequestKey & PullRequestUrl)[],
): Promise<void> {
  if (former.length === 0) return;
  await tx`
    INSERT INTO former_pull_request_urls (organization_id, url_hash, repository_id, number, url)
    SELECT r.organization_id, md5(r.url)::uuid, r.repository_id, r.number, r.url
    FROM unnest(${plainArrayLiteral(former.map(({ organizationId }) => organizationId))}::uuid[],
      ${plainArrayLiteral(former.map(({ repositoryId }) => repositoryId))}::uuid[],
      ${plainArrayLiteral(former.map(({ number }) => number))}::int[], ${arrayLiteral(former.map(({ url }) => url))}::text[])
      AS r (organization_id, repository_id, number, url)
    ON CONFLICT DO NOTHING`;
}

/** The metrics of pull requests that have none yet, ready to be added from a position that is not known yet. */
export function prepareInsert(records: readonly PlacedRecord[]) {
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
  records: readonly PlacedRecord[],
): Promise<void> {
  for (const [numbers, group] of byStorages(storages, records, ({ key }) => key.organizationId)) {
    await tx.unsafe(updateStatement(numbers), columnArrays(group, false), { prepare: true });
  }
}
