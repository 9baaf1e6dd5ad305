import type { z } from 'zod';
import { type KeyKind, keyKinds } from '../../access/api-key-value.ts';
import type { Endpoint } from '../endpoint.ts';
import { exampleOf } from './examples.ts';
import { isOneJsonValue, type Json, type SchemaWriter } from './schemas.ts';
import { selectionsIn } from './selections.ts';

export function parametersOf(writer: SchemaWriter, endpoint: Endpoint): Json[] {
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

function selectionParameters(endpoint: Endpoint): Json[] {
  return selectionsIn(endpoint, 'query').map(({ name, description }) => ({
    name,
    in: 'query',
    required: false,
    description,
    schema: { type: 'string' },
  }));
}

export function requestBody(writer: SchemaWriter, endpoint: Endpoint): Json | undefined {
  if (endpoint.streams !== undefined) {
    return {
      required: true,
      content: Object.fromEntries(
        endpoint.streams.map((type, index) => [
          type,
          {
            schema: streamSchema(writer, endpoint, type),
            // Only the first type has a recorded example.
            ...(index === 0 && exampleOf(endpoint, 'request')),
          },
        ]),
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

function streamSchema(writer: SchemaWriter, { streamed }: Endpoint, type: string): Json {
  if (!isOneJsonValue(type)) return { type: 'string' };
  return streamed === undefined ? {} : writer.write(streamed, 'input');
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
