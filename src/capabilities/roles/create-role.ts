import type { CallerContext } from '../../access/caller-context.ts';
import { onlyOrganization } from '../../access/org-scope.ts';
import type { Database } from '../../db/database.ts';
import { AppError } from '../../lib/app-error.ts';
import { newUuid } from '../../lib/uuid.ts';
import { recordChanges } from '../audit-log/record-changes.ts';
import { lockOrganization } from '../organizations/lock-organization.ts';
import { clearDefault } from './default-role.ts';
import { allRoles, type PermissionPair, permissionsOfPairs } from './describe-role.ts';
import { readRole } from './list-roles.ts';
import { checkNameIsFree, roleChange } from './role-rules.ts';
import { findRoles, insertRole, type RoleRow } from './store.ts';

export interface NewRole {
  readonly name: string;
  readonly description: string;
  readonly is_default: boolean;
  readonly duplicate_from?: string | undefined;
  readonly permissions?: readonly PermissionPair[] | undefined;
}

function permissionsFor({ permissions, duplicate_from }: NewRole, custom: readonly RoleRow[]): string[] {
  if (permissions !== undefined) return permissionsOfPairs(permissions);
  const sourceId = (duplicate_from ?? 'cr_member').toLowerCase();
  const source = allRoles(custom).find(({ id }) => id === sourceId);
  if (source === undefined) throw new AppError('NOT_FOUND', 'duplicate_from: there is no such role');
  return source.permissions;
}

/** Creates a custom role; what it grants is said, copied from another role, or that of a plain member. */
export async function createRole(
  { database }: { database: Database },
  context: CallerContext,
  asked: NewRole,
) {
  const { scope, now } = context;
  const { organization } = onlyOrganization(scope);
  return database.transaction(async (tx) => {
    await lockOrganization(tx, organization.id);
    const custom = await findRoles(tx, scope);
    await checkNameIsFree(tx, scope, asked.name);
    const role: RoleRow = {
      id: newUuid(),
      name: asked.name,
      description: asked.description,
      is_default: asked.is_default,
      permissions: permissionsFor(asked, custom),
    };
    const cleared = role.is_default ? await clearDefault(tx, context, custom) : [];
    await insertRole(tx, scope, role, now);
    const metadata = { permissions: role.permissions, is_default: role.is_default };
    await recordChanges(tx, context, [...cleared, roleChange(organization, role, 'created', metadata)]);
    return readRole(tx, scope, role.id);
  });
}
