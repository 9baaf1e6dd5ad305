import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

// biome-ignore lint/suspicious/noExplicitAny: JSON Schema is walked as it comes
type Json = any;

const description: Json = createRequire(import.meta.url)(
  '@octokit/openapi-webhooks/generated/ghes-3.19.json',
);
// Each process compiles the schemas for only a few payloads, so options that make validators faster, such as inlining references,
// would take longer than they save.
const ajv = new Ajv2020({
  strict: false,
  allErrors: true,
  inlineRefs: false,
  code: { optimize: false },
});
(formats as unknown as (to: Ajv2020) => void)(ajv);
ajv.addSchema(description, 'github');

const texts: Record<string, string> = {
  'date-time': '2026-01-01T00:00:00Z',
  date: '2026-01-01',
  uri: 'https://github.test/x',
  'uri-template': 'https://github.test/x',
  email: 'someone@people.test',
};

function resolve(schema: Json): Json {
  if (schema.$ref === undefined) return schema;
  const found = schema.$ref
    .replace(/^#\//, '')
    .split('/')
    .reduce((at: Json, part: string) => at[part.replaceAll('~1', '/')], description);
  return resolve(found);
}

/** Completes a value with everything that the schema requires, using the simplest value of each type. */
function complete(schema: Json, given: Json): Json {
  const { allOf, oneOf, anyOf, enum: options, const: fixed, type, ...rest } = resolve(schema);
  if (fixed !== undefined) return fixed;
  const types: string[] = [type ?? []].flat();
  if (given === null || (given === undefined && types.includes('null'))) return null;
  if (allOf !== undefined) return allOf.reduce((value: Json, part: Json) => complete(part, value), given);
  if (oneOf !== undefined || anyOf !== undefined) {
    const choices: Json[] = (oneOf ?? anyOf).map(resolve);
    const nothing = choices.find((choice) => choice.type === 'null');
    if (given === undefined && nothing !== undefined) return null;
    return complete(
      choices.find((choice) => choice !== nothing),
      given,
    );
  }
  if (options !== undefined) return given ?? (options.includes(null) ? null : options[0]);
  if (rest.properties !== undefined || types.includes('object')) {
    const value = { ...given };
    for (const [name, part] of Object.entries(rest.properties ?? {}))
      if ((rest.required ?? []).includes(name) || value[name] !== undefined)
        value[name] = complete(part, value[name]);
    return value;
  }
  if (given !== undefined) return given;
  if (types.includes('array')) return [];
  if (types.includes('integer') || types.includes('number')) return 1;
  if (types.includes('boolean')) return false;
  return texts[rest.format] ?? 'text';
}

const validators = new Map<string, ValidateFunction>();

function validatorOf(name: string): ValidateFunction {
  const path = `webhooks/${name}/post/requestBody/content/application~1json/schema`;
  const known = validators.get(name) ?? ajv.compile({ $ref: `github#/${path}` });
  validators.set(name, known);
  return known;
}

/** A GitHub event with everything its published schema requires, validated against that schema. */
export function gitHubEvent(name: string, given: Json): Json {
  const check = validatorOf(name);
  const value = complete(
    description.webhooks[name].post.requestBody.content['application/json'].schema,
    given,
  );
  assert.ok(check(value), `${name}: ${ajv.errorsText(check.errors?.slice(0, 5))}`);
  return value;
}
