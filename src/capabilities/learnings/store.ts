import type { Db } from '../../db/database.ts';
import { plainArrayLiteral } from '../../db/driver/array-literal.ts';
import type { OrganizationId, ProviderRepositoryId, RepositoryId } from '../../lib/ids.ts';
import {
  type Approval,
  type ContentKey,
  contentKey,
  type RepositoryKey,
  repositoryKey,
  type StoredLearning,
  uniqueRepositories,
  type Visibility,
} from './learning-record.ts';

interface StoredRow {
  organization_id: OrganizationId;
  repository_id: RepositoryId;
  id: string;
  learning: string;
  hash: string;
  visibility: Visibility;
  pull_requests: number[];
  approval: Approval;
  approval_deadline: Date | null;
  created_at: Date;
  embedder_id: string | null;
}

function storedColumns(db: Db) {
  return db`l.organization_id, l.repository_id, l.id, l.learning, encode(l.content_hash, 'hex') AS hash, l.visibility,
    l.pull_requests, l.approval, l.approval_deadline, l.created_at, l.embedder_id`;
}

function toStored(row: StoredRow): StoredLearning {
  return {
    organizationId: row.organization_id,
    repositoryId: row.repository_id,
    id: row.id,
    text: row.learning,
    hash: row.hash,
    visibility: row.visibility,
    pullRequests: row.pull_requests,
    approval: row.approval,
    approvalDeadline: row.approval_deadline,
    createdAt: row.created_at,
    embedderId: row.embedder_id,
  };
}

/** The records with these contents, by content key. */
export async function findByContent(
  db: Db,
  keys: readonly ContentKey[],
): Promise<Map<string, StoredLearning>> {
  if (keys.length === 0) return new Map();
  const rows = await db<StoredRow[]>`
    SELECT ${storedColumns(db)}
    FROM unnest(${keys.map((key) => key.organizationId)}::uuid[], ${keys.map((key) => key.repositoryId)}::uuid[],
      ${keys.map((key) => key.hash)}::text[]) AS k (organization_id, repository_id, hash)
    JOIN learnings l ON l.organization_id = k.organization_id AND l.repository_id = k.repository_id
      AND l.content_hash = decode(k.hash, 'hex')`;
  return new Map(rows.map(toStored).map((stored) => [contentKey(stored), stored]));
}

/** The records of one organization with these ids. */
export async function findByIds(
  db: Db,
  organizationId: OrganizationId,
  ids: readonly string[],
): Promise<StoredLearning[]> {
  const rows = await db<StoredRow[]>`
    SELECT ${storedColumns(db)} FROM learnings l
    WHERE l.organization_id = ${organizationId} AND l.id = ANY(${[...ids]}::uuid[])`;
  return rows.map(toStored);
}

/** The private records of these pull requests. Nearly all have none, so the query is by repository and filtered after. */
export async function findPrivateLearnings(
  db: Db,
  keys: readonly (RepositoryKey & { readonly number: number })[],
): Promise<StoredLearning[]> {
  if (keys.length === 0) return [];
  const repositories = uniqueRepositories(keys);
  const rows = await db<StoredRow[]>`
    SELECT ${storedColumns(db)}
    FROM unnest(${plainArrayLiteral(repositories.map((key) => key.organizationId))}::uuid[],
      ${plainArrayLiteral(repositories.map((key) => key.repositoryId))}::uuid[]) AS k (organization_id, repository_id)
    JOIN learnings l ON l.organization_id = k.organization_id AND l.repository_id = k.repository_id
      AND l.visibility = 'private' AND l.pull_requests && ${plainArrayLiteral(keys.map(({ number }) => number))}::int[]`;
  if (rows.length === 0) return [];
  const wanted = new Set(keys.map((key) => `${repositoryKey(key)}/${key.number}`));
  return rows
    .map(toStored)
    .filter((learning) =>
      learning.pullRequests.some((number) => wanted.has(`${repositoryKey(learning)}/${number}`)),
    );
}

/**
 * Pull requests that ended by an event newer than a private record that still belongs to them. LATERAL and LIMIT look up those of
 * the private records by their key, whatever the estimated number of them: there are many more that ended long ago.
 */
export async function findEndedPullRequests(
  db: Db,
  limit: number,
): Promise<(RepositoryKey & { readonly number: number })[]> {
  return db<(RepositoryKey & { readonly number: number })[]>`
    SELECT DISTINCT l.organization_id AS "organizationId", l.repository_id AS "repositoryId", p.number
    FROM learnings l CROSS JOIN unnest(l.pull_requests) AS named (number) CROSS JOIN LATERAL (
      SELECT * FROM pull_requests r
      WHERE r.organization_id = l.organization_id AND r.repository_id = l.repository_id AND r.number = named.number LIMIT 1) AS p
    WHERE l.visibility = 'private' AND p.state <> 'open' AND p.event_time >= l.created_at LIMIT ${limit}`;
}

/** The active repositories of an organization by their ids at the Git provider. */
export async function findActiveRepositories(
  db: Db,
  organizationId: OrganizationId,
  ids: readonly ProviderRepositoryId[],
): Promise<Map<ProviderRepositoryId, RepositoryId>> {
  const rows = await db<{ id: RepositoryId; provider_repository_id: ProviderRepositoryId }[]>`
    SELECT id, provider_repository_id FROM repositories
    WHERE organization_id = ${organizationId} AND provider_repository_id = ANY(${[...ids]}::text[]) AND active`;
  return new Map(rows.map((row) => [row.provider_repository_id, row.id]));
}
