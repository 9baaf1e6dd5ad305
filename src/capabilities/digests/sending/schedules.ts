import type { Database } from '../../../db/database.ts';
import type { Logger } from '../../../lib/log.ts';
import type { Schedule } from '../../../lib/schedule.ts';
import { CannotOpen } from '../../../secrets/seal.ts';
import type { Vault } from '../../../secrets/vault.ts';
import { chatPurpose, chatRecipient, type Digest } from '../digest-record.ts';
import { findDigest } from '../store.ts';
import { issueDueDigest } from './issue-digests.ts';
import {
  beginSending,
  type ClaimedSending,
  claimSendings,
  readIssue,
  releaseStranded,
  type SendingResult,
  settleSending,
} from './sending-store.ts';
import { type Outcome, pageUrl, sendByMail, sendToChat, type TransmitDeps } from './transmit.ts';

export interface SendingDeps extends TransmitDeps {
  readonly database: Database;
  readonly vault: Vault;
  readonly clock: () => Date;
  readonly log: Logger;
}

const pollMs = 20_000;
const atOnce = 8;

const minute = 60_000;
const hour = 60 * minute;
/** The pauses after failed attempts; after the last one, the digest is given up. */
const pausesMs = [minute, 5 * minute, 30 * minute, 2 * hour, 6 * hour, 12 * hour];

function resultOf(outcome: Outcome, attempts: number, now: Date): SendingResult {
  if (outcome.state !== 'again') return outcome as SendingResult;
  const pause = pausesMs[attempts - 1];
  if (pause === undefined) return { state: 'failed', error: outcome.error };
  return { state: 'waiting', error: outcome.error, nextAttemptAt: new Date(now.getTime() + pause) };
}

/** Undefined if nobody wants it any more, or another node has claimed it. */
async function transmit(
  deps: SendingDeps,
  digest: Digest,
  sending: ClaimedSending,
): Promise<Outcome | undefined> {
  const { sql } = deps.database;
  const content = await readIssue(sql, sending);
  const page = pageUrl(deps, digest.organizationId, digest.teamId, sending.endDate);
  const begin = () => beginSending(sql, sending, deps.clock());
  if (sending.recipient !== chatRecipient)
    return sendByMail(deps, digest, sending.recipient, content, page, begin);
  try {
    const url = await deps.vault.read(sql, digest.chat!.secretId, chatPurpose);
    return await sendToChat(deps, { kind: digest.chat!.kind, url }, content, page, begin);
  } catch (error) {
    if (!(error instanceof CannotOpen)) throw error;
    return { state: 'again', error: error.message };
  }
}

const isWanted = (digest: Digest | undefined, recipient: string): digest is Digest =>
  digest?.isActive === true &&
  (recipient === chatRecipient ? digest.chat !== null : digest.recipients.includes(recipient));

async function send(deps: SendingDeps, sending: ClaimedSending): Promise<void> {
  const { sql } = deps.database;
  const digest = await findDigest(sql, sending);
  if (!isWanted(digest, sending.recipient))
    return settleSending(sql, sending, { state: 'dropped' }, deps.clock());
  const outcome = await transmit(deps, digest, sending);
  if (outcome === undefined) return;
  const now = deps.clock();
  if (outcome.state !== 'sent')
    deps.log.warn(
      { digest: sending.digestId, state: outcome.state, reason: outcome.error },
      'a digest was not sent',
    );
  await settleSending(sql, sending, resultOf(outcome, sending.attempts, now), now);
}

async function attempt(deps: SendingDeps, sending: ClaimedSending): Promise<void> {
  try {
    await send(deps, sending);
  } catch (error) {
    // Its claim is released after a while.
    deps.log.error({ err: error, digest: sending.digestId }, 'a digest could not be sent');
  }
}

/** Issues due digests and sends each once (ADR 0125). */
export function sendDigests(deps: SendingDeps): Schedule {
  const onError = (error: unknown) => deps.log.error({ err: error }, 'a digest could not be made');
  return {
    name: 'send digests',
    intervalMs: pollMs,
    async run(signal) {
      await releaseStranded(deps.database.sql, deps.clock());
      while (!signal.aborted && (await issueDueDigest({ ...deps, onError }, deps.clock())));
      while (!signal.aborted) {
        const claimed = await claimSendings(deps.database, deps.clock(), atOnce);
        if (claimed.length === 0) return;
        await Promise.all(claimed.map((sending) => attempt(deps, sending)));
      }
    },
  };
}
