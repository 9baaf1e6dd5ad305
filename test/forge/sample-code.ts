/** Unsafe in line 5: what `finally` returns hides what went wrong. */
export const unsafe = (name: string) =>
  `export function ${name}(value: string): string {\n  try {\n    return value.trim();\n  } finally {\n    return '';\n  }\n}\n`;
/** The same without the fault. */
export const safe = (name: string) =>
  `export function ${name}(value: string): string {\n  return value.trim();\n}\n`;
/** Unsafe in line 1: all calls share the list. */
export const sharedDefault = 'def total(items=[]):\n    return sum(items)\n';
