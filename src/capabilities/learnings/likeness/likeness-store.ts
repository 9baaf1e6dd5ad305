import type { Db, Tx } from '../../../db/database.ts';
import type { OrganizationId, RepositoryId } from '../../../lib/ids.ts';
import type { RepositoryKey } from '../learning-record.ts';
import type { Likeness } from './likeness.ts';

/** A repository with changes that have not been compared. */
export interface Uncompared extends RepositoryKey {
  /** Everything up to this version has been compared. */
  readonly comparedVersion: number;
  readonly version: number;
}

/** The repositories with changes that have not been compared, those with the fewest first. */
export async function findUncompared(db: Db, limit: number): Promise<Uncompared[]> {
  return db<Uncompared[]>`
    SELECT organization_id AS "organizationId", repository_id AS "repositoryId", version,
      compared_version AS "comparedVersion"
    FROM learning_index_versions WHERE version > compared_version ORDER BY version - compared_version LIMIT ${limit}`;
}

export interface ChangedLearning {
  readonly id: string;
  readonly text: string;
  readonly file: string | null;
  /** Whether reviews of any pull request could use it, now or once it is approved. */
  readonly isShared: boolean;
  /** Null until there are vectors of the text. */
  readonly vectors: Buffer | null;
  readonly version: number;
}

/**
 * The Learnings of the oldest versions that have not been compared: complete versions, with about `rows` rows in total or
 * more.
 */
export async function readUncompared(
  db: Db,
  { organizationId, repositoryId, comparedVersion }: Uncompared,
  embedderId: string,
  rows: number,
): Promise<ChangedLearning[]> {
  const own = db`l.organization_id = ${organizationId} AND l.repository_id = ${repositoryId}
    AND l.index_version > ${comparedVersion}`;
  return db<ChangedLearning[]>`
    SELECT l.id, l.learning AS text, l.file, l.index_version AS version,
      l.visibility = 'shared' AND l.approval <> 'disapproved' AS "isShared", v.vectors
    FROM learnings l LEFT JOIN learning_vectors v
      ON v.organization_id = l.organization_id AND v.learning_id = l.id AND l.embedder_id = ${embedderId}
    WHERE ${own} AND l.index_version <= (
      SELECT max(o.index_version) FROM (
        SELECT l.index_version FROM learnings l WHERE ${own} ORDER BY l.index_version LIMIT ${rows}) AS o)
    ORDER BY l.index_version`;
}

/** The texts of Learnings, by id. */
export async function readTexts(
  db: Db,
  organizationId: OrganizationId,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db<{ id: string; learning: string }[]>`
    SELECT id, learning FROM learnings WHERE organization_id = ${organizationId} AND id = ANY(${[...ids]}::uuid[])`;
  return new Map(rows.map(({ id, learning }) => [id, learning]));
}

/** Two similar Learnings. */
export interface LikePair {
  readonly firstId: string;
  readonly secondId: string;
  readonly meaning: number;
  readonly likeness: Likeness;
}

function toRow({ firstId, secondId, meaning, likeness }: LikePair) {
  const isConflict = likeness.kind === 'conflict';
  return {
    learning_id: firstId < secondId ? firstId : secondId,
    other_id: firstId < secondId ? secondId : firstId,
    kind: likeness.kind,
    likeness: meaning,
    word: isConflict ? likeness.word : null,
    against_id: isConflict ? (likeness.isFirst ? firstId : secondId) : null,
  };
}

/**
 * Replaces the pairs of the compared Learnings, and stores up to which version they were compared. A pair that is found
 * again stays dismissed. Learnings that were deleted in the meantime are left out.
 */
export async function storeCompared(
  tx: Tx,
  key: RepositoryKey & { readonly comparedVersion: number },
  compared: readonly string[],
  pairs: readonly LikePair[],
): Promise<void> {
  const { organizationId, repositoryId } = key;
  const rows = pairs.map(toRow);
  // Locks the Learnings, so that none is deleted before this transaction ends.
  await tx`
    SELECT FROM learnings
    WHERE organization_id = ${organizationId} AND id = ANY(${rows.flatMap((row) => [row.learning_id, row.other_id])}::uuid[])
    ORDER BY id FOR KEY SHARE`;
  const found = tx`jsonb_to_recordset(${tx.json(rows as never)}) AS n (learning_id uuid, other_id uuid, kind text, likeness real,
    word text, against_id uuid)`;
  await tx`
    DELETE FROM learning_likenesses p
    WHERE p.organization_id = ${organizationId}
      AND (p.learning_id = ANY(${[...compared]}::uuid[]) OR p.other_id = ANY(${[...compared]}::uuid[]))
      AND NOT EXISTS (
        SELECT FROM ${found} WHERE n.learning_id = p.learning_id AND n.other_id = p.other_id AND n.kind = p.kind)`;
  await tx`
    INSERT INTO learning_likenesses (organization_id, learning_id, other_id, kind, likeness, word, against_id)
    SELECT ${organizationId}::uuid, n.learning_id, n.other_id, n.kind, n.likeness, n.word, n.against_id
    FROM ${found}
    JOIN learnings a ON a.organization_id = ${organizationId} AND a.id = n.learning_id
    JOIN learnings b ON b.organization_id = ${organizationId} AND b.id = n.other_id
    ORDER BY n.learning_id, n.other_id
    ON CONFLICT (organization_id, learning_id, other_id) DO UPDATE
      SET kind = excluded.kind, likeness = excluded.likeness, word = excluded.word, against_id = excluded.against_id`;
  await tx`
    UPDATE learning_index_versions SET compared_version = greatest(compared_version, ${key.comparedVersion})
    WHERE organization_id = ${organizationId} AND repository_id = ${repositoryId}`;
}

/**
 * Dismisses a pair, because both Learnings are right. Returns their repository; undefined if the pair was dismissed before
 * or does not exist.
 */
export async function dismissPair(
  tx: Tx,
  organizationId: OrganizationId,
  [first, second]: readonly [string, string],
  now: Date,
): Promise<RepositoryId | undefined> {
  const [row] = await tx<{ repositoryId: RepositoryId }[]>`
    UPDATE learning_likenesses p SET dismissed_at = ${now}
    FROM learnings l
    WHERE p.organization_id = ${organizationId} AND p.learning_id = least(${first}::uuid, ${second}::uuid)
      AND p.other_id = greatest(${first}::uuid, ${second}::uuid) AND p.dismissed_at IS NULL
      AND l.organization_id = p.organization_id AND l.id = p.learning_id
    RETURNING l.repository_id AS "repositoryId"`;
  return row?.repositoryId;
}
