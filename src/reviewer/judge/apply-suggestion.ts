import { stillParses } from '../code/still-parses.ts';
import type { RuleFinding } from '../rule-source.ts';

/** The text with these lines, including the last one, replaced. */
export function replaceLines(text: string, startLine: number, endLine: number, replacement: string): string {
  const lines = text.split('\n');
  return [...lines.slice(0, startLine - 1), replacement, ...lines.slice(endLine)].join('\n');
}

/** How many characters are parsed, at most, to test the suggestions for one file. */
const maxParsedLength = 4 * 1024 * 1024;

/** The findings of a file, without suggestions after which it would no longer parse, and without those beyond the limit. */
export async function withApplicableSuggestions(
  path: string,
  text: string,
  findings: readonly RuleFinding[],
): Promise<RuleFinding[]> {
  const checked: RuleFinding[] = [];
  let left = maxParsedLength;
  for (const finding of findings) {
    const { suggestion, startLine, endLine } = finding;
    if (suggestion === null) {
      checked.push(finding);
      continue;
    }
    left -= text.length;
    const isApplicable =
      left > 0 && (await stillParses(path, text, replaceLines(text, startLine, endLine, suggestion)));
    checked.push(isApplicable ? finding : { ...finding, suggestion: null });
  }
  return checked;
}
