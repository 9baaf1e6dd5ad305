import { z } from 'zod';
import type { EventSource } from '../../access/authenticate-source.ts';
import type { RateLimit } from '../../access/rate-limit.ts';
import {
  type Endpoint,
  operatorEndpoint,
  type Reply,
  type RequestContext,
  sourceEndpoint,
} from '../../http/endpoint.ts';
import { eventMediaTypes } from './read-events.ts';
import { type IntakeDeps, receiveEvents } from './receive-events.ts';
import { createSingleEventStore } from './store-single-event.ts';

const eventMessage = z.strictObject({
  index: z.int(),
  id: z.string().nullable(),
  code: z.string(),
  message: z.string(),
});

const eventResult = z.strictObject({
  accepted: z.int(),
  duplicate: z.int(),
  failed: z.int(),
  errors: z.array(eventMessage),
  warnings: z
    .array(eventMessage)
    .optional()
    .meta({ description: 'Parts of accepted events that were ignored; absent when there are none' }),
});

const description =
  'An event is stored completely or not at all, and once per source and id; an accepted event survives a crash. ' +
  'At most 10,000 errors are listed; `failed` counts all. `application/json` is one event: complete, or in binary mode with its ' +
  'attributes in `ce-` headers. If a single event fails, the answer is its error. Bodies may be compressed (`Content-Encoding: gzip`).';

const intake = {
  method: 'POST',
  summary: 'Report events (CloudEvents 1.0): one, a batch, or one per line',
  streams: eventMediaTypes,
  errors: ['NOT_FOUND'],
  responses: { 200: { description: 'The outcome of the events', json: eventResult } },
} as const;

/** Enough for a build job of every push of a large organization. */
const sourceLimit: RateLimit = { bucket: 'events', perMinute: 600, per: 'tenant' };

/** The endpoints through which reviewers and Git providers report. */
export function intakeEndpoints(deps: IntakeDeps): Endpoint[] {
  const storeSingleEvent = createSingleEventStore(deps);
  async function receive({ requestBody, now }: RequestContext, sender?: EventSource): Promise<Reply> {
    requestBody.checkMediaType(eventMediaTypes, { acceptsGzip: true });
    const receiving = { ...deps, storeSingleEvent, ...(sender !== undefined && { sender }) };
    return { json: await receiveEvents(receiving, requestBody, now) };
  }
  return [
    operatorEndpoint({
      ...intake,
      operationId: 'receiveEvents',
      path: '/operator/v1/events',
      tag: 'Operator',
      description,
      handle: (context) => receive(context),
    }),
    sourceEndpoint({
      ...intake,
      operationId: 'receiveSourceEvents',
      path: '/v1/events',
      tag: 'Events',
      description: `Of the types and for the organizations of the event source only; others fail with \`FORBIDDEN\`. ${description}`,
      limit: sourceLimit,
      handle: (context) => receive(context, context.source),
    }),
  ];
}
