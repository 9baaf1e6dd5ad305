/**
 * The scanner: a tool identified by its name and, as on code hosts, by the category of its runs (one tool may scan a
 * repository in several ways). Native reports may omit the tool; then they are attributed to their sender.
 */
export type ScanTool =
  | { readonly name: string; readonly category: string | null }
  | { readonly source: string };

/** The tool of findings stored by older versions, which did not distinguish tools. */
export const UNKNOWN_TOOL = '';

/** The tool of scans stored by older versions: they cover the findings of every tool. */
export const EVERY_TOOL = '*';

/** Returns a unique string for a tool, under which its findings and scans are stored. */
export function toolKey(tool: ScanTool): string {
  return JSON.stringify('source' in tool ? [null, tool.source] : [tool.name, tool.category]);
}

/** Parses a tool key; null for the unknown tool. */
export function parseToolKey(key: string): ScanTool | null {
  if (key === UNKNOWN_TOOL) return null;
  const [name, other] = JSON.parse(key) as [string | null, string | null];
  return name === null ? { source: other ?? '' } : { name, category: other };
}
