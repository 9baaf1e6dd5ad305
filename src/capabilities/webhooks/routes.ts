import type { KeyAccess, Requirements } from '../../access/access-rule.ts';
import type { RateLimit } from '../../access/rate-limit.ts';
import { type Endpoint, keyEndpoint } from '../../http/endpoint.ts';
import { readOnePage } from '../../http/paging.ts';
import { changeWebhook, removeWebhook, rotateSecret } from './change-webhook.ts';
import { createWebhook, type WebhookDeps } from './create-webhook.ts';
import { listWebhooks } from './list-webhooks.ts';
import {
  acceptedDelivery,
  actionBody,
  createdWebhook,
  deliveriesQuery,
  deliveryPage,
  deliveryPath,
  pageQuery,
  rotatedSecret,
  webhookChange,
  webhookPage,
  webhookPath,
  webhookRequest,
  webhookView,
} from './schemas.ts';
import { listDeliveries, replayDelivery, testWebhook } from './webhook-deliveries.ts';

const access: KeyAccess = {
  organization: 'own',
  user: 'own',
  workspace: 'one',
  instance: 'forbidden',
  legacy: 'gone',
  agentic: 'forbidden',
};
const requires: Requirements = { plan: 'any', right: 'admin' };
const limit: RateLimit = { bucket: 'webhooks', perMinute: 60, per: 'tenant' };
const tag = 'Webhooks';
const path = '/v1/webhooks';
/** Without fields: only a workspace token sends a body, to name its organization. */
const action = { body: actionBody, isBodyOptional: true } as const;
const shared = { tag, access, requires, limit };

/** Webhooks of an organization, and what was sent to them. */
export function webhookEndpoints(deps: WebhookDeps): Endpoint[] {
  return [
    keyEndpoint({
      ...shared,
      operationId: 'listWebhooks',
      method: 'GET',
      path,
      summary: 'List webhooks, newest first, without their secrets',
      query: pageQuery,
      responses: { 200: { description: 'A page of webhooks', json: webhookPage } },
      async handle(context, { query }) {
        const { page, nextCursor } = await readOnePage(
          context.cursors,
          null,
          query.cursor,
          (after: string | undefined) => listWebhooks(deps, context, { after, limit: query.limit }),
        );
        return { json: { data: page.webhooks, next_cursor: nextCursor } };
      },
    }),
    keyEndpoint({
      ...shared,
      operationId: 'createWebhook',
      method: 'POST',
      path,
      summary: 'Set up a webhook',
      description:
        'Everything of these types that happens after the response is sent to the URL, as a CloudEvent signed according to ' +
        'Standard Webhooks. The secret is shown only in this response.',
      body: webhookRequest,
      errors: ['CONFLICT'],
      responses: { 201: { description: 'The webhook with its secret', json: createdWebhook } },
      handle: async (context, { body }) => ({ status: 201, json: await createWebhook(deps, context, body) }),
    }),
    keyEndpoint({
      ...shared,
      operationId: 'changeWebhook',
      method: 'PATCH',
      path: `${path}/{id}`,
      summary: 'Change a webhook, pause it or resume it',
      description:
        'What happens while a webhook is paused is not sent later. What was waiting before is sent when it is resumed.',
      params: webhookPath,
      body: webhookChange,
      errors: ['NOT_FOUND'],
      responses: { 200: { description: 'The webhook as it is now', json: webhookView } },
      handle: async (context, { params, body }) => ({
        json: await changeWebhook(deps, context, params.id, body),
      }),
    }),
    keyEndpoint({
      ...shared,
      operationId: 'removeWebhook',
      method: 'DELETE',
      path: `${path}/{id}`,
      summary: 'Remove a webhook and its deliveries',
      params: webhookPath,
      errors: ['NOT_FOUND'],
      responses: { 204: { description: 'Removed' } },
      async handle(context, { params }) {
        await removeWebhook(deps, context, params.id);
        return { status: 204 };
      },
    }),
    keyEndpoint({
      ...shared,
      operationId: 'testWebhook',
      method: 'POST',
      path: `${path}/{id}/test`,
      summary: 'Send a test event, even to a webhook that is paused',
      params: webhookPath,
      ...action,
      errors: ['NOT_FOUND'],
      responses: { 202: { description: 'The event will be sent', json: acceptedDelivery } },
      handle: async (context, { params }) => ({
        status: 202,
        json: await testWebhook(deps, context, params.id),
      }),
    }),
    keyEndpoint({
      ...shared,
      operationId: 'rotateWebhookSecret',
      method: 'POST',
      path: `${path}/{id}/rotate`,
      summary: 'Replace the secret; for 24 hours, events carry a signature of the former one as well',
      description: 'At most 20 times in 24 hours: every secret that is still valid adds a signature.',
      params: webhookPath,
      ...action,
      errors: ['NOT_FOUND', 'CONFLICT'],
      responses: {
        200: { description: 'The new secret, shown only in this response', json: rotatedSecret },
      },
      handle: async (context, { params }) => ({ json: await rotateSecret(deps, context, params.id) }),
    }),
    keyEndpoint({
      ...shared,
      operationId: 'listWebhookDeliveries',
      method: 'GET',
      path: `${path}/{id}/deliveries`,
      summary: 'List what was sent to a webhook and what is waiting, newest first',
      description: 'Deliveries are kept for 14 days, unless the operator has chosen another time.',
      params: webhookPath,
      query: deliveriesQuery,
      errors: ['NOT_FOUND'],
      responses: { 200: { description: 'A page of deliveries', json: deliveryPage } },
      async handle(context, { params, query: { status, cursor, limit: size } }) {
        const { page, nextCursor } = await readOnePage(
          context.cursors,
          { webhook: params.id, status },
          cursor,
          (after: string | undefined) =>
            listDeliveries(deps, context, params.id, status, { after, limit: size }),
        );
        return { json: { data: page.deliveries, next_cursor: nextCursor } };
      },
    }),
    keyEndpoint({
      ...shared,
      operationId: 'replayWebhookDelivery',
      method: 'POST',
      path: `${path}/{id}/deliveries/{delivery}/replay`,
      summary: 'Send a delivery again, under the same `webhook-id`',
      params: deliveryPath,
      ...action,
      errors: ['NOT_FOUND'],
      responses: { 202: { description: 'The event will be sent', json: acceptedDelivery } },
      handle: async (context, { params }) => ({
        status: 202,
        json: await replayDelivery(deps, context, params.id, params.delivery),
      }),
    }),
  ];
}
