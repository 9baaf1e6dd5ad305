import { z } from 'zod';
import { type Endpoint, operatorEndpoint } from '../../http/endpoint.ts';
import { eventMediaTypes } from './read-events.ts';
import { type IntakeDeps, receiveEvents } from './receive-events.ts';

const remark = z.strictObject({
  index: z.int(),
  id: z.string().nullable(),
  code: z.string(),
  message: z.string(),
});

const eventResult = z.strictObject({
  accepted: z.int(),
  duplicate: z.int(),
  failed: z.int(),
  errors: z.array(remark),
  warnings: z
    .array(remark)
    .optional()
    .meta({ description: 'What of accepted events could not be taken; absent when there is nothing to say' }),
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
        'An event is stored whole or not at all, once for its source and id; accepted means that it survives a crash. ' +
        'At most 10,000 errors are listed; `failed` counts all. `application/json` is one event: whole, or in binary mode with its ' +
        'attributes in `ce-` headers. One event that fails is answered with its error. Bodies may be compressed (`Content-Encoding: gzip`).',
      streams: eventMediaTypes,
      errors: ['NOT_FOUND'],
      responses: { 200: { description: 'What became of the events', json: eventResult } },
      async handle(context) {
        context.requestBody.checkMediaType(eventMediaTypes, { takesGzip: true });
        return { json: await receiveEvents(deps, context.requestBody, context.now) };
      },
    }),
  ];
}
