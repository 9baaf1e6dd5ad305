import { z } from 'zod';
import { keyKinds } from '../../access/api-key-value.ts';
import { providers } from '../../lib/ids.ts';
import {
  cursorParameter,
  instant,
  integerParameter,
  providerId,
  uuid,
  wireInstant,
  wireUuid,
} from '../../lib/wire/wire.ts';

const common = { name: z.string().trim().min(1).max(100), expires_at: instant.nullish() };
const organization = {
  /** Not needed for a name or id that only one organization has. */
  provider: z.enum(providers).optional(),
  /** Its id at the provider, or its name. */
  org_id: providerId,
  instance: z.string().min(1).max(63).nullish(),
};
const ownedByMember = { ...common, ...organization, owner: providerId };

/** The operator's request to create a key; each kind is bound to something else. */
export const keyRequest = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('organization'), ...ownedByMember }),
  z.strictObject({ kind: z.literal('user'), ...ownedByMember }),
  z.strictObject({ kind: z.literal('agentic'), ...ownedByMember }),
  z.strictObject({ kind: z.literal('legacy'), ...common, ...organization, owner: z.null().optional() }),
  z.strictObject({
    kind: z.literal('workspace'),
    name: common.name,
    workspace: z.string().min(1).max(63),
    owner: z.email().transform((text) => text.toLowerCase()),
    expires_at: instant,
  }),
  z.strictObject({
    kind: z.literal('instance'),
    ...common,
    instance: z.string().min(1).max(63),
    owner: providerId,
    org_ids: z.array(providerId).min(1).max(1000).nullish(),
    home_org_id: providerId.nullish(),
  }),
]);

export type KeyRequest = z.output<typeof keyRequest>;

/** The response to a creation, and the only one that contains the value. */
export const createdKey = z.strictObject({
  id: wireUuid,
  kind: z.enum(keyKinds),
  name: z.string(),
  value: z.string(),
  expires_at: wireInstant.nullable(),
  created_at: wireInstant,
});

export const keyListQuery = z.strictObject({
  limit: integerParameter(1, 1000).default(1000),
  cursor: cursorParameter.optional(),
});

const listedKey = z.strictObject({
  id: wireUuid,
  kind: z.enum(keyKinds),
  name: z.string(),
  workspace: z.string().nullable(),
  instance: z.string().nullable(),
  provider: z.enum(providers).nullable(),
  org_id: z.string().nullable(),
  org_ids: z.array(z.string()).nullable(),
  home_org_id: z.string().nullable(),
  owner: z.string().nullable(),
  expires_at: wireInstant.nullable(),
  revoked_at: wireInstant.nullable(),
  last_used_at: wireInstant.nullable(),
  created_at: wireInstant,
});

export const keyList = z.strictObject({ keys: z.array(listedKey), next_cursor: z.string().nullable() });

/** A page of keys in the dashboard, where owners have names. */
export const ownKeyList = z.strictObject({
  keys: z.array(listedKey.extend({ owner_name: z.string().nullable() })),
  next_cursor: z.string().nullable(),
});
export const keyPath = z.strictObject({ id: uuid });

/** A request in the dashboard to create a key of an organization. */
export const ownKeyRequest = z.strictObject({
  kind: z.enum(['organization', 'user', 'agentic']),
  ...common,
  owner: providerId.optional(),
});
export type OwnKeyRequest = z.output<typeof ownKeyRequest>;

/** A workspace admin's request in the dashboard to create a workspace token. */
export const ownTokenRequest = z.strictObject({
  name: common.name,
  expires_at: instant,
  owner: z.email().toLowerCase().optional(),
});
export type OwnTokenRequest = z.output<typeof ownTokenRequest>;
