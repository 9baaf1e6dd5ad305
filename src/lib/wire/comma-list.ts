/** Parses a comma-separated list, trimming values and removing duplicates; returns a string describing the fault, if any. */
export function parseCommaList(text: string, maxCount: number): string[] | string {
  const values = text.split(',').map((value) => value.trim());
  if (values.some((value) => value === '')) return 'contains an empty value';
  if (values.length > maxCount) return `has more than ${maxCount} values`;
  return [...new Set(values)];
}
