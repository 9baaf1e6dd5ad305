import type { Json } from '../../src/http/openapi/schemas.ts';
import type { Description } from './described-fields.ts';
import { absent, hostileBodies, hostileHeaders, hostileInBody, hostileInUrl } from './hostile-values.ts';
import type { Sample } from './samples.ts';

/** A request to be sent, with percent-encoded texts in path and query. */
export interface HostileRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly query: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** One way to make a request hostile. */
export type Mutation = (request: HostileRequest) => HostileRequest;

/** A replaceable part of the requests of an operation, with lists of mutations, one list per kind of fault. */
export interface Place {
  readonly name: string;
  readonly faults: readonly (readonly Mutation[])[];
}

type Pointer = readonly (string | number)[];

/** The valid request of a sample. */
export function validRequest({ params, query, headers, body }: Sample): HostileRequest {
  const encoded = Object.entries(params).map(([name, value]) => [name, encodeURIComponent(value)]);
  return {
    params: Object.fromEntries(encoded),
    query: query.map(([name, value]) => `${name}=${encodeURIComponent(value)}`),
    headers,
    body,
  };
}

function replaced(value: unknown, [key, ...rest]: Pointer, by: unknown): unknown {
  if (key === undefined) return by;
  if (Array.isArray(value)) {
    const inner = replaced(value[key as number], rest, by);
    return inner === absent
      ? value.toSpliced(key as number, 1)
      : value.map((item, index) => (index === key ? inner : item));
  }
  const fields = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  const inner = replaced(fields[key], rest, by);
  const others = Object.entries(fields).filter(([name]) => name !== key);
  // Assignment would fail for a field with the name __proto__.
  return Object.fromEntries(inner === absent ? others : [...others, [key, inner]]);
}

/** The paths of all fields that the value has or may have; for a list, only those of the first item. */
function fieldsIn(value: unknown, schema: Json, description: Description, depth = 0): Pointer[] {
  if (depth > 6) return [];
  const inner = (key: string | number, field: unknown, shape: Json): Pointer[] => [
    [key],
    ...fieldsIn(field, shape, description, depth + 1).map((pointer) => [key, ...pointer]),
  ];
  if (Array.isArray(value)) return value.length === 0 ? [] : inner(0, value[0], description.itemsOf(schema));
  if (typeof value !== 'object' || value === null) return [];
  const shapes = description.fieldsOf(schema);
  const present = value as Record<string, unknown>;
  const names = new Set([...Object.keys(present), ...Object.keys(shapes)]);
  return [...names].flatMap((name) => {
    const shape = shapes[name] ?? {};
    return inner(name, present[name] ?? sampleFor(shape, description), shape);
  });
}

/** A sample for an optional object or array, so that its fields are reached; undefined for other types. */
function sampleFor(shape: Json, description: Description): unknown {
  const type = description.resolve(shape).type;
  return type === 'object' || type === 'array' ? description.sampleOf(shape) : undefined;
}

const queryWith = (query: readonly string[], name: string, parts: readonly string[]) => [
  ...query.filter((part) => !part.startsWith(`${name}=`)),
  ...parts,
];

function queryFaults(name: string): Mutation[][] {
  const put =
    (...parts: string[]): Mutation =>
    (request) => ({ ...request, query: queryWith(request.query, name, parts) });
  return [
    ...hostileInUrl.map((values) => values.map((value) => put(`${name}=${value}`))),
    [put(`${name}=1`, `${name}=2`), put(name), put(`${name}[]=1`), put(`${name}[a]=1`), put(`${name}=a=b`)],
  ];
}

/** All places in the requests of the operation that can get hostile values. */
export function placesIn({ described, params, headers, body }: Sample, description: Description): Place[] {
  const schema = Object.values(described.requestBody?.content ?? {})[0]?.schema ?? {};
  const inPath = Object.keys(params).map((name) => ({
    name: `path ${name}`,
    faults: hostileInUrl.map((values) =>
      values.map(
        (value): Mutation =>
          (request) => ({ ...request, params: { ...request.params, [name]: value } }),
      ),
    ),
  }));
  const queryNames = described.parameters.filter((parameter) => parameter.in === 'query');
  const inQuery = [...queryNames.map(({ name }) => name), 'scope', '__proto__'].map((name) => ({
    name: `query ${name}`,
    faults: queryFaults(name),
  }));
  const put =
    (pointer: Pointer, value: unknown): Mutation =>
    (request) => ({ ...request, body: replaced(request.body, pointer, value) });
  const inBody = fieldsIn(body, schema, description).map((pointer) => ({
    name: `body ${pointer.join('.')}`,
    faults: [
      ...hostileInBody.map((values) => values.map((value) => put(pointer, value))),
      ['__proto__', 'constructor', 'a\0', ''].map((name) => put([...pointer.slice(0, -1), name], 1)),
    ],
  }));
  const whole = {
    name: 'body',
    faults: hostileBodies.map((text) => [(request: HostileRequest) => ({ ...request, body: text })]),
  };
  const inHeaders = {
    name: 'headers',
    faults: hostileHeaders.map((more) => [
      (request: HostileRequest) => ({ ...request, headers: { ...request.headers, ...more } }),
    ]),
  };
  return [
    ...inPath,
    ...inQuery,
    ...inBody,
    ...(body === undefined ? [] : [whole]),
    ...(headers.cookie === undefined ? [inHeaders] : []),
  ];
}
