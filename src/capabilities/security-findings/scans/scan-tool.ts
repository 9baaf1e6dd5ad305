/**
 * Who scanned: a tool by its name and, as code hosts do it, by the category of its runs (one tool may scan a repository
 * in several ways). Natively reported findings may leave the tool out; then their sender stands for it.
 */
export type ScanTool =
  | { readonly name: string; readonly category: string | null }
  | { readonly source: string };

/** The tool of findings that were stored before tools were told apart. */
export const UNKNOWN_TOOL = '';

/** What a scan of before covers: the findings of every tool. */
export const EVERY_TOOL = '*';

/** One text per tool, by which its findings and scans are kept apart from those of others. */
export function toolKey(tool: ScanTool): string {
  return JSON.stringify('source' in tool ? [null, tool.source] : [tool.name, tool.category]);
}

/** The tool of a key; null for the unknown one. */
export function toolOfKey(key: string): ScanTool | null {
  if (key === UNKNOWN_TOOL) return null;
  const [name, other] = JSON.parse(key) as [string | null, string | null];
  return name === null ? { source: other ?? '' } : { name, category: other };
}
