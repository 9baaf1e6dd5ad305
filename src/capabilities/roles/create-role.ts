import type { CallerContext } from '../../access/caller-context.ts';
import { onlyOrganization } from '../../access/org-scope.ts';
import type { Database } from '../../db/database.ts';
import { AppError } from '../../lib/app-error.ts';
import { newUuid } from '../../lib/uuid.ts';
import { namedChange, recordChanges } from '../audit-log/record-changes.ts';
import { lockOrganization } from '../organizations/lock-organization.ts';
import { clearOtherDefaultRole } from './default-role.ts';
import { allRoles, type PermissionPair, toStoredPermissions } from './describe-role.ts';
import { readRole } from './list-roles.ts';
import { checkNameIsAvailable } from './role-rules.ts';
import { findRoles, insertRole, type RoleRow } from './store.ts';

export interface NewRole {
  readonly name: string;
  readonly description: string;
  readonly is_default: boolean;
  readonly duplicate_from?: string | undefined;
  readonly permissions?: readonly PermissionPair[] | undefined;
}

function permissionsFor({ permissions, duplicate_from }: NewRole, custom: readonly RoleRow[]): string[] {
  if (permissions !== undefined) return toStoredPermissions(permissions);
  const sourceId = (duplicate_from ?? 'cr_member').toLowerCase();
  const source = allRoles(custom).find(({ id }) => id === sourceId);
  if (source === undefined) throw new AppError('NOT_FOUND', 'duplicate_from: there is no such role');
  return source.permissions;
}

/** Creates a custom role with the given permissions, those of another role, or those of a plain member. */
export async function createRole(
  { database }: { database: Database },
  context: CallerContext,
  input: NewRole,
) {
  const { scope, now } = context;
  const { organization } = onlyOrganization(scope);
  return database.transaction(async (tx) => {
    await lockOrganization(tx, organization.id);
    const custom = await findRoles(tx, scope);
    await checkNameIsAvailable(tx, scope, input.name);
    const role: RoleRow = {
      id: newUuid(),
      name: input.name,
      description: input.description,
      is_default: input.is_default,
      permissions: permissionsFor(input, custom),
    };
    const clearedDefault = role.is_default ? await clearOtherDefaultRole(tx, context, custom) : [];
    await insertRole(tx, scope, role, now);
    const metadata = { permissions: role.permissions, is_default: role.is_default };
    await recordChanges(tx, context, [
      ...clearedDefault,
      namedChange(organization.id, 'role', role, 'created', metadata),
    ]);
    return readRole(tx, scope, role.id);
  });
}
