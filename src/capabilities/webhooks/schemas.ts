import { z } from 'zod';
import { must } from '../../lib/wire/own-checks.ts';
import { cursorParameter, integerParameter, uuid, wireInstant, wireUuid } from '../../lib/wire/wire.ts';
import { announcementTypes } from './announcement.ts';
import { deliveryStatuses } from './webhook-record.ts';

const url = z
  .string()
  .max(2048)
  .check(
    must((text) => {
      const parsed = URL.parse(text);
      if (parsed === null || !['http:', 'https:'].includes(parsed.protocol)) return false;
      return parsed.username === '' && parsed.password === '';
    }, 'must be an http or https URL without a user name or password'),
  )
  .meta({
    openapi: {
      type: 'string',
      format: 'uri',
      maxLength: 2048,
      description: 'An http or https URL. Internal addresses are rejected unless the operator allows them',
    },
  });

const types = z
  .array(z.enum(announcementTypes))
  .min(1)
  .max(100)
  .transform((list) => [...new Set(list)])
  .meta({
    openapi: {
      type: 'array',
      minItems: 1,
      items: { type: 'string', enum: announcementTypes },
      description: 'The types of events to send',
    },
  });

export const webhookRequest = z.strictObject({ url, types, active: z.boolean().default(true) });
export type WebhookRequest = z.output<typeof webhookRequest>;

export const webhookChange = z
  .strictObject({ url: url.optional(), types: types.optional(), active: z.boolean().optional() })
  .check(
    must((change) => Object.keys(change).length > 0, 'must contain at least one of url, types and active'),
  );
export type WebhookChange = z.output<typeof webhookChange>;

const webhookFields = {
  id: wireUuid,
  url: z.string(),
  types: z.array(z.enum(announcementTypes)),
  active: z.boolean().meta({ description: 'false: paused. Events that happen meanwhile are not sent' }),
  notice: z
    .strictObject({ at: wireInstant, message: z.string() })
    .nullable()
    .meta({ description: 'Why the server paused the webhook; null if it did not' }),
  failing_since: wireInstant.nullable().meta({ description: 'null: the last attempt succeeded' }),
  created_at: wireInstant,
};

export const webhookView = z.strictObject(webhookFields).meta({ id: 'Webhook' });
export const createdWebhook = z.strictObject({ ...webhookFields, secret: z.string() });
export const rotatedSecret = z.strictObject({ secret: z.string() });
export const webhookPage = z.strictObject({ data: z.array(webhookView), next_cursor: z.string().nullable() });
export const webhookPath = z.strictObject({ id: uuid });
export const pageQuery = z.strictObject({
  limit: integerParameter(1, 100).default(50),
  cursor: cursorParameter.optional(),
});

export const deliveryPath = z.strictObject({ id: uuid, delivery: uuid });
export const deliveriesQuery = z.strictObject({
  status: z.enum(deliveryStatuses).optional(),
  limit: integerParameter(1, 100).default(50),
  cursor: cursorParameter.optional(),
});

export const deliveryView = z
  .strictObject({
    id: wireUuid.meta({ description: 'Sent as `webhook-id`, and the `id` of the event' }),
    type: z.string(),
    subject: z.string(),
    status: z.enum(deliveryStatuses),
    attempts: z.int(),
    created_at: wireInstant,
    last_attempt_at: wireInstant.nullable(),
    next_attempt_at: wireInstant
      .nullable()
      .meta({ description: 'null also while an earlier event about the same subject is retried' }),
    response: z.strictObject({ status: z.int(), body: z.string() }).nullable(),
    error: z.string().nullable(),
  })
  .meta({ id: 'WebhookDelivery' });
export const deliveryPage = z.strictObject({
  data: z.array(deliveryView),
  next_cursor: z.string().nullable(),
});
export const acceptedDelivery = z.strictObject({ id: wireUuid });

/** Actions have no fields of their own; a workspace token adds the organization. */
export const actionBody = z.strictObject({});
