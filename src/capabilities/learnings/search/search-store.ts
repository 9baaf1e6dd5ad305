import { type OrgScope, organizationIdsOf } from '../../../access/org-scope.ts';
import type { Db } from '../../../db/database.ts';
import type { OrganizationId, RepositoryId } from '../../../lib/ids.ts';
import {
  type ExportedLearning,
  exportBody,
  exportJoins,
  isApprovedSql,
  readExported,
} from '../export/export-rows.ts';
import type { RepositoryKey } from '../learning-record.ts';

/** For whom Learnings are retrieved: a review of this pull request, if any, at this time. */
export interface Reviewer {
  readonly now: Date;
  readonly pullRequest: number | undefined;
}

/** The active repositories in scope that have this id at their Git provider. */
export async function findRepositoriesInScope(
  db: Db,
  scope: OrgScope,
  providerRepositoryId: string,
): Promise<RepositoryKey[]> {
  const rows = await db<{ organization_id: OrganizationId; id: RepositoryId }[]>`
    SELECT organization_id, id FROM repositories
    WHERE organization_id = ANY(${organizationIdsOf(scope)}::uuid[])
      AND provider_repository_id = ${providerRepositoryId} AND active
    ORDER BY organization_id`;
  return rows.map((row) => ({ organizationId: row.organization_id, repositoryId: row.id }));
}

function isVisibleSql(db: Db, { now, pullRequest }: Reviewer) {
  return db`${isApprovedSql(db, now)}
    AND (l.visibility = 'shared' ${pullRequest === undefined ? db`` : db`OR ${pullRequest} = ANY(l.pull_requests)`})`;
}

/** The export rows of those that are visible to the reviewer now, by id. */
export async function loadVisible(
  db: Db,
  organizationId: OrganizationId,
  ids: readonly string[],
  reviewer: Reviewer,
): Promise<Map<string, ExportedLearning>> {
  const rows = await db<{ id: string; body: string }[]>`
    SELECT l.id, ${exportBody(db)} AS body FROM learnings l ${exportJoins(db)}
    WHERE l.organization_id = ${organizationId} AND l.id = ANY(${[...ids]}::uuid[]) AND ${isVisibleSql(db, reviewer)}`;
  return new Map(rows.map(({ id, body }) => [id, readExported(body)]));
}
