/** Parses a comma-separated list, trimming elements and removing duplicates; returns a string describing the fault, if any. */
export function parseCommaList(text: string, maxCount: number): string[] | string {
  const elements = text.split(',').map((element) => element.trim());
  if (elements.some((element) => element === '')) return 'contains an empty element';
  if (elements.length > maxCount) return `has more than ${maxCount} values`;
  return [...new Set(elements)];
}
