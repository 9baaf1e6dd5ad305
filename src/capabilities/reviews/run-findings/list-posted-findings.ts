import type { Db } from '../../../db/database.ts';
import type { FindingSource } from '../../../reviewer/finding.ts';
import type { PullRequestKey } from '../../pull-requests/pull-request-state.ts';

/** A posted finding, with the place of its comment. */
export interface PostedPlace {
  readonly findingId: string;
  /** The rule or, for a model's finding, the category. */
  readonly kind: string;
  readonly source: FindingSource;
  readonly severity: string;
  readonly category: string;
  readonly title: string;
  readonly body: string;
  readonly suggestion: string | null;
  readonly quote: string;
  readonly url: string;
  readonly threadId: string;
  readonly postedAt: Date;
  readonly revision: string;
  readonly path: string;
  readonly side: 'new' | 'old';
  readonly startLine: number | null;
  readonly endLine: number | null;
}

/** The findings of a pull request that have a comment at the host. */
export async function listPostedFindings(
  db: Db,
  { organizationId, repositoryId, number }: PullRequestKey,
): Promise<PostedPlace[]> {
  return db<PostedPlace[]>`
    SELECT finding_id AS "findingId", kind, jsonb_build_object('kind', source_kind, 'name', source_name) AS source, severity, category,
      title, body, suggestion, quote, url, thread_id AS "threadId", posted_at AS "postedAt", posted_revision AS revision,
      posted_path AS path, side, posted_start_line AS "startLine", posted_end_line AS "endLine"
    FROM review_findings
    WHERE organization_id = ${organizationId} AND repository_id = ${repositoryId} AND pull_request = ${number}
      AND thread_id IS NOT NULL AND posted_revision IS NOT NULL`;
}

/** A finding as the last review saw it. */
export interface SeenPlace {
  readonly findingId: string;
  readonly kind: string;
  readonly state: 'open' | 'outdated' | 'resolved' | 'dismissed';
  /** The version that the place refers to. */
  readonly head: string;
  readonly path: string;
  readonly startLine: number | null;
  readonly endLine: number | null;
}

/** The last review of a pull request, and the places of its findings at that time. */
export interface LastLook {
  readonly head: string | null;
  readonly mergeBase: string | null;
  readonly findings: readonly SeenPlace[];
}

export async function findLastLook(
  db: Db,
  { organizationId, repositoryId, number }: PullRequestKey,
): Promise<LastLook> {
  const [review] = await db<Omit<LastLook, 'findings'>[]>`
    SELECT reviewed_head AS head, reviewed_base AS "mergeBase" FROM reviewed_pull_requests
    WHERE organization_id = ${organizationId} AND repository_id = ${repositoryId} AND number = ${number}`;
  const findings = await db<SeenPlace[]>`
    SELECT finding_id AS "findingId", kind, state, head_revision AS head, path, start_line AS "startLine", end_line AS "endLine"
    FROM review_findings
    WHERE organization_id = ${organizationId} AND repository_id = ${repositoryId} AND pull_request = ${number}`;
  return { head: review?.head ?? null, mergeBase: review?.mergeBase ?? null, findings };
}
