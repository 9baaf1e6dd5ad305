import type { Db, Tx } from '../../db/database.ts';
import type { PullRequestKey } from '../pull-requests/pull-request-state.ts';

export type AddressKind =
  | 'command'
  | 'question'
  | 'unknown'
  | 'stranger'
  | 'program'
  | 'wont_fix'
  | 'over_limit';

/** A comment for the account, and the decision about it. */
export interface AddressedComment {
  readonly key: string;
  readonly threadId: string | null;
  readonly authorId: string;
  readonly kind: AddressKind;
  /** `silent`: it is not answered. */
  readonly state: 'pending' | 'answered' | 'silent';
  /** The text to post; null until it is computed. */
  readonly answer: string | null;
  readonly decidedAt: Date;
}

/** The decisions about the comments of a pull request, by key. */
export type Decided = Map<string, AddressedComment>;

/** The stored decisions about the comments of a pull request, by key. */
export async function findAddressed(
  db: Db,
  { organizationId, repositoryId, number }: PullRequestKey,
): Promise<Decided> {
  const rows = await db<AddressedComment[]>`
    SELECT comment_id AS key, thread_id AS "threadId", author_id AS "authorId", kind, state, answer, decided_at AS "decidedAt"
    FROM addressed_comments
    WHERE organization_id = ${organizationId} AND repository_id = ${repositoryId} AND number = ${number}`;
  return new Map(rows.map((row) => [row.key, row]));
}

/** Stores the decision about a comment; false if there is one already. */
export async function insertAddressed(
  tx: Tx,
  { organizationId, repositoryId, number }: PullRequestKey,
  { key, threadId, authorId, kind, state, answer, decidedAt }: AddressedComment,
): Promise<boolean> {
  const inserted = await tx`
    INSERT INTO addressed_comments (organization_id, repository_id, number, comment_id, thread_id, author_id, kind, state, answer,
      decided_at)
    VALUES (${organizationId}, ${repositoryId}, ${number}, ${key}, ${threadId}, ${authorId}, ${kind}, ${state}, ${answer}, ${decidedAt})
    ON CONFLICT DO NOTHING RETURNING 1`;
  return inserted.length > 0;
}

/** Changes the text to post, or whether it is posted. */
export async function updateAddressed(
  db: Db,
  { organizationId, repositoryId, number }: PullRequestKey,
  key: string,
  { state, answer }: Pick<AddressedComment, 'state' | 'answer'>,
  now: Date,
): Promise<void> {
  await db`
    UPDATE addressed_comments
    SET state = ${state}, answer = ${answer}, answered_at = ${state === 'answered' ? now : null}
    WHERE organization_id = ${organizationId} AND repository_id = ${repositoryId} AND number = ${number} AND comment_id = ${key}`;
}
