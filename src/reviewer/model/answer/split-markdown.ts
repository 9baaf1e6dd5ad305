/** A piece of a Markdown text: prose, code in a line, or a block of code. */
export type Segment =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'block'; readonly text: string; readonly language: string };

/** Divides a text at its code. What is not clearly code is prose. */
export function splitMarkdown(text: string): Segment[] {
  const segments: Segment[] = [];
  let prose: string[] = [];
  const lines = text.split('\n');
  const flush = () => {
    if (prose.length > 0) segments.push(...splitLines(prose.join('\n')));
    prose = [];
  };
  for (let at = 0; at < lines.length; at += 1) {
    const fence = /^ {0,3}(`{3,}|~{3,})\s*([\w+#.-]*)[^`]*$/.exec(lines[at]!);
    if (fence === null) {
      prose.push(lines[at]!);
      continue;
    }
    let end = at + 1;
    while (end < lines.length && !isClosing(lines[end]!, fence[1]!)) end += 1;
    flush();
    const language = fence[2]!.toLowerCase().replaceAll(/[^a-z0-9+#-]/g, '');
    // A suggestion is made by who posts the finding, never by its text.
    const isSuggestion = language.startsWith('suggestion');
    segments.push({
      kind: 'block',
      language: isSuggestion ? '' : language,
      text: lines.slice(at + 1, end).join('\n'),
    });
    at = end;
  }
  flush();
  return segments;
}

/** The same characters, at least as many of them, and nothing else. */
function isClosing(line: string, fence: string): boolean {
  const [, closing = ''] = /^ {0,3}(`+|~+)\s*$/.exec(line) ?? [];
  return closing.startsWith(fence);
}

/**
 * Code within a line: between single backticks, or double ones around something without any. Blanks between backticks
 * are prose: left out, they would join what is around them to a link.
 */
function splitLines(prose: string): Segment[] {
  const segments: Segment[] = [];
  let from = 0;
  for (const found of prose.matchAll(/(?<![\\`])(`{1,2})(?!\s*`)([^`\n]+)\1(?!`)/g)) {
    segments.push({ kind: 'text', text: prose.slice(from, found.index) });
    segments.push({ kind: 'code', text: found[2]!.trim() });
    from = found.index + found[0].length;
  }
  segments.push({ kind: 'text', text: prose.slice(from) });
  return segments.filter(({ text }) => text !== '');
}
