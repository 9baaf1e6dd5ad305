import type { CallerContext } from '../../../../access/caller-context.ts';
import { onlyOrganization } from '../../../../access/org-scope.ts';
import type { Database } from '../../../../db/database.ts';
import { AppError } from '../../../../lib/app-error.ts';
import type { RepositoryId } from '../../../../lib/ids.ts';
import { isReader } from '../../shown-code/code-store.ts';
import type { PullRequestFacts } from '../pull-request-facts.ts';

/** A pull request by the id of its repository at the Git provider. */
export interface PullRequestReference {
  readonly repositoryId: string;
  readonly number: number;
}

/** A pull request as it was last read, or as events reported it. */
export interface ShownPullRequest {
  readonly repositoryKey: RepositoryId;
  readonly repositoryName: string;
  readonly url: string;
  readonly state: 'open' | 'merged' | 'closed';
  /** Null if it is known from events only. */
  readonly isDraft: boolean | null;
  readonly head: string | null;
  readonly facts: PullRequestFacts | null;
  /** Whether the caller may read its code at the host. */
  readonly isReader: boolean;
}

/** A pull request of the organization. */
export async function findShown(
  { database: { sql } }: { readonly database: Database },
  { scope, principal }: Pick<CallerContext, 'scope' | 'principal'>,
  { repositoryId, number }: PullRequestReference,
): Promise<ShownPullRequest> {
  const organizationId = onlyOrganization(scope).organization.id;
  const owner = 'owner' in principal ? principal.owner : null;
  const [found] = await sql<ShownPullRequest[]>`
    SELECT r.id AS "repositoryKey", r.name AS "repositoryName", coalesce(p.url, e.url) AS url, coalesce(p.state, e.state) AS state,
      p.is_draft AS "isDraft", p.head_revision AS head, p.facts, ${isReader(sql, organizationId, owner)} AS "isReader"
    FROM repositories r
    LEFT JOIN reviewed_pull_requests p ON p.organization_id = r.organization_id AND p.repository_id = r.id AND p.number = ${number}
    LEFT JOIN pull_requests e ON e.organization_id = r.organization_id AND e.repository_id = r.id AND e.number = ${number}
    WHERE r.organization_id = ${organizationId} AND r.provider_repository_id = ${repositoryId}
      AND (p.number IS NOT NULL OR e.number IS NOT NULL)`;
  if (found === undefined) throw new AppError('NOT_FOUND', 'There is no such pull request');
  return found;
}
