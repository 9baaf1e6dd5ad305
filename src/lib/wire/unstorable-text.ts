import { pathText } from './faults.ts';

/** No JSON that anybody sends here is nested deeper. */
export const maxJsonDepth = 64;

/** Tells whether PostgreSQL could not keep the text as it is (a NUL, or half of a surrogate pair). */
export function isUnstorable(text: string): boolean {
  return text.includes('\0') || !text.isWellFormed();
}

/** What cannot be kept, and where; the path is put together on the way back, so that a sound value costs no memory. */
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

/** Says in one sentence why a parsed JSON value cannot be kept (unstorable text, absurd nesting), or undefined. */
export function unstorableFault(value: unknown, where?: string): string | undefined {
  const found = findIn(value, 0);
  if (found === undefined) return undefined;
  if (found.what === 'nesting') return `the body is nested more than ${maxJsonDepth} levels deep`;
  const place = pathText(where === undefined ? found.path : [where, ...found.path]) || 'the body';
  return found.what === 'text'
    ? `${place}: contains a character that cannot be stored`
    : `${place}: a field name contains a character that cannot be stored`;
}
