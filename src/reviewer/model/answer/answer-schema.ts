import type { JSONSchema7 } from 'ai';
import { z } from 'zod';
import { categories, severities } from '../../finding-vocabulary.ts';

const text = { type: 'string' } as const;
const properties = {
  path: text,
  quote: text,
  title: text,
  body: text,
  severity: { enum: [...severities] },
  category: { enum: [...categories] },
  suggestion: { type: ['string', 'null'] },
  learning_ids: { type: 'array', items: text },
  related: {
    type: 'array',
    items: {
      type: 'object',
      properties: { path: text, quote: text, text },
      required: ['path', 'quote', 'text'],
      additionalProperties: false,
    },
  },
} satisfies JSONSchema7['properties'];

/** The schema of a model's answer. All fields are required, because some servers do not accept optional ones. */
export const answerSchema: JSONSchema7 = {
  type: 'object',
  properties: {
    findings: {
      type: 'array',
      items: { type: 'object', properties, required: Object.keys(properties), additionalProperties: false },
    },
  },
  required: ['findings'],
  additionalProperties: false,
};

export const confirmSchema: JSONSchema7 = {
  type: 'object',
  properties: { remove: { type: 'array', items: { type: 'integer' } } },
  required: ['remove'],
  additionalProperties: false,
};

const known = <Value extends string>(values: readonly Value[], fallback: Value) =>
  z.preprocess(
    (value) => (typeof value === 'string' ? value.trim().toLowerCase() : value),
    z.enum(values as readonly [Value, ...Value[]]).catch(fallback),
  );

/** Another place that belongs to a finding; null if it is invalid. */
const relatedPlace = z
  .object({ path: z.string().min(1), quote: z.string(), text: z.string() })
  .nullable()
  .catch(null);

/** A finding in an answer: parsed leniently in secondary fields, strictly in the others. */
export const answeredFinding = z.object({
  path: z.string().min(1),
  quote: z.string(),
  title: z.string().trim().min(1),
  body: z.string().trim().min(1),
  severity: known(severities, 'minor'),
  category: known(categories, 'functional_correctness'),
  suggestion: z.string().nullish().catch(null),
  learning_ids: z.array(z.coerce.string()).nullish().catch(null),
  related: z
    .array(relatedPlace)
    .transform((places) => places.filter((place) => place !== null))
    .nullish()
    .catch(null),
});
export type AnsweredFinding = z.output<typeof answeredFinding>;
