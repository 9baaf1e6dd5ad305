import { type OrgScope, organizationIdsOf } from '../../access/org-scope.ts';
import type { Db } from '../../db/database.ts';
import type { OrganizationId, Provider } from '../../lib/ids.ts';

/** Where a page by name ends. */
export interface NamePosition {
  readonly name: string;
  readonly id: string;
}

/** The position of a row in the order by name. */
export function positionByName({ name, id }: NamePosition): NamePosition {
  return { name, id };
}

export interface RepositoryRow extends NamePosition {
  provider: Provider;
  provider_repository_id: string;
  private: boolean;
}

/** The active repositories of one organization after a position, by name and id; none if it is out of scope. */
export async function findRepositories(
  db: Db,
  scope: OrgScope,
  organizationId: OrganizationId,
  after: NamePosition | undefined,
  limit: number,
) {
  return db<RepositoryRow[]>`
    SELECT r.id, r.name, o.provider, r.provider_repository_id, r.private
    FROM repositories r JOIN organizations o ON o.id = r.organization_id
    WHERE r.organization_id = ${organizationId} AND r.organization_id = ANY(${organizationIdsOf(scope)}::uuid[]) AND r.active
      ${after === undefined ? db`` : db`AND (r.name COLLATE "C", r.id) > (${after.name}, ${after.id}::uuid)`}
    ORDER BY r.name COLLATE "C", r.id LIMIT ${limit}`;
}
