const newline = 0x0a;

/** A line of the stream, or a marker that one was too long and skipped. */
export type Line = { readonly bytes: Buffer } | { readonly tooLong: true };

/** Lines up to this size need no memory of their own. */
const longLineBytes = 64 * 1024;

/**
 * Splits a stream into lines without ever holding more than one line and one chunk; blank lines are skipped. The lines
 * that a chunk completes are yielded together. `hold` is called before a long line is kept, and with 0 after it.
 */
export async function* readLines(
  stream: AsyncIterable<Buffer>,
  maxBytes: number,
  hold: (bytes: number) => Promise<void> = async () => {},
): AsyncGenerator<Line[]> {
  let parts: Buffer[] = [];
  let length = 0;
  let held = 0;
  let isSkipping = false;

  function finishLine(): Line | undefined {
    const bytes = parts.length === 1 ? parts[0]! : Buffer.concat(parts);
    const line: Line | undefined = isSkipping ? { tooLong: true } : length === 0 ? undefined : { bytes };
    parts = [];
    length = 0;
    isSkipping = false;
    return line;
  }

  for await (const chunk of stream) {
    const lines: Line[] = [];
    let start = 0;
    while (start < chunk.length) {
      // Blank lines, of which a few compressed bytes hold millions, are skipped without a buffer for each.
      if (length === 0 && isBlankByte(chunk[start]!)) {
        start += 1;
        continue;
      }
      const end = chunk.indexOf(newline, start);
      const part = chunk.subarray(start, end === -1 ? chunk.length : end);
      length += part.length;
      if (length > maxBytes) {
        isSkipping = true;
        parts = [];
      } else parts.push(part);
      if (end === -1) break;
      const line = finishLine();
      if (line !== undefined) lines.push(line);
      start = end + 1;
    }
    if (lines.length > 0) yield lines;
    const needed = length > longLineBytes && !isSkipping ? maxBytes : 0;
    if (needed !== held) await hold(needed);
    held = needed;
  }
  const last = finishLine();
  if (last !== undefined) yield [last];
}

/** White space in front of a line means as little as a line of nothing else. */
function isBlankByte(byte: number): boolean {
  return byte === newline || byte === 0x20 || byte === 0x09 || byte === 0x0d;
}
