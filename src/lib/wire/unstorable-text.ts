const deepestJson = 64;

/** Tells whether PostgreSQL could not keep the text as it is (a NUL, or half of a surrogate pair). */
export function isUnstorable(text: string): boolean {
  return text.includes('\0') || !text.isWellFormed();
}

/** Says in one sentence why a parsed JSON value cannot be kept (unstorable text, absurd nesting), or undefined. */
export function unstorableFault(value: unknown, path = '', depth = 0): string | undefined {
  if (typeof value === 'string') {
    return isUnstorable(value)
      ? `${path || 'the body'}: contains a character that cannot be stored`
      : undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth >= deepestJson) return `the body is nested more than ${deepestJson} levels deep`;
  for (const [key, inner] of Object.entries(value)) {
    if (isUnstorable(key))
      return `${path || 'the body'}: a field name contains a character that cannot be stored`;
    const innerPath = Array.isArray(value) ? `${path}[${key}]` : path ? `${path}.${key}` : key;
    const fault = unstorableFault(inner, innerPath, depth + 1);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
