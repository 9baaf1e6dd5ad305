import { toStorableText } from './clip-text.ts';

/** How deeply the call stacks of a finding may be nested. */
export const MAX_DEPTH = 12;

/** Checks that a value is not nested so deeply that storing or writing it could exhaust the stack. */
export function isShallow(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return depth > 0 && Object.values(value).every((part) => isShallow(part, depth - 1));
}

/** Returns a storable copy of parsed JSON; undefined if it is nested too deeply or its JSON is too long. */
export function storableJson(value: unknown, maxDepth: number, maxLength: number): unknown {
  if (value === undefined || !isShallow(value, maxDepth)) return undefined;
  const copy = cleaned(value);
  return JSON.stringify(copy).length <= maxLength ? copy : undefined;
}

function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return toStorableText(value);
  if (Array.isArray(value)) return value.map(cleaned);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [toStorableText(key), cleaned(inner)]),
  );
}
