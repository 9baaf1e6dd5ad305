/** Reads a comma-separated list: elements trimmed, duplicates once; a string is the fault in one sentence. */
export function parseCommaList(text: string, maximumCount: number): string[] | string {
  const elements = text.split(',').map((element) => element.trim());
  if (elements.some((element) => element === '')) return 'contains an empty element';
  if (elements.length > maximumCount) return `holds more than ${maximumCount} values`;
  return [...new Set(elements)];
}
