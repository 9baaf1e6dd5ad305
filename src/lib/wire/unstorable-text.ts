import { pathText } from './faults.ts';

/** The maximum nesting of JSON from callers. */
export const maxJsonDepth = 64;

/** Whether PostgreSQL cannot store the text unchanged: it contains a NUL or half of a surrogate pair. */
export function isUnstorable(text: string): boolean {
  return text.includes('\0') || !text.isWellFormed();
}

const replacement = '\uFFFD';

/** Replaces characters in texts that cannot be stored; for values that we cannot reject. */
export function makeStorable<Value>(value: Value): Value {
  const convert = (inner: unknown): unknown => {
    if (typeof inner === 'string')
      return isUnstorable(inner) ? inner.toWellFormed().replaceAll('\0', replacement) : inner;
    if (Array.isArray(inner)) return inner.map(convert);
    if (typeof inner !== 'object' || inner === null || inner instanceof Date) return inner;
    return Object.fromEntries(Object.entries(inner).map(([name, field]) => [name, convert(field)]));
  };
  return convert(value) as Value;
}

/** An unstorable part and its path. The path is built while unwinding, so that a valid value needs no memory. */
interface Finding {
  readonly what: 'text' | 'name' | 'nesting';
  readonly path: PropertyKey[];
}

function findIn(value: unknown, depth: number): Finding | undefined {
  if (typeof value === 'string') return isUnstorable(value) ? { what: 'text', path: [] } : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth >= maxJsonDepth) return { what: 'nesting', path: [] };
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      const found = findIn(value[index], depth + 1);
      if (found !== undefined) return within(index, found);
    }
    return undefined;
  }
  for (const [name, inner] of Object.entries(value)) {
    if (isUnstorable(name)) return { what: 'name', path: [] };
    const found = findIn(inner, depth + 1);
    if (found !== undefined) return within(name, found);
  }
  return undefined;
}

function within(part: PropertyKey, { what, path }: Finding): Finding {
  return { what, path: [part, ...path] };
}

/** Why a parsed JSON value cannot be stored (unstorable text, absurd nesting), in one sentence; undefined if it can. */
export function unstorableFault(value: unknown, where?: string): string | undefined {
  const found = findIn(value, 0);
  if (found === undefined) return undefined;
  if (found.what === 'nesting') return `the body is nested more than ${maxJsonDepth} levels deep`;
  const path = pathText(where === undefined ? found.path : [where, ...found.path]) || 'the body';
  return found.what === 'text'
    ? `${path}: contains a character that cannot be stored`
    : `${path}: a field name contains a character that cannot be stored`;
}
