import { findCredentials } from '../../../redaction/find/find-credentials.ts';
import { REDACTION_MARKER } from '../../../redaction/redact-credentials.ts';

const maxRounds = 6;

/**
 * Redacts a text line by line: each line that a credential touches gets its own marker, so that the lines keep their
 * numbers.
 */
export function redactLines(text: string): string[] {
  let lines = text.split('\n');
  for (let round = 0; round < maxRounds; round += 1) {
    const next = redactOnce(lines);
    if (next === undefined) return lines;
    if (next.join('\n') === lines.join('\n')) return next;
    lines = next;
  }
  return lines.map((line) => (line.trim() === '' ? line : REDACTION_MARKER));
}

function redactOnce(lines: readonly string[]): string[] | undefined {
  const spans = findCredentials(lines.join('\n'));
  if (spans.length === 0) return undefined;
  let offset = 0;
  let first = 0;
  return lines.map((line) => {
    const start = offset;
    const end = start + line.length;
    offset = end + 1;
    while (first < spans.length && spans[first]!.end <= start) first += 1;
    let kept = start;
    let redacted = '';
    for (let index = first; index < spans.length && spans[index]!.start < end; index += 1) {
      const span = spans[index]!;
      redacted += line.slice(kept - start, Math.max(span.start, start) - start) + REDACTION_MARKER;
      kept = Math.min(span.end, end);
    }
    return redacted + line.slice(kept - start);
  });
}
