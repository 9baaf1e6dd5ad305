import type { Edit } from './analyzer-result.ts';

interface Span {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * The lines of a result after its fix; null if the fix changes other lines, leaves none of them, changes nothing, or does not
 * fit the text. Lines and columns start at 1; columns are in the unit of the log.
 */
export function applyEdits(
  text: string,
  { startLine, endLine }: { readonly startLine: number; readonly endLine: number },
  edits: readonly Edit[],
  columns: 'utf16CodeUnits' | 'unicodeCodePoints',
): string | null {
  const lines = text.split('\n');
  const offsetOf = (line: number) =>
    lines.slice(startLine - 1, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
  const old = lines.slice(startLine - 1, endLine).join('\n');
  const at = (line: number, column: number | null): number | null => {
    // The start of the line after the last one is the position after the last one's line break.
    if (line === endLine + 1 && column === 1) return old.length + 1;
    const own = line >= startLine && line <= endLine ? lines[line - 1] : undefined;
    if (own === undefined) return null;
    const length = unitsBefore(own, column ?? Number.POSITIVE_INFINITY, columns);
    return length === null ? null : offsetOf(line) + length;
  };
  const spans: Span[] = [];
  for (const { from, to, text: inserted } of edits) {
    const start = at(from.line, from.column);
    const end = at(to.line, to.column);
    if (start === null || end === null || end < start) return null;
    spans.push({ start, end, text: inserted });
  }
  spans.sort((a, b) => a.start - b.start || a.end - b.end);
  if (spans.some(({ start }, index) => index > 0 && start < spans[index - 1]!.end)) return null;
  const isLast = endLine >= lines.length;
  let rest = 0;
  let made = '';
  const whole = isLast ? old : `${old}\n`;
  for (const span of spans) {
    made += whole.slice(rest, span.start) + span.text;
    rest = span.end;
  }
  made += whole.slice(rest);
  if (isLast) return made === old ? null : made;
  // The next line must still start on its own line. A suggestion cannot express that all lines are deleted.
  if (!made.endsWith('\n')) return null;
  const said = made.slice(0, -1);
  return said === old ? null : said;
}

/** The number of UTF-16 code units before a column; null if the line is shorter. */
function unitsBefore(
  line: string,
  column: number,
  columns: 'utf16CodeUnits' | 'unicodeCodePoints',
): number | null {
  const plain = line.endsWith('\r') ? line.slice(0, -1) : line;
  if (column === Number.POSITIVE_INFINITY) return plain.length;
  if (columns === 'utf16CodeUnits') return column - 1 <= plain.length ? column - 1 : null;
  const points = [...plain];
  return column - 1 <= points.length ? points.slice(0, column - 1).join('').length : null;
}
