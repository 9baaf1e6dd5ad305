import { z } from 'zod';
import { type Endpoint, operatorEndpoint } from '../../http/endpoint.ts';
import { eventMediaTypes } from './read-events.ts';
import { type IntakeDeps, receiveEvents } from './receive-events.ts';

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

/** The endpoint through which reviewers and Git providers report. */
export function intakeEndpoints(deps: IntakeDeps): Endpoint[] {
  return [
    operatorEndpoint({
      operationId: 'receiveEvents',
      method: 'POST',
      path: '/operator/v1/events',
      tag: 'Operator',
      summary: 'Report events (CloudEvents 1.0): one, a batch, or one per line',
      description:
        'An event is stored completely or not at all, and once per source and id; an accepted event survives a crash. ' +
        'At most 10,000 errors are listed; `failed` counts all. `application/json` is one event: complete, or in binary mode with its ' +
        'attributes in `ce-` headers. If a single event fails, the answer is its error. Bodies may be compressed (`Content-Encoding: gzip`).',
      streams: eventMediaTypes,
      errors: ['NOT_FOUND'],
      responses: { 200: { description: 'The outcome of the events', json: eventResult } },
      async handle(context) {
        context.requestBody.checkMediaType(eventMediaTypes, { takesGzip: true });
        return { json: await receiveEvents(deps, context.requestBody, context.now) };
      },
    }),
  ];
}
