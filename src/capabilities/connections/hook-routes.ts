import { z } from 'zod';
import { type Endpoint, signedEndpoint } from '../../http/endpoint.ts';
import { type ReceiveDeps, receiveDelivery, requireSignature } from './deliveries/receive-delivery.ts';
import { hookPath } from './schemas.ts';

const maxDeliveryBytes = 25 * 1024 * 1024;

/** The endpoint that Git hosts call. */
export function hookEndpoints(deps: ReceiveDeps): Endpoint[] {
  return [
    signedEndpoint({
      operationId: 'receiveDelivery',
      method: 'POST',
      path: '/hooks/{connection_id}',
      tag: 'Connections',
      summary: 'Called by the Git host of a connection',
      description:
        'Signed by the host over the raw bytes; without a signature the body is not read. 202 means that the delivery is durable. It is only a hint: what happened is then read ' +
        'from the host, so that lost, duplicate, late and reordered deliveries lead to the same data.',
      params: hookPath,
      streams: ['application/json'],
      errors: [
        'INVALID_REQUEST',
        'INVALID_SIGNATURE',
        'NOT_FOUND',
        'PAYLOAD_TOO_LARGE',
        'SERVICE_UNAVAILABLE',
      ],
      responses: { 202: { description: 'Durable', json: z.strictObject({}) } },
      async handle({ raw, requestBody, now }, { params }) {
        const connection = await deps.calledConnections.find(params.connection_id);
        const headers = raw.headers as Record<string, string | undefined>;
        requireSignature(connection, headers);
        const body = await requestBody.readWhole(maxDeliveryBytes);
        await receiveDelivery(deps, connection, { headers, body }, now);
        return { status: 202, json: {} };
      },
    }),
  ];
}
