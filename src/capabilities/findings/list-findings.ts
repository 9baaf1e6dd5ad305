import type { CallerContext } from '../../access/caller-context.ts';
import { onlyOrganization } from '../../access/org-scope.ts';
import type { Database, Db, Fragment } from '../../db/database.ts';
import type { OrganizationId } from '../../lib/ids.ts';
import { cutPage } from '../../lib/wire/one-page.ts';
import type { Category, Severity } from '../../reviewer/finding-vocabulary.ts';
import type { SignalName } from './signals/signal.ts';

/** The name that stands for our own findings in the filter by reviewer. */
export const ownReviewer = 'postil';

export interface FindingFilter {
  /** A user name, or `postil` for our own. */
  readonly reviewer?: string | undefined;
  /** Ids at the Git provider. */
  readonly repositoryIds?: readonly string[] | undefined;
  /** Days in UTC on which they were posted, both included. */
  readonly startDate?: string | undefined;
  readonly endDate?: string | undefined;
}

/** A followed finding of a pull request, ours or another reviewer's. */
export interface ListedFinding {
  readonly findingId: string;
  readonly reviewer: string | null;
  readonly repositoryId: string;
  readonly pullRequest: number;
  readonly prUrl: string | null;
  readonly path: string;
  readonly startLine: number | null;
  readonly endLine: number | null;
  readonly severity: Severity | null;
  readonly category: Category | null;
  readonly url: string;
  readonly state: 'open' | 'outdated' | 'resolved' | 'dismissed';
  readonly accepted: boolean | null;
  readonly chance: number | null;
  readonly signals: readonly SignalName[];
}

export interface FindingPosition {
  readonly postedAt: string;
  readonly repository: string;
  readonly pullRequest: number;
  readonly findingId: string;
}

type Row = ListedFinding & { readonly postedAt: Date; readonly repository: string };

/** The followed findings with their outcomes, the newest first. */
export async function listFindings(
  { database }: { readonly database: Database },
  { scope }: Pick<CallerContext, 'scope'>,
  filter: FindingFilter,
  { after, limit }: { readonly after: FindingPosition | undefined; readonly limit: number },
): Promise<{ readonly findings: readonly ListedFinding[]; readonly next: FindingPosition | null }> {
  const { sql } = database;
  const organizationId = onlyOrganization(scope).organization.id;
  const found = await sql<Row[]>`
    SELECT f.finding_id AS "findingId", f.reviewer, p.provider_repository_id AS "repositoryId", f.pull_request AS "pullRequest",
      o.pr_url AS "prUrl", f.path, f.start_line AS "startLine", f.end_line AS "endLine",
      coalesce(own.severity, f.severity) AS severity, coalesce(own.category, f.category) AS category, f.url,
      coalesce(own.state, ${stateOfOthers(sql)}) AS state, o.accepted, o.chance, coalesce(seen.names, '{}') AS signals,
      f.posted_at AS "postedAt", f.repository_id AS repository
    FROM (${pageOf(sql, organizationId, filter, after, limit + 1)}) AS f
    JOIN repositories p ON p.organization_id = ${organizationId} AND p.id = f.repository_id
    LEFT JOIN review_findings own ON f.reviewer IS NULL AND own.organization_id = ${organizationId}
      AND own.repository_id = f.repository_id AND own.pull_request = f.pull_request AND own.finding_id = f.finding_id
    LEFT JOIN finding_outcomes o ON o.organization_id = ${organizationId} AND o.repository_id = f.repository_id
      AND o.subject = 'pull/' || f.pull_request AND o.finding_id = f.finding_id
    LEFT JOIN LATERAL (
      SELECT array_agg(DISTINCT s.signal ORDER BY s.signal) AS names,
        (array_agg(s.signal ORDER BY s.at DESC) FILTER (WHERE s.signal IN ('thread_resolved', 'thread_reopened')))[1] AS thread
      FROM finding_signals s
      WHERE s.organization_id = ${organizationId} AND s.repository_id = f.repository_id
        AND s.subject = 'pull/' || f.pull_request AND s.finding_id = f.finding_id) AS seen ON true
    ORDER BY f.posted_at DESC, f.repository_id DESC, f.pull_request DESC, f.finding_id DESC`;
  const { rows, next } = cutPage(found, limit, ({ postedAt, repository, pullRequest, findingId }) => ({
    postedAt: postedAt.toISOString(),
    repository,
    pullRequest,
    findingId,
  }));
  return { findings: rows, next };
}

/**
 * Findings of other reviewers have no stored state: dismissed if a person declined them, resolved if the thread is,
 * otherwise open.
 */
function stateOfOthers(db: Db): Fragment {
  return db`CASE WHEN NOT o.accepted AND o.signal IN ('dismissed', 'reply_wont_fix') THEN 'dismissed'
    WHEN seen.thread = 'thread_resolved' THEN 'resolved' ELSE 'open' END`;
}

/**
 * Reads each name of a reviewer, in each repository, by its own index range, so that the cost of a page depends on its size
 * only.
 */
function pageOf(
  db: Db,
  organizationId: OrganizationId,
  { reviewer, repositoryIds, startDate, endDate }: FindingFilter,
  after: FindingPosition | undefined,
  limit: number,
): Fragment {
  const newest = (condition: Fragment) => db`
    SELECT f.* FROM followed_findings f
    WHERE f.organization_id = ${organizationId} ${condition}
      ${startDate === undefined ? db`` : db`AND f.posted_at >= ${`${startDate}T00:00:00Z`}::timestamptz`}
      ${endDate === undefined ? db`` : db`AND f.posted_at < ${`${endDate}T00:00:00Z`}::timestamptz + interval '1 day'`}
      ${after === undefined ? db`` : isAfter(db, after)}
    ORDER BY f.posted_at DESC, f.repository_id DESC, f.pull_request DESC, f.finding_id DESC LIMIT ${limit}`;
  if (reviewer === undefined && repositoryIds === undefined) return newest(db``);
  const isOf = reviewer === undefined ? db`` : db`AND lower(coalesce(f.reviewer, '')) = lower(wanted.name)`;
  const isIn = repositoryIds === undefined ? db`` : db`AND f.repository_id = r.id`;
  const ids = repositoryIds === undefined ? null : [...repositoryIds];
  return db`
    SELECT f.* FROM unnest(${namesOf(reviewer)}::text[]) AS wanted (name)
      ${ids === null ? db`` : db`JOIN repositories r ON r.organization_id = ${organizationId} AND r.provider_repository_id = ANY(${ids}::text[])`}
      CROSS JOIN LATERAL (${newest(db`${isOf} ${isIn}`)}) AS f
    ORDER BY f.posted_at DESC, f.repository_id DESC, f.pull_request DESC, f.finding_id DESC LIMIT ${limit}`;
}

/**
 * The names to look for: hosts add `[bot]` to the names of apps, which people leave out. Our own findings are stored without
 * a name.
 */
function namesOf(reviewer: string | undefined): readonly string[] {
  if (reviewer === undefined || reviewer.toLowerCase() === ownReviewer) return [''];
  return [reviewer, `${reviewer}[bot]`];
}

function isAfter(db: Db, { postedAt, repository, pullRequest, findingId }: FindingPosition): Fragment {
  return db`AND (f.posted_at, f.repository_id, f.pull_request, f.finding_id)
    < (${postedAt}::timestamptz, ${repository}::uuid, ${pullRequest}::integer, ${findingId})`;
}

/** A finding as the API shows it. */
export function presentListed(finding: ListedFinding) {
  return {
    finding_id: finding.findingId,
    reviewer: finding.reviewer ?? ownReviewer,
    repository_id: finding.repositoryId,
    pull_request: finding.pullRequest,
    pr_url: finding.prUrl,
    path: finding.path,
    start_line: finding.startLine,
    end_line: finding.endLine,
    severity: finding.severity,
    category: finding.category,
    url: finding.url,
    state: finding.state,
    accepted: finding.accepted,
    chance: finding.chance,
    signals: [...finding.signals],
  };
}
