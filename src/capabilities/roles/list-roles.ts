import type { OrgScope } from '../../access/org-scope.ts';
import type { Db } from '../../db/database.ts';
import { allRoles, findRoleById, presentRole } from './describe-role.ts';
import { countUsersByRole, findRoles } from './store.ts';

/** Lists the built-in and custom roles of an organization. */
export async function listRoles(
  db: Db,
  scope: OrgScope,
  query: {
    role_type: 'all' | 'system' | 'custom';
    include_permissions: boolean;
    include_user_count: boolean;
  },
) {
  const roles = allRoles(await findRoles(db, scope));
  const userCounts = query.include_user_count ? await countUsersByRole(db, scope) : undefined;
  return {
    roles: roles
      .filter(({ type }) => query.role_type === 'all' || type === query.role_type)
      .map((role) => presentRole(role, { permissions: query.include_permissions, userCounts })),
  };
}

/** Returns one role, with its permissions and user count unless they are excluded. */
export async function readRole(
  db: Db,
  scope: OrgScope,
  roleId: string,
  include = { include_permissions: true, include_user_count: true },
) {
  const role = findRoleById(allRoles(await findRoles(db, scope)), roleId);
  const userCounts = include.include_user_count ? await countUsersByRole(db, scope) : undefined;
  return presentRole(role, { permissions: include.include_permissions, userCounts });
}
