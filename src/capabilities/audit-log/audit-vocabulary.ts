/**
 * Every action and resource type the log may contain. Never remove any: old entries keep theirs, and filters accept only
 * what is listed here.
 */
export const auditActions = [
  'api_key.created',
  'api_key.revoked',
  'connection.created',
  'connection.deleted',
  'connection.updated',
  'dashboard.admin_revoked',
  'dashboard.invited',
  'dashboard.password_set',
  'dashboard.signed_in',
  'event_source.created',
  'event_source.deleted',
  'instance.created',
  'instance.updated',
  'learning.approved',
  'learning.captured',
  'learning.created',
  'learning.deleted',
  'learning.disapproved',
  'learning.dropped',
  'learning.shared',
  'learning.updated',
  'member.created',
  'member.role_changed',
  'member.updated',
  'organization.created',
  'organization.updated',
  'repository.created',
  'repository.updated',
  'role.created',
  'role.deleted',
  'role.updated',
  'seat.assigned',
  'seat.reclaimed',
  'seat.unassigned',
  'seat_assignment_mode.changed',
  'security_finding.dismissed',
  'workspace.created',
  'workspace.updated',
] as const;

export const auditResourceTypes = [
  'api_key',
  'connection',
  'dashboard_account',
  'event_source',
  'instance',
  'learning',
  'member',
  'organization',
  'repository',
  'role',
  'seat',
  'security_finding',
  'workspace',
] as const;

export type AuditAction = (typeof auditActions)[number];
export type AuditResourceType = (typeof auditResourceTypes)[number];
