import type { Database, Db } from '../../../db/database.ts';
import type { OrganizationId } from '../../../lib/ids.ts';
import type { DigestContent } from '../content/digest-content.ts';

/** One issue of a digest for one recipient, claimed by this node. */
export interface ClaimedSending {
  readonly organizationId: OrganizationId;
  readonly digestId: string;
  readonly endDate: string;
  readonly recipient: string;
  /** The number of this attempt; a higher number in the database means that another node has taken over. */
  readonly attempts: number;
}

/** After these times in the states `claimed` and `sending`, the node must have crashed. */
const preparedMs = 5 * 60_000;
const sentMs = 10 * 60_000;

export const interrupted = 'the server ended while it was sent: it may have arrived, so it is not sent again';

const atBefore = (now: Date, ms: number) => new Date(now.getTime() - ms);

/**
 * Handles sendings of crashed nodes: those that were only claimed wait again; those in the state `sending` may have been
 * delivered, and become unknown.
 */
export async function releaseStranded(db: Db, now: Date): Promise<void> {
  await db`
    UPDATE digest_sendings SET state = 'waiting', next_attempt_at = ${now}, changed_at = ${now}
    WHERE state = 'claimed' AND changed_at < ${atBefore(now, preparedMs)}`;
  await db`
    UPDATE digest_sendings SET state = 'unknown', error = ${interrupted}, changed_at = ${now}
    WHERE state = 'sending' AND changed_at < ${atBefore(now, sentMs)}`;
}

/** Claims due sendings, the longest due first. */
export async function claimSendings(database: Database, now: Date, count: number): Promise<ClaimedSending[]> {
  return database.transaction(
    (tx) => tx<ClaimedSending[]>`
    UPDATE digest_sendings s SET state = 'claimed', attempts = s.attempts + 1, changed_at = ${now}
    FROM (
      SELECT organization_id, digest_id, end_date, recipient FROM digest_sendings
      WHERE state = 'waiting' AND next_attempt_at <= ${now}
      ORDER BY next_attempt_at LIMIT ${count} FOR UPDATE SKIP LOCKED) AS due
    WHERE s.organization_id = due.organization_id AND s.digest_id = due.digest_id AND s.end_date = due.end_date
      AND s.recipient = due.recipient
    RETURNING s.organization_id AS "organizationId", s.digest_id AS "digestId", s.end_date::text AS "endDate", s.recipient, s.attempts`,
  );
}

const isOwn = (db: Db, { organizationId, digestId, endDate, recipient, attempts }: ClaimedSending) => db`
  organization_id = ${organizationId} AND digest_id = ${digestId} AND end_date = ${endDate} AND recipient = ${recipient}
  AND attempts = ${attempts}`;

/** Records that it may be delivered from now on; false if another node has claimed it in the meantime. */
export async function beginSending(db: Db, sending: ClaimedSending, now: Date): Promise<boolean> {
  const rows = await db`
    UPDATE digest_sendings SET state = 'sending', changed_at = ${now}
    WHERE organization_id = ${sending.organizationId} AND ${isOwn(db, sending)} AND state = 'claimed' RETURNING 1`;
  return rows.length === 1;
}

/** The outcome of an attempt. */
export type SendingResult =
  | { readonly state: 'sent' | 'dropped' }
  | { readonly state: 'failed' | 'unknown'; readonly error: string }
  | { readonly state: 'waiting'; readonly error: string; readonly nextAttemptAt: Date };

/** Stores the outcome, even if it was already given up as unknown before the answer arrived. */
export async function settleSending(
  db: Db,
  sending: ClaimedSending,
  result: SendingResult,
  now: Date,
): Promise<void> {
  await db`
    UPDATE digest_sendings SET state = ${result.state}, error = ${'error' in result ? result.error : null},
      next_attempt_at = ${'nextAttemptAt' in result ? result.nextAttemptAt : now}, changed_at = ${now}
    WHERE organization_id = ${sending.organizationId} AND ${isOwn(db, sending)} AND state IN ('claimed', 'sending', 'unknown')`;
}

export async function readIssue(
  db: Db,
  { organizationId, digestId, endDate }: ClaimedSending,
): Promise<DigestContent> {
  const [row] = await db<{ content: DigestContent }[]>`
    SELECT content FROM digest_issues
    WHERE organization_id = ${organizationId} AND digest_id = ${digestId} AND end_date = ${endDate}`;
  return row!.content;
}
