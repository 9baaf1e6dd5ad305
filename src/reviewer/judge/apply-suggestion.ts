import { stillParses } from '../code/still-parses.ts';
import type { RuleFinding } from '../rules/rule-source.ts';

/** The text with these lines, the last one included, replaced by others. */
export function replaceLines(text: string, startLine: number, endLine: number, replacement: string): string {
  const lines = text.split('\n');
  return [...lines.slice(0, startLine - 1), replacement, ...lines.slice(endLine)].join('\n');
}

/** The finding, without its suggestion if the file would no longer parse with it. */
export async function withApplicableSuggestion(
  path: string,
  text: string,
  finding: RuleFinding,
): Promise<RuleFinding> {
  const { suggestion, startLine, endLine } = finding;
  if (suggestion === null) return finding;
  const after = replaceLines(text, startLine, endLine, suggestion);
  return (await stillParses(path, text, after)) ? finding : { ...finding, suggestion: null };
}
