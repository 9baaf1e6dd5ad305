import { z } from 'zod';
import { accessTypes, resources } from '../../access/permissions.ts';
import { must } from '../../lib/wire/own-checks.ts';
import { booleanParameter } from '../../lib/wire/wire.ts';

const permission = z.strictObject({ resource_id: z.enum(resources), access_type: z.enum(accessTypes) });

export const roleListQuery = z.strictObject({
  role_type: z.enum(['all', 'system', 'custom']).default('all'),
  include_permissions: booleanParameter.default(false),
  include_user_count: booleanParameter.default(true),
});

/** Everything is included unless excluded explicitly. */
export const roleQuery = z.strictObject({
  include_permissions: booleanParameter.default(true),
  include_user_count: booleanParameter.default(true),
});

/** The name of a built-in role or the id of a custom one; unknown values lead to NOT_FOUND, not to INVALID_REQUEST. */
const roleId = z.string().min(1).max(255);

export const rolePath = z.strictObject({ role_id: roleId });

const fields = {
  name: z.string().trim().min(1).max(255),
  description: z.string().max(2000),
  is_default: z.boolean(),
  permissions: z.array(permission).max(1000),
};

export const newRole = z
  .strictObject({
    name: fields.name,
    description: fields.description.default(''),
    is_default: fields.is_default.default(false),
    duplicate_from: roleId.optional(),
    permissions: fields.permissions.optional(),
  })
  .check(
    must(({ duplicate_from, permissions }) => duplicate_from === undefined || permissions === undefined, {
      path: ['duplicate_from'],
      error: 'cannot be combined with permissions',
    }),
  );

export const roleChange = z
  .strictObject(fields)
  .partial()
  .check(must((change) => Object.keys(change).length > 0, 'must change at least one field'));

export const role = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    type: z.enum(['system', 'custom']),
    is_default: z.boolean(),
    permissions: z.array(permission).optional(),
    user_count: z.int().optional(),
  })
  .meta({ id: 'Role' });

export const roleList = z.strictObject({ roles: z.array(role) });
export const permissionCatalog = z.strictObject({
  resource_ids: z.array(z.enum(resources)),
  access_types: z.array(z.enum(accessTypes)),
});
