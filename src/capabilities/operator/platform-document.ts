import { z } from 'zod';
import { builtInRoles } from '../../access/permissions.ts';
import { providers } from '../../lib/ids.ts';
import { isUuid } from '../../lib/uuid.ts';
import { must } from '../../lib/wire/own-checks.ts';
import { httpUrl, providerId } from '../../lib/wire/wire.ts';

const slug = z
  .string()
  .min(1)
  .max(63)
  .regex(/^[a-z0-9][a-z0-9-]*$/, 'must consist of lower-case letters, digits and dashes');
const name = z.string().trim().min(1).max(255);
const email = z.email().max(320).toLowerCase();
const delayDays = z.int().min(0).max(30);
const role = z.string().check(
  must((text) => builtInRoles.some((builtIn) => builtIn === text) || isUuid(text), {
    error: 'must be cr_admin, cr_member, cr_billing_admin or the id of a custom role',
  }),
);

const workspace = z.strictObject({
  slug,
  name: name.optional(),
  active: z.boolean().optional(),
  admins: z.array(email).max(1000).optional(),
});

const instance = z.strictObject({
  slug,
  provider: z.enum(providers).optional(),
  url: httpUrl.optional(),
});

const repository = z.strictObject({
  provider_repository_id: providerId,
  name: name.optional(),
  active: z.boolean().optional(),
  private: z.boolean().optional(),
  approval_delay_days: delayDays.nullable().optional(),
  readers: z.union([z.literal('members'), z.array(providerId).max(10_000)]).optional(),
});

const member = z.strictObject({
  user_id: providerId,
  username: name.optional(),
  email: email.nullable().optional(),
  role: role.optional(),
  seat: z.boolean().optional(),
  bot: z.boolean().optional(),
  active: z.boolean().optional(),
});

const organization = z.strictObject({
  provider: z.enum(providers),
  provider_organization_id: providerId,
  instance: slug.nullable().optional(),
  workspace: slug.nullable().optional(),
  name: name.optional(),
  active: z.boolean().optional(),
  plan: z.enum(['free', 'pro', 'enterprise']).optional(),
  subscription: z.enum(['active', 'none']).optional(),
  seats_purchased: z.int().min(0).max(10_000_000).optional(),
  seat_assignment_mode: z.enum(['automatic', 'manual']).optional(),
  metrics: z.enum(['available', 'unavailable']).optional(),
  metrics_isolated: z.boolean().optional(),
  approval_delay_days: delayDays.optional(),
  repositories: z.array(repository).optional(),
  members: z.array(member).optional(),
});

/** The platform as a document: every tenant, its people and repositories. Only what it contains is changed. */
export const platformDocument = z
  .strictObject({
    workspaces: z.array(workspace).optional(),
    instances: z.array(instance).optional(),
    organizations: z.array(organization).optional(),
  })
  .meta({ id: 'Platform' });

export type PlatformDocument = z.output<typeof platformDocument>;
export type WorkspaceDocument = z.output<typeof workspace>;
export type InstanceDocument = z.output<typeof instance>;
export type OrganizationDocument = z.output<typeof organization>;
export type RepositoryDocument = z.output<typeof repository>;
export type MemberDocument = z.output<typeof member>;

const tally = z.strictObject({ created: z.int(), updated: z.int(), unchanged: z.int() });

/** How many entries of each kind a document created, updated or left unchanged. */
export const platformTallies = z
  .strictObject({
    workspaces: tally,
    instances: tally,
    organizations: tally,
    repositories: tally,
    members: tally,
  })
  .meta({ id: 'PlatformTallies' });

export type PlatformTallies = z.output<typeof platformTallies>;
