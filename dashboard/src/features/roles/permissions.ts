import type { AccessType, Resource } from '../../../../src/access/permissions.ts';

/** What a role can grant; a compile error here means that the server's list has changed. */
const everyResource: Record<Resource, true> = {
  organization_management: true,
  repository_management: true,
  user_management: true,
  role_management: true,
  learning: true,
  metrics: true,
  security: true,
  audit_log: true,
  report: true,
  integration: true,
  subscription: true,
  billing: true,
  api_access: true,
};

export const resources = Object.keys(everyResource) as Resource[];
export const accessTypes: readonly AccessType[] = ['read', 'write', 'delete'];
