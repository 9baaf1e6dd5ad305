/** Parses a comma-separated list, trimming values and removing duplicates; a string is a description of the fault. */
export function parseCommaList(text: string, maxCount: number): string[] | string {
  const values = text.split(',').map((value) => value.trim());
  if (values.some((value) => value === '')) return 'contains an empty value';
  if (values.length > maxCount) return `has more than ${maxCount} values`;
  return [...new Set(values)];
}
