import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  accessTypes,
  type BuiltInRole,
  permissionsOfBuiltInRole,
  type Resource,
  resources,
  rightsOfRole,
} from './permissions.ts';

// The contract's table, written out: r read, w write, d delete; columns cr_admin, cr_member, cr_billing_admin.
const table: Record<Resource, [string, string, string]> = {
  learning: ['rwd', 'rwd', ''],
  report: ['rwd', 'rwd', ''],
  organization_management: ['rwd', 'r', ''],
  repository_management: ['rwd', 'r', ''],
  user_management: ['rwd', 'r', 'r'],
  integration: ['rwd', 'r', ''],
  security: ['rwd', 'r', ''],
  metrics: ['rwd', 'r', ''],
  role_management: ['rwd', '', ''],
  audit_log: ['rwd', '', ''],
  api_access: ['rwd', '', ''],
  subscription: ['rwd', 'r', 'rw'],
  billing: ['rwd', '', 'rw'],
};
const roles: BuiltInRole[] = ['cr_admin', 'cr_member', 'cr_billing_admin'];

test('the built-in roles grant exactly what the table of rights says', () => {
  for (const resource of resources) {
    for (const [column, role] of roles.entries()) {
      for (const type of accessTypes) {
        const isGranted = permissionsOfBuiltInRole(role).has(`${resource}:${type}`);
        assert.equal(isGranted, table[resource][column]!.includes(type[0]!), `${role} ${resource}:${type}`);
      }
    }
  }
});

test('only cr_admin counts as Admin; a custom role grants its own permissions and nothing else', () => {
  assert.deepEqual(
    roles.map((role) => rightsOfRole(role, null).isAdmin),
    [true, false, false],
  );
  const custom = rightsOfRole(null, ['learning:write']);
  assert.deepEqual([custom.isAdmin, [...custom.permissions]], [false, ['learning:write']]);
});
