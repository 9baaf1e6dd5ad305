import { z } from 'zod';
import {
  cursorParameter,
  dateParameter,
  httpUrl,
  integerParameter,
  uuid,
  wireInstant,
  wireUuid,
} from '../../lib/wire/wire.ts';
import { deliveryStatuses } from './deliveries/delivery-store.ts';
import { connectableProviders } from './hosts/host-providers.ts';

/** Sent in a header, which takes no line breaks and no characters beyond ASCII. */
const headerValue = z
  .string()
  .min(1)
  .max(10_000)
  .regex(/^[\x21-\x7e]*$/, {
    error: ({ input }) =>
      /[\r\n]$/.test(String(input))
        ? 'must not end with a line break'
        : 'must consist of visible ASCII characters without spaces',
  });
const token = z.strictObject({ token: headerValue });
/** GitHub has numeric ids; both forms are accepted. */
const hostId = z.union([z.string().min(1).max(255), z.int().min(1).transform(String)]);
const app = z.strictObject({
  app_id: hostId,
  private_key: z.string().min(1).max(20_000),
  installation_id: hostId.optional(),
});
const credentials = z.union([token, app]);
const organizationNames = z.array(z.string().trim().min(1).max(255)).min(1).max(1000);
const webhookSecret = z.string().min(8).max(255);
const review = z.enum(['on', 'off']);
const slug = z
  .string()
  .min(1)
  .max(63)
  .regex(/^[a-z0-9][a-z0-9-]*$/, 'must be lower-case letters, digits and dashes');

const defaults = z.strictObject({
  plan: z.enum(['free', 'pro', 'enterprise']).default('enterprise'),
  subscription: z.enum(['active', 'none']).default('active'),
  seats_purchased: z.int().min(0).max(10_000_000).default(1000),
  seat_assignment_mode: z.enum(['automatic', 'manual']).default('automatic'),
});

export const connectionRequest = z.strictObject({
  provider: z.enum(connectableProviders),
  url: httpUrl.optional(),
  instance: slug.optional(),
  credentials,
  organizations: organizationNames.optional(),
  webhook_secret: webhookSecret.optional(),
  review: review.default('on'),
  defaults: defaults.prefault({}),
});
export type ConnectionRequest = z.output<typeof connectionRequest>;

export const connectionChange = z.strictObject({
  credentials: credentials.optional(),
  webhook_secret: webhookSecret.optional(),
  organizations: organizationNames.nullable().optional(),
  review: review.optional(),
  status: z.enum(['paused', 'ready']).optional(),
});
export type ConnectionChange = z.output<typeof connectionChange>;

export const connectionPath = z.strictObject({ id: uuid });
export const deliveryPath = z.strictObject({ id: uuid, delivery: uuid });
export const hookPath = z.strictObject({ connection_id: z.string().max(255) });
export const connectionListQuery = z.strictObject({
  limit: integerParameter(1, 100).default(100),
  cursor: cursorParameter.optional(),
});
export const deliveryListQuery = z.strictObject({
  status: z.enum(deliveryStatuses).optional(),
  limit: integerParameter(1, 100).default(100),
  cursor: cursorParameter.optional(),
});
export const backfillRequest = z.strictObject({ since: dateParameter });

const common = {
  id: wireUuid,
  provider: z.string(),
  url: z.string(),
  instance: z.string().nullable(),
  status: z.enum(['ready', 'failing', 'paused']),
  account: z.strictObject({ id: z.string(), username: z.string() }),
  organizations: z.array(z.string()),
  review,
  created_at: wireInstant,
};

export const createdConnection = z
  .strictObject({ ...common, webhook: z.strictObject({ url: z.string(), secret: z.string() }) })
  .meta({ id: 'CreatedConnection' });

export const connectionView = z
  .strictObject({
    ...common,
    /** When organizations, repositories and members were last read; null before the first sync. */
    synced_at: wireInstant.nullable(),
    webhook: z.strictObject({
      url: z.string(),
      /** Per organization: what a person has to do at the host if the account could not register the webhook. */
      instructions: z.array(z.strictObject({ organization: z.string(), text: z.string() })),
    }),
    health: z.strictObject({
      last_delivery_at: wireInstant.nullable(),
      last_read_at: wireInstant.nullable(),
      last_error: z.strictObject({ at: wireInstant, message: z.string() }).nullable(),
      waiting: z.int(),
      oldest_waiting_at: wireInstant.nullable(),
    }),
    backfill: z.strictObject({
      state: z.enum(['none', 'running', 'done', 'failed']),
      since: z.string().nullable(),
      done: z.int(),
      total: z.int(),
    }),
  })
  .meta({ id: 'Connection' });

export const connectionPage = z.strictObject({
  data: z.array(connectionView),
  next_cursor: z.string().nullable(),
});

export const checkResult = z.strictObject({
  checks: z.array(z.strictObject({ name: z.string(), ok: z.boolean(), message: z.string() })),
});

export const deliveryPage = z.strictObject({
  data: z.array(
    z.strictObject({
      id: wireUuid,
      delivery_id: z.string(),
      event: z.string(),
      received_at: wireInstant,
      status: z.enum(deliveryStatuses),
      attempts: z.int(),
      error: z.string().nullable(),
    }),
  ),
  next_cursor: z.string().nullable(),
});

export const accepted = z.strictObject({});
