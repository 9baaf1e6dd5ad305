import type { Tx } from '../../../db/database.ts';
import type { OrganizationId } from '../../../lib/ids.ts';
import type { PullRequestKey } from '../../pull-requests/pull-request-state.ts';
import { announce } from '../../webhooks/announce.ts';
import type { Announcement } from '../../webhooks/announcement.ts';
import type { ReviewRecord } from '../record/pull-request-record.ts';

/** A record as it was stored, if it was, and as it is now. */
interface WrittenRecord {
  readonly key: PullRequestKey;
  readonly stored: ReviewRecord | undefined;
  readonly record: ReviewRecord;
}

/** The announcement of a finding's outcome; its subject is the pull request, or the review of a diff, that it belongs to. */
export function outcomeAnnouncement(
  organizationId: OrganizationId,
  subject: string,
  outcome: {
    readonly findingId: string;
    readonly prUrl: string | null;
    readonly accepted: boolean | null;
    readonly signal: string | null;
  },
): Announcement {
  const { findingId, prUrl, accepted, signal } = outcome;
  return {
    organizationId,
    type: 'postil.finding.outcome_changed',
    subject: `findings/${subject}/${findingId}`,
    data: { finding_id: findingId, pr_url: prUrl, accepted, signal },
  };
}

function announcementsOf({ key, stored, record }: WrittenRecord): Announcement[] {
  const { pullRequest, findings, verdicts, unannounced } = record;
  if (unannounced.size === 0) return [];
  return findings.flatMap(({ id }) => {
    const signal = unannounced.get(id);
    if (signal === undefined) return [];
    const accepted = verdicts.get(id)!.accepted;
    // Several reports in one transaction can cancel each other out.
    const isChanged =
      stored?.unannounced.has(id) || accepted !== (stored?.verdicts.get(id)?.accepted ?? null);
    const outcome = { findingId: id, prUrl: pullRequest.url, accepted, signal };
    return isChanged ? [outcomeAnnouncement(key.organizationId, `pull/${key.number}`, outcome)] : [];
  });
}

/** Announces to webhooks which outcomes of findings this transaction has changed, unless their reporter has done so already. */
export async function announceOutcomes(tx: Tx, now: Date, written: readonly WrittenRecord[]): Promise<void> {
  await announce(tx, now, written.flatMap(announcementsOf));
}
