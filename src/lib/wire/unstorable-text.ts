import { pathText } from './faults.ts';

/** JSON from callers must not be nested deeper. */
export const maxJsonDepth = 64;

/** Whether PostgreSQL could not store the text unchanged (a NUL, or half of a surrogate pair). */
export function isUnstorable(text: string): boolean {
  return text.includes('\0') || !text.isWellFormed();
}

/** What cannot be stored, and where; the path is built while unwinding, so that a valid value costs no memory. */
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
