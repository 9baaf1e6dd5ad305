import { redactCredentials } from '../../redaction/redact-credentials.ts';

/** A JSON value with all of its strings redacted. */
export function redactStrings<Value>(value: Value): Value {
  if (typeof value === 'string') return redactCredentials(value) as Value;
  if (Array.isArray(value)) return value.map(redactStrings) as Value;
  if (typeof value !== 'object' || value === null) return value;
  // Redacts a string together with its field's name: a password alone looks like any word.
  const entries = Object.entries(value).map(([key, inner]) => {
    if (typeof inner !== 'string') return [key, redactStrings(inner)];
    const prefix = `${key}: `;
    const named = redactCredentials(prefix + JSON.stringify(inner));
    return [
      key,
      named === prefix + JSON.stringify(inner) ? redactCredentials(inner) : unquote(named, prefix),
    ];
  });
  return Object.fromEntries(entries) as Value;
}

function unquote(named: string, prefix: string): string {
  return named.startsWith(prefix) ? named.slice(prefix.length).replaceAll(/^"|"$/g, '') : named;
}
