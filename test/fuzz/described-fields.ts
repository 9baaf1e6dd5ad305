import type { Endpoint } from '../../src/http/endpoint.ts';
import { errorSchemas } from '../../src/http/openapi/components.ts';
import { operation } from '../../src/http/openapi/operation.ts';
import { type Json, SchemaWriter } from '../../src/http/openapi/schemas.ts';

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly schema: Json;
}

/** The description of an operation in openapi.json, also generated for operations of the dashboard, which are not in it. */
export interface Described {
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Json }>> };
  readonly responses: Readonly<Record<string, unknown>>;
}

/** Describes endpoints in the same way as the API description does. */
export class Description {
  readonly #writer = new SchemaWriter();

  operation(endpoint: Endpoint): Described {
    return operation(this.#writer, endpoint) as unknown as Described;
  }

  /** Resolves a `$ref` to its schema; returns other schemas unchanged. */
  resolve(schema: Json): Json {
    if (typeof schema.$ref !== 'string') return schema;
    const name = schema.$ref.split('/').at(-1)!;
    return ((this.#writer.components[name] ?? errorSchemas[name as never]) as Json | undefined) ?? {};
  }

  /** A value that the schema probably accepts. */
  sampleOf(given: Json, depth = 0): unknown {
    const schema = this.resolve(given);
    if ('const' in schema) return schema.const;
    if ('default' in schema) return schema.default;
    if (Array.isArray(schema.enum)) return schema.enum[0];
    const alternatives = (schema.anyOf ?? schema.oneOf) as Json[] | undefined;
    if (alternatives?.[0] !== undefined) return this.sampleOf(alternatives[0], depth);
    switch (schema.type) {
      case 'object': {
        const required = (schema.required as string[] | undefined) ?? [];
        const fields = Object.entries(this.fieldsOf(schema)).filter(([name]) => required.includes(name));
        return Object.fromEntries(fields.map(([name, field]) => [name, this.sampleOf(field, depth + 1)]));
      }
      case 'array':
        return depth > 5 || schema.items === undefined
          ? []
          : [this.sampleOf(schema.items as Json, depth + 1)];
      case 'integer':
      case 'number':
        return schema.minimum ?? 1;
      case 'boolean':
        return true;
      default:
        return sampleTexts[schema.format as string] ?? 'a'.repeat(Math.max(1, Number(schema.minLength ?? 1)));
    }
  }

  /** The properties of an object, including those of its alternatives. */
  fieldsOf(given: Json): Record<string, Json> {
    const schema = this.resolve(given);
    const parts = [schema.anyOf, schema.oneOf, schema.allOf].flatMap(
      (list) => (list as Json[] | undefined) ?? [],
    );
    return Object.assign({}, ...parts.map((part) => this.fieldsOf(part)), schema.properties) as Record<
      string,
      Json
    >;
  }

  /** The schema of an array's items. */
  itemsOf(given: Json): Json {
    return (this.resolve(given).items as Json | undefined) ?? {};
  }
}

const sampleTexts: Readonly<Record<string, string>> = {
  uuid: '00000000-0000-4000-8000-000000000000',
  date: '2026-06-10',
  'date-time': '2026-06-10T09:00:00Z',
  email: 'user-9002@acme.test',
  uri: 'https://198.51.99.1/',
};
