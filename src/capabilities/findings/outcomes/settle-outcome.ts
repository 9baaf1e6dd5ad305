import type { Tx } from '../../../db/database.ts';
import { outcomeAnnouncement } from '../../review-metrics/intake/announce-outcomes.ts';
import { type OutcomeKey, settleFinding, storeOutcome } from '../../reviews/run-findings/store-outcome.ts';
import { announce } from '../../webhooks/announce.ts';
import type { Signal } from '../signals/signal.ts';
import {
  appendSignals,
  type FindingKey,
  findSignals,
  subjectOfPull,
  subjectOfRun,
} from '../signals/signal-store.ts';
import { decideOutcome, type Verdict } from './decide-outcome.ts';

/** The key of a finding's signals. */
export function signalsKey({ organizationId, repositoryId, of, findingId }: OutcomeKey): FindingKey {
  const subject = 'runId' in of ? subjectOfRun(of.runId) : subjectOfPull(of.pullRequest);
  return { organizationId, repositoryId, subject, findingId };
}

export interface NewEvidence {
  readonly signals: readonly Signal[];
  /** The present version of the pull request; absent if unchanged. */
  readonly head?: string;
  readonly chance?: number | null;
  readonly prUrl: string | null;
}

interface OutcomeRow {
  readonly head: string | null;
  readonly accepted: boolean | null;
  readonly signal: string | null;
  readonly chance: number | null;
}

/**
 * Stores new signals about a finding and updates its verdict, one transaction at a time. Returns the verdict, and whether it
 * changed.
 */
export async function settleOutcome(
  tx: Tx,
  key: OutcomeKey,
  { signals, head, chance, prUrl }: NewEvidence,
  now: Date,
): Promise<Verdict & { readonly isChanged: boolean }> {
  const at = signalsKey(key);
  const isIt = tx`repository_id = ${at.repositoryId} AND subject = ${at.subject} AND finding_id = ${at.findingId}`;
  await tx`
    INSERT INTO finding_outcomes (organization_id, repository_id, subject, finding_id, pr_url, changed_at, is_reported)
    VALUES (${at.organizationId}, ${at.repositoryId}, ${at.subject}, ${at.findingId}, ${prUrl}, ${now}, true)
    ON CONFLICT DO NOTHING`;
  const [before] = await tx<[OutcomeRow]>`
    SELECT head, accepted, signal, chance FROM finding_outcomes
    WHERE organization_id = ${at.organizationId} AND ${isIt} FOR UPDATE`;
  await appendSignals(tx, at, signals);
  const known = await findSignals(tx, at);
  const present = head ?? before.head;
  const verdict = decideOutcome(known, present);
  const isChanged = verdict.accepted !== before.accepted;
  const likely = chance === undefined ? before.chance : chance;
  // Changes are ordered by time for their readers, so that no two changes may have the same time.
  await tx`
    UPDATE finding_outcomes SET head = ${present}, accepted = ${verdict.accepted}, signal = ${verdict.signal},
      chance = ${likely}, pr_url = coalesce(${prUrl}, pr_url),
      changed_at = CASE WHEN ${isChanged} THEN greatest(${now}, changed_at + interval '1 millisecond') ELSE changed_at END,
      is_reported = is_reported AND NOT ${isChanged && prUrl !== null}
    WHERE organization_id = ${at.organizationId} AND ${isIt}`;
  const isDismissed = isSettledByPerson(verdict);
  await settleFinding(tx, key, isDismissed, now);
  if (isChanged || likely !== before.chance)
    await storeOutcome(tx, key, { accepted: verdict.accepted, chance: likely }, now);
  if (!isChanged) return { ...verdict, isChanged };
  await announce(tx, now, [
    outcomeAnnouncement(at.organizationId, at.subject, { ...verdict, findingId: at.findingId, prUrl }),
  ]);
  return { ...verdict, isChanged };
}

/** Whether a person declined the finding, so that it must not be raised again. */
function isSettledByPerson({ accepted, signal }: Verdict): boolean {
  return accepted === false && (signal === 'dismissed' || signal === 'reply_wont_fix');
}
