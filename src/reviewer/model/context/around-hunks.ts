import { isProse } from '../../change/file-kinds.ts';
import { findBlocks } from '../../code/blocks.ts';
import { changedLines, type ShownHunks, shownLines } from './shown-change.ts';
import { type CleanTexts, contains, joinRanges, type LineRange, type Snippet } from './snippet.ts';

/** Of a function with more lines, only the lines near the change are shown. */
const maxLines = 120;
const near = 30;

/** The whole function around each hunk, unless the hunk already shows it. */
export async function functionsAround(shown: readonly ShownHunks[], texts: CleanTexts): Promise<Snippet[]> {
  const snippets: Snippet[] = [];
  for (const { file, hunks } of shown) {
    const text = isProse(file.path) ? undefined : await texts.text(file.path);
    if (text === undefined || file.kind === 'deleted') continue;
    const blocks = await findBlocks(file.path, text);
    const ranges: LineRange[] = [];
    for (const line of changedLines(hunks)) {
      const block = blocks.around(line).at(-1);
      if (block === undefined || contains(ranges, { startLine: line, endLine: line })) continue;
      const isLong = block.endLine - block.startLine >= maxLines;
      ranges.push({
        startLine: isLong ? Math.max(block.startLine, line - near) : block.startLine,
        endLine: isLong ? Math.min(block.endLine, line + near) : block.endLine,
      });
    }
    blocks.close();
    for (const range of joinRanges(ranges)) {
      if (contains(shownLines(hunks), range)) continue;
      const snippet = await texts.snippet(file.path, range, '(around the change)');
      if (snippet !== undefined) snippets.push(snippet);
    }
  }
  return snippets;
}
