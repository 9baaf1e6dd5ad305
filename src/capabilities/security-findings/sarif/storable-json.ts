import { storable } from './clip-text.ts';

/** How deep the call stacks of a finding may be nested. */
export const MAX_DEPTH = 12;

/** Tells whether nothing is nested so deep that storing or writing it again could exhaust the stack. */
export function isShallow(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return depth > 0 && Object.values(value).every((part) => isShallow(part, depth - 1));
}

/** A copy of parsed JSON that can be stored; undefined when it is nested too deep or its JSON is too long. */
export function storableJson(value: unknown, maxDepth: number, maxLength: number): unknown {
  if (value === undefined || !isShallow(value, maxDepth)) return undefined;
  const copy = cleaned(value);
  return JSON.stringify(copy).length <= maxLength ? copy : undefined;
}

function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return storable(value);
  if (Array.isArray(value)) return value.map(cleaned);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [storable(key), cleaned(inner)]));
}
