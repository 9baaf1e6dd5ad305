import type { Endpoint } from '../endpoint.ts';
import { acceptedKinds } from './accepted-kinds.ts';
import { parametersOf, requestBody } from './inputs.ts';
import { responsesOf } from './responses.ts';
import type { Json, SchemaWriter } from './schemas.ts';

const securityOf = {
  key: [{ apiKey: [] }],
  session: [],
  account: [],
  source: [{ sourceKey: [] }, { sourceToken: [] }],
  operator: [{ operatorToken: [] }],
  public: [],
  signed: [],
};

const callersOf = {
  session: 'For people signed in to the dashboard.',
  account: 'For people signed in to the dashboard.',
  source: 'Takes the key of an event source.',
  operator: 'Requires the operator token.',
  public: 'Needs no key.',
  signed: 'The caller signs its request.',
};

function descriptionOf(endpoint: Endpoint): { description: string } {
  const sentences = [
    ...(endpoint.description === undefined ? [] : [endpoint.description]),
    endpoint.audience === 'key'
      ? `Kinds of keys: ${acceptedKinds(endpoint).join(', ')}${endpoint.sources === undefined ? '' : `; also event sources of the type \`${endpoint.sources.type}\``}.`
      : callersOf[endpoint.audience],
  ];
  return { description: sentences.join(' ') };
}

export function operation(writer: SchemaWriter, endpoint: Endpoint): Json {
  const body = requestBody(writer, endpoint);
  return {
    operationId: endpoint.operationId,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    ...descriptionOf(endpoint),
    security: [
      ...securityOf[endpoint.audience],
      ...(endpoint.audience === 'key' && endpoint.acceptsBearer ? [{ keyToken: [] }] : []),
      ...(endpoint.audience === 'key' && endpoint.sources ? securityOf.source : []),
    ],
    parameters: parametersOf(writer, endpoint),
    ...(body !== undefined && { requestBody: body }),
    responses: responsesOf(writer, endpoint),
  };
}
