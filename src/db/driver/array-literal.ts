const special = /["\\]/;
const specials = /["\\]/g;

function element(value: string | number | boolean | Date | null): string {
  if (value === null) return 'NULL';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string')
    return `"${special.test(value) ? value.replaceAll(specials, '\\$&') : value}"`;
  return value instanceof Date ? value.toISOString() : String(value);
}

/** Like `arrayLiteral`, for values that never need quotes: numbers and UUIDs. */
export function plainArrayLiteral(values: readonly (string | number | null)[]): string {
  return `{${values.map((value) => value ?? 'NULL').join(',')}}`;
}

/**
 * Writes an array in PostgreSQL's syntax, for a parameter that is cast to the array's type. The client does the same for
 * most types, but several times slower, and it mistakes an array of dates for a single date.
 */
export function arrayLiteral(values: readonly (string | number | boolean | Date | null)[]): string {
  return `{${values.map(element).join(',')}}`;
}
