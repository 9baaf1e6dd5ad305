import { z } from 'zod';
import { keyKinds } from '../../access/api-key-value.ts';
import { accessTypes, resources } from '../../access/permissions.ts';
import { providers } from '../../lib/ids.ts';
import { cursorParameter, integerParameter, uuid, wireInstant, wireUuid } from '../../lib/wire/wire.ts';

export const pageQuery = z.strictObject({
  limit: integerParameter(1, 100).optional(),
  cursor: cursorParameter.optional(),
});

export const organizationPage = z.strictObject({
  organizations: z.array(
    z
      .strictObject({
        id: wireUuid,
        name: z.string(),
        provider: z.enum(providers),
        provider_organization_id: z.string(),
      })
      .meta({ id: 'Organization' }),
  ),
  next_cursor: z.string().nullable(),
});

export const organizationPath = z.strictObject({ organization_id: uuid });

export const repositoryPage = z.strictObject({
  repositories: z.array(
    z
      .strictObject({
        id: wireUuid,
        name: z.string(),
        provider: z.enum(providers),
        provider_repository_id: z.string(),
        private: z.boolean(),
      })
      .meta({ id: 'Repository' }),
  ),
  next_cursor: z.string().nullable(),
});

const permission = z.templateLiteral([z.enum(resources), ':', z.enum(accessTypes)]);

export const callerDescription = z
  .strictObject({
    id: wireUuid,
    name: z.string(),
    kind: z.enum(keyKinds),
    expires_at: wireInstant.nullable(),
    owner: z
      .strictObject({ user_id: z.string().nullable(), name: z.string(), email: z.string().nullable() })
      .nullable(),
    scope: z.strictObject({
      type: z.enum(['organization', 'workspace', 'instance']),
      id: wireUuid,
      name: z.string(),
    }),
    is_admin: z.boolean(),
    permissions: z.array(permission),
    organizations: z.array(
      z.strictObject({
        id: wireUuid,
        name: z.string(),
        provider: z.enum(providers),
        org_id: z.string(),
        is_admin: z.boolean(),
        permissions: z.array(permission),
      }),
    ),
  })
  .meta({ id: 'Caller' });
