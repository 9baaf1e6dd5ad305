import { breaking, compatible, type Difference } from '../difference.ts';
import type { Description } from './description.ts';
import { type Fields, isFields, placeOf, type Value } from './read-document.ts';

type Direction = 'request' | 'response';

/** The properties of an object schema, with those of all parts of its `allOf`. */
interface Shape {
  readonly properties: ReadonlyMap<string, { readonly schema: Value; readonly holder: Fields }>;
  readonly required: ReadonlySet<string>;
  /** False if a part cannot be resolved, or the schema has `oneOf`, `anyOf` or `if`. */
  readonly isWhole: boolean;
}

const upperLimits = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'];
const lowerLimits = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'];
const maxDepth = 100;
const maxDifferences = 5_000;

/** Compares schemas of two versions. Each pair is compared once per direction, so that cycles terminate. */
export class SchemaComparison {
  readonly differences: Difference[] = [];
  readonly #before: Description;
  readonly #after: Description;
  readonly #seen = new Map<Fields, Set<Fields>>();
  readonly #seenBack = new Map<Fields, Set<Fields>>();

  constructor(before: Description, after: Description) {
    this.#before = before;
    this.#after = after;
  }

  compare(
    before: Value | undefined,
    after: Value | undefined,
    direction: Direction,
    said: string,
    depth = 0,
  ): void {
    const [from, to] = [this.#before.resolve(before), this.#after.resolve(after)];
    if (
      from === undefined ||
      to === undefined ||
      depth > maxDepth ||
      this.differences.length > maxDifferences
    )
      return;
    const seen = direction === 'request' ? this.#seen : this.#seenBack;
    const partners = seen.get(from.value) ?? new Set();
    seen.set(from.value, partners);
    if (partners.has(to.value)) return;
    partners.add(to.value);
    // A shared schema is reported once, under its own name.
    const name = to.name === undefined ? said : `\`${to.name}\``;
    this.#compareTypes(from.value, to.value, direction, name);
    this.#compareValues(from.value, to.value, direction, name);
    if (direction === 'request') this.#compareLimits(from.value, to.value, name);
    this.#compareObjects(from.value, to.value, direction, name, depth);
    if (isFields(from.value.items) && isFields(to.value.items))
      this.compare(from.value.items, to.value.items, direction, `the items of ${name}`, depth + 1);
    const [extraFrom, extraTo] = [from.value.additionalProperties, to.value.additionalProperties];
    if (isFields(extraFrom) && isFields(extraTo))
      this.compare(extraFrom, extraTo, direction, `the values of ${name}`, depth + 1);
    this.#compareVariants(from.value, to.value, direction, name, depth);
  }

  #compareTypes(from: Fields, to: Fields, direction: Direction, name: string): void {
    const [old, own] = [typesOf(from), typesOf(to)];
    if (old === undefined || own === undefined) return;
    const lacks = (types: ReadonlySet<string>, type: string) =>
      !types.has(type) && !(type === 'integer' && types.has('number'));
    const [checked, allowed] = direction === 'request' ? [old, own] : [own, old];
    const misfits = [...checked].filter((type) => lacks(allowed, type));
    const place = placeOf(to, 'type' in to ? 'type' : 'nullable' in to ? 'nullable' : undefined);
    const words = (types: ReadonlySet<string>) => [...types].join(' or ');
    if (misfits.length > 0)
      this.differences.push(breaking(`${name} is now ${words(own)}, not ${words(old)}`, 'new', place));
    else if (words(old) !== words(own) && old.size !== own.size)
      this.differences.push(compatible(`${name} is now ${words(own)}`, 'new', place));
  }

  #compareValues(from: Fields, to: Fields, direction: Direction, name: string): void {
    const [old, own] = [from.enum, to.enum].map((list) =>
      Array.isArray(list) ? (list as readonly Value[]) : undefined,
    );
    const text = (values: readonly Value[]) =>
      values
        .slice(0, 5)
        .map((value) => `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``)
        .join(', ');
    const place = placeOf(to, 'enum');
    if (own !== undefined && old === undefined) {
      // An old schema without a type was underspecified: then nothing was promised.
      if (direction === 'request' && typesOf(from) !== undefined)
        this.differences.push(breaking(`${name} must now be one of ${text(own)}`, 'new', place));
      return;
    }
    if (old === undefined || own === undefined) return;
    // Compared as JSON, because a value can be an object.
    const [oldKeys, ownKeys] = [old, own].map(
      (values) => new Set(values.map((value) => JSON.stringify(value))),
    ) as [Set<string>, Set<string>];
    const gone = old.filter((value) => !ownKeys.has(JSON.stringify(value)));
    const news = own.filter((value) => !oldKeys.has(JSON.stringify(value)));
    if (gone.length > 0)
      this.differences.push(
        (direction === 'request' ? breaking : compatible)(
          `${name} can no longer be ${text(gone)}`,
          'new',
          place,
        ),
      );
    if (news.length > 0) {
      const difference = compatible(`${name} can also be ${text(news)}`, 'new', place);
      this.differences.push(direction === 'response' ? { ...difference, isNew: true } : difference);
    }
  }

  #compareLimits(from: Fields, to: Fields, name: string): void {
    const stricter = (key: string, isUpper: boolean) => {
      const [old, own] = [from[key], to[key]];
      if (typeof own !== 'number') return false;
      if (typeof old !== 'number')
        return old === undefined && (isUpper || own > 0) && typesOf(from) !== undefined;
      return isUpper ? own < old : own > old;
    };
    for (const key of [...upperLimits, ...lowerLimits])
      if (stricter(key, upperLimits.includes(key)))
        this.differences.push(
          breaking(
            `${name} has a stricter \`${key}\`: ${to[key]}${typeof from[key] === 'number' ? `, not ${from[key]}` : ''}`,
            'new',
            placeOf(to, key),
          ),
        );
    if (to.additionalProperties === false && from.additionalProperties !== false && isFields(from.properties))
      this.differences.push(
        breaking(`${name} no longer accepts other properties`, 'new', placeOf(to, 'additionalProperties')),
      );
  }

  #compareObjects(from: Fields, to: Fields, direction: Direction, name: string, depth: number): void {
    const [old, own] = [shapeOf(this.#before, from), shapeOf(this.#after, to)];
    if (old.properties.size === 0 && own.properties.size === 0) return;
    const isOf = (description: Description, schema: Value) => {
      const value = description.resolve(schema)?.value;
      return (
        value === undefined || (direction === 'request' ? value.readOnly !== true : value.writeOnly !== true)
      );
    };
    for (const [key, { schema, holder }] of old.properties) {
      if (!isOf(this.#before, schema)) continue;
      const now = own.properties.get(key);
      const said = `\`${key}\` of ${name}`;
      if (now === undefined) {
        if (own.isWhole && own.properties.size > 0)
          this.differences.push(breaking(`${said} was removed`, 'old', placeOf(holder, key)));
        continue;
      }
      const isDemanded =
        direction === 'request' && own.required.has(key) && !old.required.has(key) && old.isWhole;
      if (isDemanded && !hasDefault(this.#after, now.schema))
        this.differences.push(breaking(`${said} is now required`, 'new', placeOf(to, 'required')));
      if (direction === 'response' && old.required.has(key) && !own.required.has(key) && own.isWhole)
        this.differences.push(breaking(`${said} can now be missing`, 'new', placeOf(now.holder, key)));
      this.compare(schema, now.schema, direction, said, depth + 1);
    }
    if (!old.isWhole) return;
    for (const [key, { schema, holder }] of own.properties) {
      if (old.properties.has(key) || !isOf(this.#after, schema)) continue;
      const isDemanded = direction === 'request' && own.required.has(key) && !hasDefault(this.#after, schema);
      const said = `\`${key}\` of ${name} is new${isDemanded ? ' and required' : ''}`;
      this.differences.push((isDemanded ? breaking : compatible)(said, 'new', placeOf(holder, key)));
    }
  }

  /** Only variants that are references, or that state nothing but a type, can be told apart. */
  #compareVariants(from: Fields, to: Fields, direction: Direction, name: string, depth: number): void {
    for (const key of ['oneOf', 'anyOf']) {
      if (from[key] === undefined && to[key] === undefined) continue;
      const [old, own] = [variantsOf(this.#before, from, key), variantsOf(this.#after, to, key)];
      if (old === undefined || own === undefined) continue;
      const place = placeOf(to, key in to ? key : 'type');
      for (const [variant, schema] of old) {
        const now = own.get(variant);
        if (schema !== null && now !== undefined && now !== null)
          this.compare(schema, now, direction, `\`${variant}\``, depth + 1);
        else if (!isAmong(own, variant)) {
          const say = direction === 'request' ? breaking : compatible;
          this.differences.push(say(`${name} can no longer be \`${variant}\``, 'new', place));
        }
      }
      for (const variant of own.keys())
        if (!isAmong(old, variant)) {
          const say = direction === 'response' ? breaking : compatible;
          this.differences.push(say(`${name} can also be \`${variant}\``, 'new', place));
        }
    }
  }
}

/** The type, and keywords that do not restrict the valid values. */
const remarks = /^(?:type|nullable|format|title|description|examples?|default|deprecated|x-.*)$/;

/** Undefined if no type is stated: any type is valid, or other keywords decide. */
function typesOf({ type, nullable }: Fields): Set<string> | undefined {
  const types = typeof type === 'string' ? [type] : Array.isArray(type) ? type.map(String) : [];
  if (types.length === 0) return undefined;
  return new Set([...types, ...(nullable === true ? ['null'] : [])].sort());
}

function hasDefault(description: Description, schema: Value): boolean {
  return description.resolve(schema)?.value.default !== undefined;
}

function shapeOf(description: Description, schema: Fields, depth = 0): Shape {
  const properties = new Map<string, { readonly schema: Value; readonly holder: Fields }>();
  const required = new Set<string>();
  let isWhole = schema.oneOf === undefined && schema.anyOf === undefined && schema.if === undefined;
  for (const part of Array.isArray(schema.allOf) ? (schema.allOf as readonly Value[]) : []) {
    const resolved = depth < 10 ? description.resolve(part)?.value : undefined;
    if (resolved === undefined) isWhole = false;
    else {
      const inner = shapeOf(description, resolved, depth + 1);
      for (const [key, value] of inner.properties) properties.set(key, value);
      for (const key of inner.required) required.add(key);
      isWhole &&= inner.isWhole;
    }
  }
  if (isFields(schema.properties))
    for (const [key, value] of Object.entries(schema.properties))
      properties.set(key, { schema: value, holder: schema.properties });
  for (const key of Array.isArray(schema.required) ? (schema.required as readonly Value[]) : [])
    required.add(String(key));
  return { properties, required, isWhole };
}

/**
 * The variants: by the name of their reference, with the schema, or by type, with null. Undefined if they cannot be told apart.
 */
function variantsOf(
  description: Description,
  schema: Fields,
  key: string,
): Map<string, Value | null> | undefined {
  const list = schema[key] === undefined ? [schema] : schema[key];
  if (!Array.isArray(list)) return undefined;
  const variants = new Map<string, Value | null>();
  for (const each of list as readonly Value[]) {
    const resolved = description.resolve(each);
    if (resolved?.name !== undefined) variants.set(resolved.name, each);
    else {
      const types = resolved === undefined ? undefined : plainTypesOf(resolved.value);
      if (types === undefined) return undefined;
      for (const type of types) variants.set(type, null);
    }
  }
  return variants;
}

/** The types of a schema that restricts nothing else; undefined for other schemas. */
function plainTypesOf(schema: Fields): Set<string> | undefined {
  return Object.keys(schema).every((key) => remarks.test(key)) ? typesOf(schema) : undefined;
}

const isAmong = (variants: ReadonlyMap<string, unknown>, variant: string) =>
  variants.has(variant) || (variant === 'integer' && variants.has('number'));
