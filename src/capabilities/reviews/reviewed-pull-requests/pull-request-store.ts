import type { Db, Tx } from '../../../db/database.ts';
import type { HostPullRequest } from '../../connections/hosts/host.ts';
import type { PullRequestKey } from '../../pull-requests/pull-request-state.ts';
import type { AutomaticTrigger } from './choose-trigger.ts';
import { factsOf, type LastReview, type ReviewedPullRequest } from './pull-request-facts.ts';

type Row = Omit<ReviewedPullRequest, 'lastReview'> & {
  readonly runId: string | null;
  readonly reviewedHead: string | null;
  readonly reviewedBase: string | null;
  readonly reviewedPatch: string | null;
  readonly reviewedFiles: LastReview['files'];
};

function recordOf({
  runId,
  reviewedHead,
  reviewedBase,
  reviewedPatch,
  reviewedFiles,
  ...row
}: Row): ReviewedPullRequest {
  const lastReview =
    runId === null
      ? null
      : { runId, head: reviewedHead!, base: reviewedBase!, patch: reviewedPatch!, files: reviewedFiles };
  return { ...row, lastReview };
}

const select = (db: Db, { organizationId, repositoryId, number }: PullRequestKey) => db`
  SELECT organization_id AS "organizationId", repository_id AS "repositoryId", number, url, state, is_draft AS "isDraft",
    head_revision AS head, head_seen_at AS "headSeenAt", facts, read_at AS "readAt", due, paused_at IS NOT NULL AS "isPaused", reviewed_run_id AS "runId", reviewed_head AS "reviewedHead",
    reviewed_base AS "reviewedBase", reviewed_patch AS "reviewedPatch", reviewed_files AS "reviewedFiles"
  FROM reviewed_pull_requests
  WHERE organization_id = ${organizationId} AND repository_id = ${repositoryId} AND number = ${number}`;

export async function findPullRequest(db: Db, key: PullRequestKey): Promise<ReviewedPullRequest | undefined> {
  const [row] = await db<Row[]>`${select(db, key)}`;
  return row && recordOf(row);
}

/** The pull request, locked until the transaction ends. */
export async function lockPullRequest(tx: Tx, key: PullRequestKey): Promise<ReviewedPullRequest | undefined> {
  const [row] = await tx<Row[]>`${select(tx, key)} FOR UPDATE`;
  return row && recordOf(row);
}

/** Stores a pull request that is read for the first time; false, and no change, if it is known already. */
export async function insertPullRequest(
  tx: Tx,
  { organizationId, repositoryId }: Omit<PullRequestKey, 'number'>,
  pull: HostPullRequest,
  readAt: Date,
  due: AutomaticTrigger | null,
): Promise<boolean> {
  const inserted = await tx`
    INSERT INTO reviewed_pull_requests (organization_id, repository_id, number, url, state, is_draft, head_revision, facts, read_at, due)
    VALUES (${organizationId}, ${repositoryId}, ${pull.number}, ${pull.url}, ${pull.state}, ${pull.isDraft}, ${pull.head.sha},
      ${JSON.stringify(factsOf(pull))}::text::jsonb, ${readAt}, ${due})
    ON CONFLICT DO NOTHING RETURNING 1`;
  return inserted.length > 0;
}

/** Updates a known pull request with a new reading. */
export async function updatePullRequest(
  tx: Tx,
  { organizationId, repositoryId }: Omit<PullRequestKey, 'number'>,
  pull: HostPullRequest,
  readAt: Date,
  due: AutomaticTrigger | null,
): Promise<void> {
  await tx`
    UPDATE reviewed_pull_requests SET url = ${pull.url}, state = ${pull.state}, is_draft = ${pull.isDraft},
      head_seen_at = CASE WHEN head_revision = ${pull.head.sha} THEN head_seen_at ELSE ${readAt} END,
      head_revision = ${pull.head.sha}, facts = ${JSON.stringify(factsOf(pull))}::text::jsonb, read_at = ${readAt}, due = ${due}
    WHERE organization_id = ${organizationId} AND repository_id = ${repositoryId} AND number = ${pull.number}`;
}

/** Records that the due review was started, or decided against. */
export async function clearDue(
  tx: Tx,
  { organizationId, repositoryId, number }: PullRequestKey,
): Promise<void> {
  await tx`
    UPDATE reviewed_pull_requests SET due = NULL
    WHERE organization_id = ${organizationId} AND repository_id = ${repositoryId} AND number = ${number}`;
}

/** Pull requests with a due review, because the queue may have lost it. */
export async function findDuePullRequests(
  db: Db,
  readBefore: Date,
  limit: number,
): Promise<PullRequestKey[]> {
  return db<PullRequestKey[]>`
    SELECT organization_id AS "organizationId", repository_id AS "repositoryId", number FROM reviewed_pull_requests
    WHERE due IS NOT NULL AND read_at < ${readBefore} LIMIT ${limit}`;
}

/** Stores the review that later pushes are compared with. */
export async function storeLastReview(
  tx: Tx,
  { organizationId, repositoryId, number }: PullRequestKey,
  { runId, head, base, patch, files }: LastReview,
): Promise<void> {
  await tx`
    UPDATE reviewed_pull_requests SET reviewed_run_id = ${runId}, reviewed_head = ${head}, reviewed_base = ${base},
      reviewed_patch = ${patch}, reviewed_files = ${JSON.stringify(files)}::text::jsonb
    WHERE organization_id = ${organizationId} AND repository_id = ${repositoryId} AND number = ${number}`;
}

/** The id of the summary comment, which every run edits; null before the first. */
export async function findSummary(
  db: Db,
  { organizationId, repositoryId, number }: PullRequestKey,
): Promise<string | null> {
  const [row] = await db<{ id: string | null }[]>`
    SELECT summary_comment_id AS id FROM reviewed_pull_requests
    WHERE organization_id = ${organizationId} AND repository_id = ${repositoryId} AND number = ${number}`;
  return row?.id ?? null;
}

export async function storeSummary(
  tx: Tx,
  { organizationId, repositoryId, number }: PullRequestKey,
  commentId: string,
): Promise<void> {
  await tx`
    UPDATE reviewed_pull_requests SET summary_comment_id = ${commentId}
    WHERE organization_id = ${organizationId} AND repository_id = ${repositoryId} AND number = ${number}`;
}
