import type { Db, Tx } from '../../db/database.ts';
import { plainArrayLiteral } from '../../db/driver/array-literal.ts';
import type { OrganizationId, RepositoryId } from '../../lib/ids.ts';
import { learningId } from './learning-id.ts';
import {
  type LearningState,
  type NewLearning,
  type RepositoryKey,
  repositoryKey,
  type StoredLearning,
  uniqueRepositories,
} from './learning-record.ts';

/**
 * Blocks writers of the repositories' Learnings until this transaction ends: `exclusive` blocks all others, `shared` only
 * exclusive ones. Locks are taken in a fixed order; `shared` must not be followed by `lockRepositories`, which could deadlock.
 */
export async function blockWriters(
  tx: Tx,
  keys: readonly RepositoryKey[],
  strength: 'exclusive' | 'shared',
): Promise<void> {
  const unique = uniqueRepositories(keys);
  const organizationIds = plainArrayLiteral(unique.map(({ organizationId }) => organizationId));
  const repositoryIds = plainArrayLiteral(unique.map(({ repositoryId }) => repositoryId));
  // Only an existing row can be locked, so each repository's row is created on first use.
  await tx`
    INSERT INTO learning_index_versions (organization_id, repository_id, version)
    SELECT organization_id, repository_id, 0
    FROM unnest(${organizationIds}::uuid[], ${repositoryIds}::uuid[]) AS k (organization_id, repository_id)
    ORDER BY organization_id, repository_id ON CONFLICT DO NOTHING`;
  await tx`
    SELECT FROM learning_index_versions v
    JOIN unnest(${organizationIds}::uuid[], ${repositoryIds}::uuid[]) AS k (organization_id, repository_id)
      USING (organization_id, repository_id)
    ORDER BY v.organization_id, v.repository_id ${strength === 'exclusive' ? tx`FOR NO KEY UPDATE OF v` : tx`FOR SHARE OF v`}`;
}

/**
 * Makes this transaction the only writer of the repositories' Learnings until it ends, and returns each repository's new
 * index version. Called first, so that versions become visible in their order and no two records have the same text.
 */
export async function lockRepositories(tx: Tx, keys: readonly RepositoryKey[]): Promise<Map<string, number>> {
  const unique = uniqueRepositories(keys);
  if (unique.length === 0) return new Map();
  const rows = await tx<{ organization_id: OrganizationId; repository_id: RepositoryId; version: number }[]>`
    INSERT INTO learning_index_versions AS v (organization_id, repository_id, version)
    SELECT organization_id, repository_id, 1
    FROM unnest(${unique.map((key) => key.organizationId)}::uuid[], ${unique.map((key) => key.repositoryId)}::uuid[])
      AS k (organization_id, repository_id)
    ORDER BY organization_id, repository_id
    ON CONFLICT (organization_id, repository_id) DO UPDATE SET version = v.version + 1
    RETURNING organization_id, repository_id, version`;
  return new Map(
    rows.map((row) => [
      repositoryKey({ organizationId: row.organization_id, repositoryId: row.repository_id }),
      row.version,
    ]),
  );
}

/** For each text, the first derived id that no record has. To insert them, the repositories' locks are needed. */
export async function findFreeIds(
  db: Db,
  contents: readonly (RepositoryKey & { readonly text: string })[],
): Promise<string[]> {
  const ids = contents.map(({ organizationId, repositoryId, text }) =>
    learningId(organizationId, repositoryId, text),
  );
  let open = contents.map((_, position) => position);
  for (let counter = 1; open.length > 0; counter += 1) {
    const rows = await db<{ position: number }[]>`
      SELECT k.position FROM unnest(${open}::int[], ${open.map((position) => contents[position]!.organizationId)}::uuid[],
        ${open.map((position) => ids[position]!)}::uuid[]) AS k (position, organization_id, id)
      JOIN learnings l USING (organization_id, id)`;
    open = rows.map(({ position }) => position);
    for (const position of open) {
      const { organizationId, repositoryId, text } = contents[position]!;
      ids[position] = learningId(organizationId, repositoryId, text, counter);
    }
  }
  return ids;
}

/** Stores new records, and adds the uses that were waiting for them. Needs the repositories' locks. */
export async function insertLearnings(
  tx: Tx,
  learnings: readonly NewLearning[],
  versions: ReadonlyMap<string, number>,
): Promise<void> {
  if (learnings.length === 0) return;
  const rows = learnings.map((learning) => ({
    organization_id: learning.organizationId,
    id: learning.id,
    repository_id: learning.repositoryId,
    learning: learning.text,
    hash: learning.hash,
    file: learning.file,
    source_url: learning.sourceUrl,
    author_id: learning.authorId,
    author_person_id: learning.authorPersonId,
    origin: learning.origin,
    visibility: learning.visibility,
    pull_requests: learning.pullRequests,
    approval: learning.approval,
    approval_deadline: learning.approvalDeadline,
    redactor_version: learning.redactorVersion,
    created_at: learning.createdAt,
    index_due_at: learning.indexDueAt,
    index_version: versions.get(repositoryKey(learning))!,
  }));
  await tx`
    INSERT INTO learnings (organization_id, id, repository_id, learning, content_hash, file, source_url, author_id,
      author_person_id, origin, visibility, pull_requests, approval, approval_deadline, redactor_version, created_at,
      updated_at, usage_count, last_used_at, embedder_id, index_due_at, index_version)
    SELECT n.organization_id, n.id, n.repository_id, n.learning, decode(n.hash, 'hex'), n.file, n.source_url, n.author_id,
      n.author_person_id, n.origin, n.visibility, n.pull_requests, n.approval, n.approval_deadline, n.redactor_version,
      n.created_at, n.created_at, 0, NULL, NULL, n.index_due_at, n.index_version
    FROM jsonb_to_recordset(${tx.json(rows as never)}) AS n (organization_id uuid, id uuid, repository_id uuid, learning text,
      hash text, file text, source_url text, author_id text, author_person_id uuid, origin text, visibility text,
      pull_requests int[], approval text, approval_deadline timestamptz, redactor_version int, created_at timestamptz,
      index_due_at timestamptz, index_version bigint)`;
  await applyWaitingUses(
    tx,
    learnings.map(({ organizationId, id }) => ({ organizationId, id })),
  );
}

/** Adds the uses that were reported before these records existed. */
export async function applyWaitingUses(
  tx: Tx,
  learnings: readonly { readonly organizationId: OrganizationId; readonly id: string }[],
): Promise<void> {
  await tx`
    WITH created AS (
      DELETE FROM learning_uses_waiting w
      USING unnest(${learnings.map(({ organizationId }) => organizationId)}::uuid[], ${learnings.map(({ id }) => id)}::uuid[])
        AS k (organization_id, learning_id)
      WHERE w.organization_id = k.organization_id AND w.learning_id = k.learning_id
      RETURNING w.organization_id, w.learning_id, w.uses, w.last_used_at)
    UPDATE learnings l SET usage_count = l.usage_count + created.uses,
      last_used_at = greatest(l.last_used_at, created.last_used_at)
    FROM created WHERE l.organization_id = created.organization_id AND l.id = created.learning_id`;
}

/** Changes the lifecycle state of records. Needs the repositories' locks. */
export async function updateStates(
  tx: Tx,
  changes: readonly { readonly learning: StoredLearning; readonly state: LearningState }[],
  versions: ReadonlyMap<string, number>,
): Promise<void> {
  if (changes.length === 0) return;
  const rows = changes.map(({ learning, state }) => ({
    organization_id: learning.organizationId,
    id: learning.id,
    visibility: state.visibility,
    pull_requests: state.pullRequests,
    approval: state.approval,
    approval_deadline: state.approvalDeadline,
    index_version: versions.get(repositoryKey(learning))!,
  }));
  await tx`
    UPDATE learnings l SET visibility = n.visibility, pull_requests = n.pull_requests, approval = n.approval,
      approval_deadline = n.approval_deadline, index_version = n.index_version,
      retired_at = CASE WHEN n.approval = 'disapproved' THEN l.retired_at END,
      merged_into = CASE WHEN n.approval = 'disapproved' THEN l.merged_into END
    FROM jsonb_to_recordset(${tx.json(rows as never)}) AS n (organization_id uuid, id uuid, visibility text,
      pull_requests int[], approval text, approval_deadline timestamptz, index_version bigint)
    WHERE l.organization_id = n.organization_id AND l.id = n.id`;
}

/** Replaces the text of a record, which invalidates its vectors. Needs the repository's lock. */
export async function updateText(
  tx: Tx,
  learning: StoredLearning,
  change: {
    readonly text: string;
    readonly hash: string;
    readonly redactorVersion: number;
    readonly now: Date;
    readonly indexDueAt: Date;
    readonly version: number;
  },
): Promise<void> {
  await tx`
    UPDATE learnings SET learning = ${change.text}, content_hash = decode(${change.hash}, 'hex'), updated_at = ${change.now},
      redactor_version = ${change.redactorVersion}, embedder_id = NULL, index_due_at = ${change.indexDueAt},
      index_version = ${change.version}
    WHERE organization_id = ${learning.organizationId} AND id = ${learning.id}`;
}

/** Deletes records and returns those that existed. */
export async function deleteLearnings(
  tx: Tx,
  organizationId: OrganizationId,
  ids: readonly string[],
): Promise<(RepositoryKey & { readonly id: string })[]> {
  const rows = await tx<{ id: string; repository_id: RepositoryId }[]>`
    DELETE FROM learnings WHERE organization_id = ${organizationId} AND id = ANY(${[...ids]}::uuid[])
    RETURNING id, repository_id`;
  return rows.map((row) => ({ organizationId, id: row.id, repositoryId: row.repository_id }));
}
