import { redactCredentials } from '../../redaction/redact-credentials.ts';
import { stillParses } from '../code/still-parses.ts';
import { type Fixable, isFixable } from './fixable.ts';

interface Replacement {
  readonly identity: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly suggestion: string;
  readonly quote: string;
}

export interface AppliedSuggestions {
  readonly text: string;
  /** The identities of the findings whose suggestions were applied. */
  readonly fixed: readonly string[];
}

/** How many characters are parsed, at most, to test the suggestions for one file together. */
const maxParsedLength = 16 * 1024 * 1024;

/**
 * Applies the suggestions of findings in a file, in the order given. A suggestion is skipped if its lines have changed since
 * the report, if an earlier one replaces some of them, or if the file would no longer parse. No other line changes.
 */
export async function applySuggestions(
  path: string,
  text: string,
  findings: readonly Fixable[],
): Promise<AppliedSuggestions> {
  const lines = text.split('\n');
  const chosen: Replacement[] = [];
  let after = text;
  let left = maxParsedLength;
  for (const finding of findings.filter(isFixable) as Replacement[]) {
    const isFree = chosen.every((one) => one.endLine < finding.startLine || one.startLine > finding.endLine);
    if (!isFree || !isAsReported(finding, lines)) continue;
    const next = replaceAll(lines, [...chosen, finding]);
    left -= next.length;
    if (next === after || left < 0 || !(await stillParses(path, text, next))) continue;
    chosen.push(finding);
    after = next;
  }
  return { text: after, fixed: chosen.map(({ identity }) => identity) };
}

/** Whether the lines equal the quote. Quotes are stored redacted, so lines with a credential never do: people must fix those. */
function isAsReported({ startLine, endLine, quote }: Replacement, lines: readonly string[]): boolean {
  if (startLine < 1 || endLine < startLine || endLine > lines.length) return false;
  const present = lines.slice(startLine - 1, endLine).join('\n');
  return (
    redactCredentials(present) === present && present.replaceAll('\r', '') === quote.replaceAll('\r', '')
  );
}

function replaceAll(lines: readonly string[], replacements: readonly Replacement[]): string {
  const replaced = [...lines];
  for (const one of replacements.toSorted((a, b) => b.startLine - a.startLine))
    replaced.splice(one.startLine - 1, one.endLine - one.startLine + 1, ...linesOf(one, lines));
  return replaced.join('\n');
}

/** The lines of a suggestion, with the line endings of the lines that they replace. */
function linesOf({ suggestion, startLine, endLine }: Replacement, lines: readonly string[]): string[] {
  const returns = [lines[startLine - 1]!, lines[0]!].some((line) => line.endsWith('\r')) ? '\r' : '';
  const atEnd = lines[endLine - 1]!.endsWith('\r') ? '\r' : '';
  const made = suggestion.replace(/\r?\n$/, '').split('\n');
  return made.map((line, index) => line.replace(/\r$/, '') + (index === made.length - 1 ? atEnd : returns));
}
