/** A segment of a Markdown text: prose, inline code, or a code block. */
export type Segment =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'block'; readonly text: string; readonly language: string };

/** Splits a text at its code. Anything that is not clearly code is prose. */
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
    // Suggestion blocks are added when the finding is posted; its text must not contain any.
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

/** Whether a line closes a fence: it has the same characters, at least as many of them, and nothing else. */
function isClosing(line: string, fence: string): boolean {
  const [, closing = ''] = /^ {0,3}(`+|~+)\s*$/.exec(line) ?? [];
  return closing.startsWith(fence);
}

/**
 * Splits prose at inline code: between single backticks, or double ones around text without backticks. Blank inline code
 * counts as prose: if it were removed, the text around it could become a link.
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
