import type { CallerContext } from '../../../../access/caller-context.ts';
import { onlyOrganization } from '../../../../access/org-scope.ts';
import type { Database } from '../../../../db/database.ts';
import { shownTitle, titleColumn } from '../../../pull-requests/pull-request-titles.ts';

/** The titles of the pull requests of reviews, by the id of the review; unknown ones are left out. */
export async function titleRuns(
  { database: { sql } }: { readonly database: Database },
  { scope }: Pick<CallerContext, 'scope'>,
  runIds: readonly string[],
): Promise<{ readonly id: string; readonly title: string }[]> {
  const { id } = onlyOrganization(scope).organization;
  const rows = await sql<{ id: string; title: string | null }[]>`
    SELECT p.id, ${titleColumn(sql)} AS title
    FROM (
      SELECT r.id, r.organization_id, r.repository_id, r.pull_request AS number FROM review_runs r
      WHERE r.organization_id = ${id} AND r.id = ANY(${[...runIds]}::uuid[]) AND r.pull_request IS NOT NULL) AS p`;
  return rows.flatMap((row) => {
    const title = shownTitle(row.title);
    return title === null ? [] : [{ id: row.id, title }];
  });
}
