import { type BuiltInRole, builtInRoles } from '../../access/permissions.ts';

/** Display names and descriptions of the built-in roles. */
export const builtInRoleLabels: Record<BuiltInRole, { readonly name: string; readonly description: string }> =
  {
    cr_admin: { name: 'Admin', description: 'Manages the organization and everybody in it' },
    cr_member: { name: 'Member', description: 'Reviews code and maintains Learnings' },
    cr_billing_admin: { name: 'Billing Admin', description: 'Manages the subscription and its billing' },
  };

/** Checks whether a name is the id or display name of a built-in role, ignoring case. */
export function isBuiltInRoleName(name: string): boolean {
  const lowerCaseName = name.toLowerCase();
  return builtInRoles.some(
    (role) => role === lowerCaseName || builtInRoleLabels[role].name.toLowerCase() === lowerCaseName,
  );
}

/** Describes the role of a member for callers. */
export function describeMemberRole(member: {
  readonly role: BuiltInRole | null;
  readonly custom_role_id: string | null;
  readonly custom_role_name: string | null;
}): { role: string; role_name: string; role_type: 'system' | 'custom' } {
  return member.role === null
    ? { role: member.custom_role_id!, role_name: member.custom_role_name!, role_type: 'custom' }
    : { role: member.role, role_name: builtInRoleLabels[member.role].name, role_type: 'system' };
}
