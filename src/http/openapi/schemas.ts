import { z } from 'zod';
import type { WireMeta } from '../../lib/wire/wire.ts';

export type Json = Record<string, unknown>;

/** Collects named schemas while the document is written. */
export class SchemaWriter {
  readonly components: Json = {};

  write(schema: z.ZodType, io: 'input' | 'output'): Json {
    const {
      $schema: _,
      $defs,
      ...json
    } = z.toJSONSchema(schema, {
      io,
      unrepresentable: 'any',
      override: ({ zodSchema, jsonSchema }) => {
        const meta = z.globalRegistry.get(zodSchema as unknown as z.ZodType) as Partial<WireMeta> | undefined;
        if (meta?.openapi === undefined) return;
        for (const key of Object.keys(jsonSchema)) delete (jsonSchema as Json)[key];
        Object.assign(jsonSchema, meta.openapi);
      },
    }) as Json & { $defs?: Json };
    Object.assign(this.components, this.#relocate($defs ?? {}));
    if (typeof json.id !== 'string') return this.#relocate(json) as Json;
    const { id, ...named } = json;
    this.components[id] = this.#relocate(named);
    return { $ref: `#/components/schemas/${id}` };
  }

  // In OpenAPI, named schemas are listed under components by their id.
  #relocate(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((inner) => this.#relocate(inner));
    if (typeof value !== 'object' || value === null) return value;
    const fields = Object.entries(value).filter(
      ([key, inner]) => !(key === 'id' && typeof inner === 'string'),
    );
    return Object.fromEntries(
      fields.map(([key, inner]) => [
        key,
        key === '$ref' && typeof inner === 'string'
          ? inner.replace('#/$defs/', '#/components/schemas/')
          : this.#relocate(inner),
      ]),
    );
  }
}

/** Whether the type is a single JSON value. JSON Lines are described as text. */
export function isOneJsonValue(type: string): boolean {
  return /[/+]json$/.test(type.split(';', 1)[0]!.trim());
}
