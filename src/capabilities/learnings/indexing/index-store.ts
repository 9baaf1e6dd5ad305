import type { Database, Db, Tx } from '../../../db/database.ts';
import type { OrganizationId, RepositoryId } from '../../../lib/ids.ts';
import { publishedState } from '../learning-lifecycle.ts';
import {
  type ContentKey,
  type LearningState,
  type RepositoryKey,
  repositoryKey,
} from '../learning-record.ts';
import { lockRepositories } from '../store-writes.ts';

/** Stores vectors of records whose text has not changed since; skips the others. */
export async function storeVectors(
  tx: Tx,
  embedderId: string,
  entries: readonly { readonly learning: ContentKey & { readonly id: string }; readonly vectors: Buffer }[],
  settledAt: Date,
): Promise<void> {
  const learnings = entries.map(({ learning }) => learning);
  const versions = await lockRepositories(tx, learnings);
  await tx`
    WITH fresh AS (
      UPDATE learnings l SET embedder_id = ${embedderId}, index_due_at = ${settledAt}, index_version = n.version
      FROM unnest(${learnings.map(({ organizationId }) => organizationId)}::uuid[], ${learnings.map(({ id }) => id)}::uuid[],
        ${learnings.map(({ hash }) => hash)}::text[], ${learnings.map((key) => versions.get(repositoryKey(key))!)}::bigint[],
        ${entries.map(({ vectors }) => vectors.toString('hex'))}::text[]) AS n (organization_id, id, hash, version, vectors)
      WHERE l.organization_id = n.organization_id AND l.id = n.id AND l.content_hash = decode(n.hash, 'hex')
      RETURNING l.organization_id, l.id, decode(n.vectors, 'hex') AS vectors)
    INSERT INTO learning_vectors (organization_id, learning_id, vectors)
    SELECT organization_id, id, vectors FROM fresh
    ON CONFLICT (organization_id, learning_id) DO UPDATE SET vectors = excluded.vectors`;
}

/** Makes the repair schedule leave a record alone for a while, unless its text changes. */
export async function postponeRepair(
  db: Db,
  { organizationId, id, hash }: ContentKey & { readonly id: string },
  dueAt: Date,
): Promise<void> {
  await db`
    UPDATE learnings SET index_due_at = ${dueAt}
    WHERE organization_id = ${organizationId} AND id = ${id} AND content_hash = decode(${hash}, 'hex')`;
}

/** Records whose vectors are missing or of another embedder, and due, after an id and in the order of ids. */
export async function findUnindexed(
  db: Db,
  embedderId: string,
  now: Date,
  afterId: string,
  limit: number,
): Promise<(ContentKey & { readonly id: string; readonly text: string })[]> {
  // Three ranges of one index, because no index can serve "is distinct from".
  const range = (condition: ReturnType<typeof db>) => db`
    (SELECT organization_id, repository_id, id, learning, content_hash FROM learnings
     WHERE ${condition} AND id > ${afterId} AND index_due_at <= ${now} ORDER BY embedder_id, id LIMIT ${limit})`;
  const rows = await db<
    {
      organization_id: OrganizationId;
      repository_id: RepositoryId;
      id: string;
      learning: string;
      hash: string;
    }[]
  >`
    SELECT organization_id, repository_id, id, learning, encode(content_hash, 'hex') AS hash
    FROM (${range(db`embedder_id IS NULL`)} UNION ALL ${range(db`embedder_id < ${embedderId}`)}
          UNION ALL ${range(db`embedder_id > ${embedderId}`)}) AS due
    ORDER BY id LIMIT ${limit}`;
  return rows.map((row) => ({
    organizationId: row.organization_id,
    repositoryId: row.repository_id,
    id: row.id,
    text: row.learning,
    hash: row.hash,
  }));
}

/** The repositories with at least this many Learnings, the largest first. */
export async function findLargeRepositories(
  db: Db,
  minLearnings: number,
  limit: number,
): Promise<(RepositoryKey & { readonly learnings: number })[]> {
  const rows = await db<
    { organization_id: OrganizationId; repository_id: RepositoryId; learnings: number }[]
  >`
    SELECT organization_id, repository_id, count(*) AS learnings FROM learnings GROUP BY organization_id, repository_id
    HAVING count(*) >= ${minLearnings} ORDER BY count(*) DESC, repository_id LIMIT ${limit}`;
  return rows.map((row) => ({
    organizationId: row.organization_id,
    repositoryId: row.repository_id,
    learnings: row.learnings,
  }));
}

/** The version of a repository's index; 0 before the first Learning. */
export async function readIndexVersion(db: Db, key: RepositoryKey): Promise<number> {
  const [row] = await db<{ version: number }[]>`
    SELECT version FROM learning_index_versions
    WHERE organization_id = ${key.organizationId} AND repository_id = ${key.repositoryId}`;
  return row?.version ?? 0;
}

/** The properties of a Learning, besides its text, that its scope and score depend on. */
export interface LearningFacts {
  readonly id: string;
  readonly file: string | null;
  readonly state: LearningState;
}

/** The part of a Learning that retrieval needs. */
export interface IndexedLearning {
  readonly facts: LearningFacts;
  readonly text: string;
  /** The vectors of the current text by the given embedder, or null; valid only during the callback that receives them. */
  readonly vectors: Uint8Array | null;
}

const changesStatement = `
  SELECT l.id::text, l.file, CASE WHEN l.visibility <> 'shared' OR l.approval <> 'approved' THEN json_build_object(
      'visibility', l.visibility, 'pullRequests', l.pull_requests, 'approval', l.approval,
      'deadlineMs', (extract(epoch FROM l.approval_deadline) * 1000)::int8)::text END,
    l.learning, encode(v.vectors, 'base64')
  FROM learnings l
  LEFT JOIN learning_vectors v ON v.organization_id = l.organization_id AND v.learning_id = l.id AND l.embedder_id = $3
  WHERE l.organization_id = $1::uuid AND l.repository_id = $2::uuid AND l.index_version > $4::int8`;

/** Nearly all Learnings have the same state, so it is neither sent nor stored for each of them. */
function readState(json: string | null): LearningState {
  if (json === null) return publishedState;
  const { deadlineMs, ...state } = JSON.parse(json) as Omit<LearningState, 'approvalDeadline'> & {
    readonly deadlineMs: number | null;
  };
  return { ...state, approvalDeadline: deadlineMs === null ? null : new Date(deadlineMs) };
}

/**
 * Reads the Learnings of a repository that were changed after a version, in any order, row by row. Vectors are sent as
 * base64, because PostgreSQL's own text format for bytes is half as long again, and the transfer dominates the first search
 * in a large repository.
 */
export function readChanges(
  database: Database,
  key: RepositoryKey,
  embedderId: string,
  afterVersion: number,
  onChange: (change: IndexedLearning) => void,
): Promise<void> {
  const parameters = [key.organizationId, key.repositoryId, embedderId, String(afterVersion)];
  return database.readRows(changesStatement, parameters, (row) => {
    const facts = { id: row.text(0)!, file: row.text(1), state: readState(row.text(2)) };
    onChange({ facts, text: row.text(3)!, vectors: row.base64(4) });
  });
}
