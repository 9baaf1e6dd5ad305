import { hash } from 'node:crypto';
import { newUuid } from '../../../lib/uuid.ts';
import type { HostPullRequest } from '../hosts/host.ts';
import type { HostReviewComment } from '../hosts/review-host.ts';

/** The organization of a pull request, as events name it. */
export interface EventTenant {
  readonly provider: string;
  readonly orgId: string;
  readonly instance: string | null;
}

function dataOf(
  { provider, orgId, instance }: EventTenant,
  repositoryId: string,
  pull: HostPullRequest,
  findings: readonly HostReviewComment[] | undefined,
) {
  const instant = (date: Date | null) => date?.toISOString() ?? null;
  return {
    provider,
    org_id: orgId,
    ...(instance !== null && { instance }),
    repository_id: repositoryId,
    number: pull.number,
    url: pull.url,
    state: pull.state,
    author_id: pull.author?.id ?? null,
    author_username: pull.author?.username ?? null,
    created_at: pull.createdAt.toISOString(),
    ready_for_review_at: instant(pull.readyForReviewAt),
    first_human_review_at: instant(pull.firstHumanReviewAt),
    last_commit_at: instant(pull.lastCommitAt),
    merged_at: instant(pull.mergedAt),
    closed_at: instant(pull.closedAt),
    review_iterations: pull.reviewIterations,
    ...(findings !== undefined && {
      findings: findings.map(({ id, url }) => ({ finding_id: `${provider}:${id}`, url })),
    }),
  };
}

/** A pull request as the host reported it at a given time, as an intake event, with a fingerprint of its contents. */
export function pullRequestEvent(
  connectionId: string,
  tenant: EventTenant,
  repositoryId: string,
  pull: HostPullRequest,
  readAt: Date,
  findings?: readonly HostReviewComment[],
) {
  const data = dataOf(tenant, repositoryId, pull, findings);
  return {
    // Without findings, since only backfills read them and their absence is not a change.
    fingerprint: hash('sha256', JSON.stringify({ ...data, findings: undefined }), 'buffer'),
    event: {
      specversion: '1.0',
      id: newUuid(),
      source: `/connections/${connectionId}`,
      type: 'postil.pull_request',
      // What was read later is newer, regardless of the host's timestamps.
      time: readAt.toISOString(),
      data,
    },
  };
}
