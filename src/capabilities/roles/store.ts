import { type OrgScope, onlyOrganization } from '../../access/org-scope.ts';
import type { BuiltInRole } from '../../access/permissions.ts';
import type { Db, Tx } from '../../db/database.ts';

export interface RoleRow {
  id: string;
  name: string;
  description: string;
  is_default: boolean;
  permissions: string[];
}

function organizationIdOf(scope: OrgScope) {
  return onlyOrganization(scope).organization.id;
}

/** Finds the custom roles of the one organization in scope, sorted by name. */
export async function findRoles(db: Db, scope: OrgScope): Promise<RoleRow[]> {
  return db<RoleRow[]>`
    SELECT id, name, description, is_default, permissions FROM roles
    WHERE organization_id = ${organizationIdOf(scope)} ORDER BY lower(name) COLLATE "C", id`;
}

/** Counts the active users of each role in the one organization in scope, by role id. */
export async function countUsersByRole(db: Db, scope: OrgScope): Promise<Map<string, number>> {
  const rows = await db<{ role: BuiltInRole | null; custom_role_id: string | null; count: number }[]>`
    SELECT role, custom_role_id, count(*)::int AS count FROM members
    WHERE organization_id = ${organizationIdOf(scope)} AND active GROUP BY role, custom_role_id`;
  return new Map(rows.map(({ role, custom_role_id, count }) => [role ?? custom_role_id!, count]));
}

/** Checks whether a custom role of the one organization in scope has the name, comparing like the unique index. */
export async function isNameTaken(
  db: Db,
  scope: OrgScope,
  name: string,
  exceptId: string | null,
): Promise<boolean> {
  const [row] = await db<{ taken: boolean }[]>`
    SELECT EXISTS (SELECT FROM roles WHERE organization_id = ${organizationIdOf(scope)}
      AND lower(name) = lower(${name}) AND id IS DISTINCT FROM ${exceptId}) AS taken`;
  return row!.taken;
}

/** Inserts a new custom role. */
export async function insertRole(tx: Tx, scope: OrgScope, role: RoleRow, now: Date): Promise<void> {
  await tx`
    INSERT INTO roles (organization_id, id, name, description, is_default, permissions, created_at, updated_at)
    VALUES (${organizationIdOf(scope)}, ${role.id}, ${role.name}, ${role.description}, ${role.is_default},
      ${role.permissions}, ${now}, ${now})`;
}

/** Updates a custom role. */
export async function updateRoleRow(tx: Tx, scope: OrgScope, role: RoleRow, now: Date): Promise<void> {
  await tx`
    UPDATE roles SET name = ${role.name}, description = ${role.description}, is_default = ${role.is_default},
      permissions = ${role.permissions}, updated_at = ${now}
    WHERE organization_id = ${organizationIdOf(scope)} AND id = ${role.id}`;
}

/** Deletes a custom role; former members who still have it become plain members. */
export async function deleteRoleRow(tx: Tx, scope: OrgScope, roleId: string): Promise<void> {
  await tx`
    UPDATE members SET role = 'cr_member', custom_role_id = NULL
    WHERE organization_id = ${organizationIdOf(scope)} AND custom_role_id = ${roleId} AND NOT active`;
  await tx`DELETE FROM roles WHERE organization_id = ${organizationIdOf(scope)} AND id = ${roleId}`;
}

/** Checks whether an active user has the custom role. */
export async function isRoleInUse(db: Db, scope: OrgScope, roleId: string): Promise<boolean> {
  const [row] = await db<{ used: boolean }[]>`
    SELECT EXISTS (SELECT FROM members
      WHERE organization_id = ${organizationIdOf(scope)} AND custom_role_id = ${roleId} AND active) AS used`;
  return row!.used;
}
