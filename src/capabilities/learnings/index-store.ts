import type { Db, Tx } from '../../db/database.ts';
import type { OrganizationId, RepositoryId } from '../../lib/ids.ts';
import { type ContentKey, type LearningState, type RepositoryKey, repositoryKey } from './learning-record.ts';
import { lockRepositories } from './store-writes.ts';

/** Stores vectors of texts that are still what the records say; others are passed over. */
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

/** Records whose vectors are missing or of another embedder, and due, behind an id and in the order of ids. */
export async function findUnindexed(
  db: Db,
  embedderId: string,
  now: Date,
  afterId: string,
  limit: number,
): Promise<(ContentKey & { readonly id: string; readonly text: string })[]> {
  // Three ranges of one index instead of "is distinct from", which none could serve.
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

/** The version of a repository's index; 0 before the first Learning. */
export async function readIndexVersion(db: Db, key: RepositoryKey): Promise<number> {
  const [row] = await db<{ version: number }[]>`
    SELECT version FROM learning_index_versions
    WHERE organization_id = ${key.organizationId} AND repository_id = ${key.repositoryId}`;
  return row?.version ?? 0;
}

/** Where the reading of a repository's changes stands. */
export interface ChangePosition {
  readonly version: number;
  readonly id: string;
}

/** What retrieval must know of a Learning before it looks at any text. */
export interface IndexedLearning extends LearningState {
  readonly id: string;
  readonly version: number;
  readonly file: string | null;
  /** Of the present text by the asked embedder, or null. */
  readonly vectors: Buffer | null;
}

/** The changes of a repository's Learnings behind a position, in the order of their versions. */
export async function findChanges(
  db: Db,
  key: RepositoryKey,
  embedderId: string,
  after: ChangePosition,
  limit: number,
): Promise<IndexedLearning[]> {
  const rows = await db<
    {
      id: string;
      version: number;
      file: string | null;
      visibility: LearningState['visibility'];
      pull_requests: number[];
      approval: LearningState['approval'];
      approval_deadline: Date | null;
      vectors: Buffer | null;
    }[]
  >`
    SELECT l.id, l.index_version AS version, l.file, l.visibility, l.pull_requests, l.approval, l.approval_deadline, v.vectors
    FROM learnings l
    LEFT JOIN learning_vectors v ON v.organization_id = l.organization_id AND v.learning_id = l.id
      AND l.embedder_id = ${embedderId}
    WHERE l.organization_id = ${key.organizationId} AND l.repository_id = ${key.repositoryId}
      AND (l.index_version, l.id) > (${after.version}, ${after.id}::uuid)
    ORDER BY l.index_version, l.id LIMIT ${limit}`;
  return rows.map((row) => ({
    id: row.id,
    version: row.version,
    file: row.file,
    visibility: row.visibility,
    pullRequests: row.pull_requests,
    approval: row.approval,
    approvalDeadline: row.approval_deadline,
    vectors: row.vectors,
  }));
}
