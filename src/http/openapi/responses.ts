import { errorStatus } from '../../lib/app-error.ts';
import type { Endpoint, ResponseDeclaration } from '../endpoint.ts';
import { errorCodesOf } from '../reply/error-codes.ts';
import { acceptedKinds } from './accepted-kinds.ts';
import { exampleOf } from './examples.ts';
import { isOneJsonValue, type Json, type SchemaWriter } from './schemas.ts';

function headersOf(endpoint: Endpoint, status: number, extra: Readonly<Record<string, string>> = {}): Json {
  const described: Record<string, string> = {
    'x-request-id': 'Identifies the request in the logs',
    ...extra,
  };
  if ((endpoint.audience === 'key' || endpoint.audience === 'source') && status !== 401) {
    described['X-RateLimit-Limit'] = 'Requests admitted in any 60 seconds';
    described['X-RateLimit-Remaining'] = 'Requests left now';
    described['X-RateLimit-Reset'] = 'When the next request will be admitted, in Unix seconds';
  }
  if (endpoint.audience === 'key' && status !== 401 && acceptedKinds(endpoint).includes('legacy'))
    described.Deprecation = '`true` for legacy keys, which will stop working; absent for others';
  if (status === 429 || status === 503) described['Retry-After'] = 'Seconds to wait';
  return Object.fromEntries(
    Object.entries(described).map(([name, description]) => [
      name,
      { description, schema: { type: 'string' } },
    ]),
  );
}

const errorShapes = {
  error: { name: 'Error', type: 'application/json' },
  errors: { name: 'Errors', type: 'application/json' },
  scim: { name: 'ScimError', type: 'application/scim+json' },
};

function errorResponses(endpoint: Endpoint): Json {
  const byStatus = Map.groupBy(errorCodesOf(endpoint), (code) => errorStatus[code]);
  const { name, type } = errorShapes[endpoint.errorBody ?? 'error'];
  const schema = { $ref: `#/components/schemas/${name}` };
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      {
        description: codes.map((code) => `\`${code}\``).join(', '),
        headers: headersOf(endpoint, status),
        content: { [type]: { schema } },
      },
    ]),
  );
}

function successResponse(
  writer: SchemaWriter,
  endpoint: Endpoint,
  status: number,
  declared: ResponseDeclaration,
): Json {
  const content: Json = {};
  if (declared.json !== undefined)
    content[declared.mediaType ?? 'application/json'] = {
      schema: writer.write(declared.json, 'output'),
      ...exampleOf(endpoint, status),
    };
  const { example } = exampleOf(endpoint, status);
  for (const type of declared.content ?? []) {
    const isJson = isOneJsonValue(type);
    content[type] = {
      schema: { type: isJson ? 'object' : 'string' },
      ...(example !== undefined && isJson === (typeof example !== 'string') && { example }),
    };
  }
  return {
    description: declared.description,
    headers: headersOf(endpoint, status, declared.headers),
    ...(Object.keys(content).length > 0 && { content }),
  };
}

type Response = Json & { readonly description: string; readonly content?: Record<string, { schema: Json }> };

/** Merges responses with the same status: a protocol such as SCIM may have errors of its own besides ours. */
function mergeAlternatives(own: Json, errors: Json): Json {
  const merged: Json = { ...own, ...errors };
  for (const status of Object.keys(own).filter((name) => name in errors)) {
    const [ours, theirs] = [errors[status], own[status]] as [Response, Response];
    const content = Object.entries({ ...theirs.content, ...ours.content }).map(([type, { schema }]) => {
      const other = theirs.content?.[type]?.schema;
      return [
        type,
        { schema: other === undefined || other === schema ? schema : { anyOf: [schema, other] } },
      ];
    });
    const description = `${ours.description}. ${theirs.description}`;
    merged[status] = { ...ours, description, content: Object.fromEntries(content) };
  }
  return merged;
}

export function responsesOf(writer: SchemaWriter, endpoint: Endpoint): Json {
  const successes = Object.entries(endpoint.responses).map(([status, declared]) => [
    status,
    successResponse(writer, endpoint, Number(status), declared),
  ]);
  return mergeAlternatives(Object.fromEntries(successes), errorResponses(endpoint));
}
