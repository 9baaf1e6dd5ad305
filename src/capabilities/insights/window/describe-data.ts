import { type OrgScope, organizationIdsOf } from '../../../access/org-scope.ts';
import type { Db } from '../../../db/database.ts';
import { plainArrayLiteral } from '../../../db/driver/array-literal.ts';
import { newestPullRequests } from './newest-first.ts';
import { isOfRepositories, selectWindow } from './select-pull-requests.ts';

/** The data that exists besides a window of merged pull requests, to explain an empty list. */
export interface KnownData {
  /** Whether a connection feeds any of the organizations. */
  readonly is_connected: boolean;
  readonly has_pull_requests: boolean;
  /** These two are counted up to a limit. */
  readonly open_pull_requests: number;
  readonly open_findings: number;
  /** When the newest merged pull request was merged. */
  readonly newest_merge_at: Date | null;
}

/** Counting stops here: nobody reads a larger number in a sentence, and counting takes time. */
export const maxCounted = 1000;

const always = { startDate: '1970-01-01', endDate: '9999-12-31' };

/** Describes the data of the organizations in scope, or of some of their repositories. */
export async function describeData(
  db: Db,
  scope: OrgScope,
  repositoryIds: readonly string[] | undefined,
): Promise<KnownData> {
  const organizationIds = plainArrayLiteral(organizationIdsOf(scope));
  const ofRepositories = isOfRepositories(db, organizationIds, repositoryIds);
  const isConnected = db`
    EXISTS (SELECT 1 FROM connection_organizations WHERE organization_id = ANY(${organizationIds}::uuid[]))`;
  const window = await selectWindow(db, scope, { ...always, repositoryIds });
  const [data] = await db<KnownData[]>`
    SELECT
      ${isConnected} AS is_connected,
      EXISTS (SELECT 1 FROM pull_requests p
        WHERE p.organization_id = ANY(${organizationIds}::uuid[]) AND ${ofRepositories}) AS has_pull_requests,
      (SELECT count(*)::int FROM (
        SELECT 1 FROM pull_requests p
        WHERE p.organization_id = ANY(${organizationIds}::uuid[]) AND p.state = 'open' AND ${ofRepositories}
        LIMIT ${maxCounted}) AS open) AS open_pull_requests,
      (SELECT count(*)::int FROM (
        SELECT 1 FROM reviewed_pull_requests p
        JOIN review_findings f ON f.organization_id = p.organization_id AND f.repository_id = p.repository_id
          AND f.pull_request = p.number AND f.state = 'open'
        WHERE p.organization_id = ANY(${organizationIds}::uuid[]) AND p.state = 'open' AND ${ofRepositories}
        LIMIT ${maxCounted}) AS standing) AS open_findings,
      (SELECT max(n.merged_at) FROM (${newestPullRequests(db, window, { start: undefined, count: 1 })}) AS n) AS newest_merge_at`;
  return data!;
}
