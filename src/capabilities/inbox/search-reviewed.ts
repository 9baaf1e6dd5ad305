import type { CallerContext } from '../../access/caller-context.ts';
import { organizationIdsOf } from '../../access/org-scope.ts';
import type { Database, Db, Fragment } from '../../db/database.ts';
import { withShownPaths } from '../../redaction/shown-path.ts';
import { matches } from './select-open.ts';

/** A pull request whose title matches. */
export interface FoundPullRequest {
  readonly organization: string;
  readonly repositoryId: string;
  readonly repositoryName: string;
  readonly number: number;
  readonly title: string | null;
  readonly state: 'open' | 'merged' | 'closed';
}

/** A finding whose title matches. */
export interface FoundFinding {
  readonly organization: string;
  readonly repositoryName: string;
  readonly number: number;
  readonly runId: string;
  readonly findingId: string;
  readonly title: string;
  readonly path: string;
}

/** The number of newest rows that are searched in each organization, so that the cost of a search is bounded. */
const maxLookedAt = 5_000;

const organizations = (db: Db, ids: readonly string[]) => db`unnest(${[...ids]}::uuid[]) AS o (id)`;

/** Finds pull requests and open findings by a part of their title, the newest first. */
export async function searchReviewed(
  { database: { sql } }: { readonly database: Database },
  { scope }: Pick<CallerContext, 'scope'>,
  { search, limit }: { readonly search: string; readonly limit: number },
): Promise<{ readonly pulls: readonly FoundPullRequest[]; readonly findings: readonly FoundFinding[] }> {
  const ids = organizationIdsOf(scope);
  const pulls = await sql<FoundPullRequest[]>`${pullsStatement(sql, ids, search, limit)}`;
  const findings = await sql<FoundFinding[]>`
    SELECT o.id AS organization, r.name AS "repositoryName", f.pull_request AS number, f.last_run_id AS "runId",
      f.finding_id AS "findingId", f.title, f.path
    FROM ${organizations(sql, ids)}
    CROSS JOIN LATERAL (
      SELECT f.* FROM (
        SELECT f.* FROM host_pull_requests p
        JOIN review_findings f ON f.organization_id = p.organization_id AND f.repository_id = p.repository_id
          AND f.pull_request = p.number
        WHERE p.organization_id = o.id AND p.state = 'open' AND f.state = 'open'
        ORDER BY p.opened_at DESC LIMIT ${maxLookedAt}) AS f
      WHERE strpos(lower(f.title), ${search.toLowerCase()}) > 0 OR strpos(lower(f.path), ${search.toLowerCase()}) > 0
      LIMIT ${limit}) AS f
    JOIN repositories r ON r.organization_id = f.organization_id AND r.id = f.repository_id
    ORDER BY f.created_at DESC LIMIT ${limit}`;
  return { pulls, findings: withShownPaths(findings) };
}

function pullsStatement(db: Db, ids: readonly string[], search: string, limit: number): Fragment {
  return db`
    SELECT o.id AS organization, r.provider_repository_id AS "repositoryId", r.name AS "repositoryName", p.number, p.title, p.state
    FROM ${organizations(db, ids)}
    CROSS JOIN LATERAL (
      SELECT p.* FROM (
        SELECT p.* FROM host_pull_requests p WHERE p.organization_id = o.id AND p.opened_at IS NOT NULL
        ORDER BY p.opened_at DESC LIMIT ${maxLookedAt}) AS p
      WHERE true ${matches(db, search)}
      ORDER BY p.opened_at DESC LIMIT ${limit}) AS p
    JOIN repositories r ON r.organization_id = p.organization_id AND r.id = p.repository_id
    ORDER BY p.opened_at DESC LIMIT ${limit}`;
}
