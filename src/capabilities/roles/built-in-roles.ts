import { type BuiltInRole, builtInRoles } from '../../access/permissions.ts';

/** What the built-in roles are called. */
export const builtInRoleFacts: Record<BuiltInRole, { readonly name: string; readonly description: string }> =
  {
    cr_admin: { name: 'Admin', description: 'Manages the organization and everybody in it' },
    cr_member: { name: 'Member', description: 'Reviews code and maintains Learnings' },
    cr_billing_admin: { name: 'Billing Admin', description: 'Manages the subscription and its billing' },
  };

/** Tells whether an id names a built-in role. */
export function isBuiltInRole(id: string): id is BuiltInRole {
  return builtInRoles.some((role) => role === id);
}

/** Tells whether a name is taken by a built-in role, in any case of letters. */
export function isBuiltInRoleName(name: string): boolean {
  const wanted = name.toLowerCase();
  return builtInRoles.some((role) => role === wanted || builtInRoleFacts[role].name.toLowerCase() === wanted);
}

/** The role of a member as callers see it. */
export function describeRoleOf(member: {
  readonly role: BuiltInRole | null;
  readonly custom_role_id: string | null;
  readonly custom_role_name: string | null;
}): { role: string; role_name: string; role_type: 'system' | 'custom' } {
  return member.role === null
    ? { role: member.custom_role_id!, role_name: member.custom_role_name!, role_type: 'custom' }
    : { role: member.role, role_name: builtInRoleFacts[member.role].name, role_type: 'system' };
}
