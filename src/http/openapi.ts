import type { z } from 'zod';
import { isAccepted } from '../access/access-rule.ts';
import { type KeyKind, keyKinds } from '../access/api-key-value.ts';
import { errorStatus } from '../lib/app-error.ts';
import { productVersion } from '../lib/product-version.ts';
import type { Endpoint, KeyEndpoint, ResponseDeclaration } from './endpoint.ts';
import { apiExamples } from './openapi-examples.ts';
import { type Json, SchemaWriter } from './openapi-schemas.ts';
import { errorCodesOf } from './reply/error-codes.ts';
import { scimErrorExtension } from './reply/error-reply.ts';
import { selectionFields } from './request/request-input.ts';

const tagDescriptions: Record<string, string> = {
  Organizations: 'The organizations and repositories a key can see, and who owns it',
  Connections: 'Accounts of this installation on Git hosts, and the webhooks that the hosts send',
  Reviews: 'Reviews of changes: what was found, and what was looked at',
  MCP: 'The same for coding agents that speak the Model Context Protocol',
  Webhooks: 'Where an organization is told of what happens in it: signed events, retried until they arrive',
  Events: 'What reviewers and build jobs report, with a key that can do nothing else',
  Operator: 'Provisioning of tenants, keys and events by the operator of the installation',
  Service: 'Health, metrics and the API description',
  Metrics: 'What automated reviews found on merged pull requests, and which findings were accepted',
  Learnings: 'Review guidance: write, export and search',
  People: 'Users, seats and their assignment',
  Roles: 'Built-in and custom roles',
  SCIM: 'Who may use a workspace, told by an identity provider (SCIM 2.0, RFC 7643 and 7644)',
  'Audit log': 'Who changed what, when',
  Security: 'Findings of AI security scans',
};

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

/** JSON Lines are text to the reader of the response; any other JSON is a single value. */
function isOneJsonValue(type: string): boolean {
  return /[/+]json$/.test(type.split(';', 1)[0]!.trim());
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
  for (const type of declared.content ?? [])
    content[type] = { schema: { type: isOneJsonValue(type) ? 'object' : 'string' } };
  return {
    description: declared.description,
    headers: headersOf(endpoint, status, declared.headers),
    ...(Object.keys(content).length > 0 && { content }),
  };
}

/** The recorded answer with this status, or the recorded request. */
function exampleOf({ operationId }: Endpoint, part: number | 'request'): Json {
  const recorded = apiExamples[operationId];
  const example = part === 'request' ? recorded?.request : recorded?.response;
  return example === undefined || (part !== 'request' && recorded?.status !== part) ? {} : { example };
}

function parametersOf(writer: SchemaWriter, endpoint: Endpoint): Json[] {
  const list = (shape: z.ZodObject | undefined, place: 'path' | 'query') => {
    const json = shape === undefined ? {} : writer.write(shape, 'input');
    const required = (json.required as string[] | undefined) ?? [];
    return Object.entries((json.properties ?? {}) as Record<string, Json>).map(
      ([name, { description, ...schema }]) => ({
        name,
        in: place,
        required: place === 'path' || required.includes(name),
        ...(description !== undefined && { description }),
        schema,
      }),
    );
  };
  return [
    ...list(endpoint.params, 'path'),
    ...list(endpoint.query, 'query'),
    ...selectionParameters(endpoint),
  ];
}

const selectionDescriptions = {
  org_id:
    'Git provider organization id: selects one organization for a workspace token; ignored for the other kinds of key',
  org_id_or_every:
    'Git provider organization id: required for a workspace token; for an instance key one organization, or ALL; ignored for the other kinds of key',
  organization_ids: 'Git provider organization ids, at most 10; only for instance keys',
};

function selectionsIn(endpoint: Endpoint, place: 'query' | 'body', kinds: readonly KeyKind[] = keyKinds) {
  if (endpoint.audience !== 'key') return [];
  const fields = kinds.flatMap((kind) => selectionFields(kind, endpoint.access, endpoint.method, place));
  return [...new Set(fields)].map((name) => ({ name, description: selectionDescription(endpoint, name) }));
}

function selectionDescription({ access }: KeyEndpoint, name: keyof typeof selectionDescriptions): string {
  const takesEvery = name === 'org_id' && access.instance === 'home_one_or_every';
  return selectionDescriptions[takesEvery ? 'org_id_or_every' : name];
}

function selectionParameters(endpoint: Endpoint): Json[] {
  return selectionsIn(endpoint, 'query').map(({ name, description }) => ({
    name,
    in: 'query',
    required: false,
    description,
    schema: { type: 'string' },
  }));
}

function requestBody(writer: SchemaWriter, endpoint: Endpoint): Json | undefined {
  if (endpoint.streams !== undefined) {
    return {
      required: true,
      content: Object.fromEntries(
        endpoint.streams.map((type) => [type, { schema: isOneJsonValue(type) ? {} : { type: 'string' } }]),
      ),
    };
  }
  if (endpoint.body === undefined) return undefined;
  const own = Object.entries(endpoint.bodyByKind ?? {}) as [KeyKind, z.ZodType][];
  const others = keyKinds.filter((kind) => !own.some(([name]) => name === kind));
  const shapes = [
    withSelection(writer.write(endpoint.body, 'input'), endpoint, others),
    ...own.map(([kind, shape]) => withSelection(writer.write(shape, 'input'), endpoint, [kind])),
  ];
  return {
    required: !endpoint.isBodyOptional,
    content: Object.fromEntries(
      (endpoint.bodyTypes ?? ['application/json']).map((type) => [
        type,
        { schema: shapes.length === 1 ? shapes[0] : { anyOf: shapes }, ...exampleOf(endpoint, 'request') },
      ]),
    ),
  };
}

function withSelection(schema: Json, endpoint: Endpoint, kinds: readonly KeyKind[]): Json {
  const fields = selectionsIn(endpoint, 'body', kinds);
  if (fields.length === 0 || typeof schema.properties !== 'object') return schema;
  const selections = fields.map(({ name, description }) => [
    name,
    name === 'org_id'
      ? { description, type: 'string' }
      : { description, type: 'array', items: { type: 'string' }, maxItems: 10 },
  ]);
  return { ...schema, properties: { ...schema.properties, ...Object.fromEntries(selections) } };
}

const securityOf = {
  key: [{ apiKey: [] }],
  session: [],
  account: [],
  source: [{ sourceKey: [] }, { sourceToken: [] }],
  operator: [{ operatorToken: [] }],
  public: [],
  signed: [],
};

function acceptedKinds({ access, accessWhen }: KeyEndpoint): KeyKind[] {
  return keyKinds.filter((kind) =>
    [access, accessWhen?.access].some((rules) => rules !== undefined && isAccepted(rules, kind)),
  );
}

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
      ? `Kinds of keys: ${acceptedKinds(endpoint).join(', ')}.`
      : callersOf[endpoint.audience],
  ];
  return { description: sentences.join(' ') };
}

function operation(writer: SchemaWriter, endpoint: Endpoint): Json {
  const body = requestBody(writer, endpoint);
  const successes = Object.entries(endpoint.responses).map(([status, declared]) => [
    status,
    successResponse(writer, endpoint, Number(status), declared),
  ]);
  return {
    operationId: endpoint.operationId,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    ...descriptionOf(endpoint),
    security: [
      ...securityOf[endpoint.audience],
      ...(endpoint.audience === 'key' && endpoint.acceptsBearer ? [{ keyToken: [] }] : []),
    ],
    parameters: parametersOf(writer, endpoint),
    ...(body !== undefined && { requestBody: body }),
    responses: { ...Object.fromEntries(successes), ...errorResponses(endpoint) },
  };
}

const codedMessage = {
  type: 'object',
  required: ['code', 'message'],
  additionalProperties: false,
  properties: { code: { type: 'string' }, message: { type: 'string' } },
};

/** The OpenAPI 3.1 document of the endpoints; the same endpoints always give the same text. */
export function openApiDocument(allEndpoints: readonly Endpoint[]): Json {
  // Endpoints that only the dashboard calls are not part of the API.
  const endpoints = allEndpoints.filter(({ path }) => !path.startsWith('/dashboard/'));
  const writer = new SchemaWriter();
  const paths: Record<string, Json> = {};
  for (const endpoint of endpoints) {
    paths[endpoint.path] = {
      ...paths[endpoint.path],
      [endpoint.method.toLowerCase()]: operation(writer, endpoint),
    };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Postil',
      // The version of the API, not of the product (ADR 0071).
      version: '1.0.0',
      description:
        'Review metrics, Learnings, people and security findings of a self-hosted code-review platform. ' +
        `Version 1.0.0 of the API, served by Postil ${productVersion}.`,
      'x-postil-version': productVersion,
      contact: { name: 'The operator of this installation' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'This installation' }],
    tags: [...new Set(endpoints.map(({ tag }) => tag))].map((name) => ({
      name,
      description: tagDescriptions[name],
    })),
    paths,
    components: {
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'x-service-api-key' },
        keyToken: { type: 'http', scheme: 'bearer', description: 'An API key' },
        operatorToken: { type: 'http', scheme: 'bearer' },
        sourceKey: {
          type: 'apiKey',
          in: 'header',
          name: 'x-service-api-key',
          description: 'The key of an event source (`pss_…`)',
        },
        sourceToken: {
          type: 'http',
          scheme: 'bearer',
          description: 'The key of an event source (`pss_…`)',
        },
      },
      schemas: {
        Error: {
          type: 'object',
          required: ['error'],
          additionalProperties: false,
          properties: { error: codedMessage },
        },
        Errors: {
          type: 'object',
          required: ['errors'],
          additionalProperties: false,
          properties: { errors: { type: 'array', minItems: 1, items: codedMessage } },
        },
        ScimError: {
          type: 'object',
          description: 'An error of the SCIM endpoints (RFC 7644, section 3.12)',
          required: ['schemas', 'status', 'detail'],
          additionalProperties: false,
          properties: {
            schemas: { type: 'array', items: { type: 'string' } },
            status: { type: 'string' },
            scimType: { type: 'string' },
            detail: { type: 'string' },
            [scimErrorExtension]: {
              type: 'object',
              required: ['code'],
              additionalProperties: false,
              properties: { code: { type: 'string' } },
            },
          },
        },
        ...Object.fromEntries(Object.entries(writer.components).sort(([a], [b]) => (a < b ? -1 : 1))),
      },
    },
  };
}
