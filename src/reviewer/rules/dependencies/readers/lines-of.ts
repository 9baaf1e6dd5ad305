/** Yields the lines of a text: an array of all of them would take more memory than the text. Numbers start at 1. */
export function* linesOf(text: string): Generator<{ readonly line: string; readonly number: number }> {
  let number = 1;
  for (let start = 0; start <= text.length; number += 1) {
    const end = text.indexOf('\n', start);
    yield { line: text.slice(start, end === -1 ? text.length : end), number };
    if (end === -1) return;
    start = end + 1;
  }
}
