/** Code with a fault in line 5: the return in `finally` swallows exceptions. */
export const unsafe = (name: string) =>
  `export function ${name}(value: string): string {\n  try {\n    return value.trim();\n  } finally {\n    return '';\n  }\n}\n`;
/** The same code without the fault. */
export const safe = (name: string) =>
  `export function ${name}(value: string): string {\n  return value.trim();\n}\n`;
/** Code with a fault in line 1: all calls share the default list. */
export const sharedDefault = 'def total(items=[]):\n    return sum(items)\n';
