import type { Db } from '../../../db/database.ts';
import type { OrganizationId, RepositoryId } from '../../../lib/ids.ts';

/** A finding of a run, and the pull request or diff it belongs to. */
export interface RunFindingPlace {
  readonly repositoryId: RepositoryId;
  /** Null for a diff that was sent. */
  readonly pullRequest: number | null;
  readonly prUrl: string | null;
  readonly title: string;
}

/** Finds a finding of a run; undefined if the organization has no such run, or the run no such finding. */
export async function findRunFinding(
  db: Db,
  organizationId: OrganizationId,
  runId: string,
  findingId: string,
): Promise<RunFindingPlace | undefined> {
  const [row] = await db<RunFindingPlace[]>`
    SELECT r.repository_id AS "repositoryId", r.pull_request AS "pullRequest", r.pr_url AS "prUrl", f.title
    FROM review_runs r JOIN review_run_findings f ON f.organization_id = r.organization_id AND f.run_id = r.id
    WHERE r.organization_id = ${organizationId} AND r.id = ${runId} AND f.finding_id = ${findingId}`;
  return row;
}
