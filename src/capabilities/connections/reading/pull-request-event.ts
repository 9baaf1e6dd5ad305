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

/** What another capability adds to the event about a pull request. */
export interface PullRequestExtras {
  readonly estimatedComplexity: number | null;
  readonly estimatedReviewMinutes: number | null;
  /** Findings that Postil itself has posted, and those of other reviewers that it follows. */
  readonly findings: readonly {
    readonly findingId: string;
    readonly url: string;
    readonly severity: string | null;
    readonly category: string | null;
  }[];
}

/** A pull request as its host and this installation know it. */
export interface PullRequestReport {
  readonly connectionId: string;
  readonly tenant: EventTenant;
  readonly providerRepositoryId: string;
  readonly pull: HostPullRequest;
  readonly own: PullRequestExtras | null;
}

/** All findings of a pull request; undefined if none are to be reported, so that the known ones stay. */
function findingsOf(
  { tenant, pull, own }: PullRequestReport,
  ofBots: readonly HostReviewComment[] | undefined,
) {
  const hasOwn = own !== null && own.findings.length > 0;
  if (ofBots === undefined && (!hasOwn || pull.state !== 'open')) return undefined;
  const described = own?.findings ?? [];
  const known = new Set(described.map(({ findingId }) => findingId));
  const others = (ofBots ?? []).map(({ id, url }) => ({ finding_id: `${tenant.provider}:${id}`, url }));
  return [
    ...described.map(({ findingId: finding_id, ...finding }) => ({ finding_id, ...finding })),
    ...others.filter(({ finding_id }) => !known.has(finding_id)),
  ];
}

/** The data of the event about a pull request, without its findings. */
export function pullRequestData(report: Omit<PullRequestReport, 'connectionId'>) {
  const { tenant, providerRepositoryId, pull, own } = report;
  const instant = (date: Date | null) => date?.toISOString() ?? null;
  return {
    provider: tenant.provider,
    org_id: tenant.orgId,
    ...(tenant.instance !== null && { instance: tenant.instance }),
    repository_id: providerRepositoryId,
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
    ...(own !== null && {
      estimated_complexity: own.estimatedComplexity,
      estimated_review_minutes: own.estimatedReviewMinutes,
    }),
  };
}

/**
 * A hash that tells whether there is anything new to report. Findings of other bots are left out, since not every reading
 * includes them.
 */
export function fingerprintOf(report: PullRequestReport): Buffer {
  const own = report.own === null || report.own.findings.length === 0 ? undefined : report.own.findings;
  return hash('sha256', JSON.stringify({ ...pullRequestData(report), findings: own }), 'buffer');
}

/** A pull request as it was at a given time, as an intake event. */
export function pullRequestEvent(
  report: PullRequestReport,
  readAt: Date,
  ofBots?: readonly HostReviewComment[],
) {
  const findings = findingsOf(report, ofBots);
  return {
    specversion: '1.0',
    id: newUuid(),
    source: `/connections/${report.connectionId}`,
    type: 'postil.pull_request',
    // A later reading counts as newer, whatever the host's timestamps say.
    time: readAt.toISOString(),
    data: { ...pullRequestData(report), ...(findings !== undefined && { findings }) },
  };
}
