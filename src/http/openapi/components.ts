import { scimErrorExtension } from '../reply/error-reply.ts';

const codedMessage = {
  type: 'object',
  required: ['code', 'message'],
  additionalProperties: false,
  properties: { code: { type: 'string' }, message: { type: 'string' } },
};

export const securitySchemes = {
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
};

export const errorSchemas = {
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
};
