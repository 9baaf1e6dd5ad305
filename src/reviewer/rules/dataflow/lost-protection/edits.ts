import type { ChangedFile, HunkLine } from '../../../change/change.ts';
import { isComment } from '../../weigh-in-context.ts';

/** A line of code in the old or the new version. */
export interface CodeLine {
  /** The line number in its version. */
  readonly number: number;
  readonly text: string;
}

/** Removed lines and the lines that replace them; either list may be empty. Comments and empty lines are left out. */
export interface Edit {
  readonly removed: readonly CodeLine[];
  readonly added: readonly CodeLine[];
  /** The number of the line in the new version that follows. */
  readonly next: number;
}

/** Longer lines are not written by hand, and are ignored. */
const maxLength = 1_000;
const isRead = (text: string) => text.length <= maxLength && text.trim() !== '' && !isComment.test(text);

export function editsOf({ hunks }: ChangedFile): Edit[] {
  return hunks.flatMap(({ lines, newStart }) => {
    const edits: Edit[] = [];
    let next = newStart;
    let run: HunkLine[] = [];
    const end = () => {
      const of = (kind: 'added' | 'removed') =>
        run
          .filter((line) => line.kind === kind && isRead(line.text))
          .map(({ text, newLine, oldLine }) => ({ text, number: (newLine ?? oldLine)! }));
      if (run.length > 0) edits.push({ removed: of('removed'), added: of('added'), next });
      run = [];
    };
    for (const line of lines) {
      if (line.kind === 'context') end();
      else run.push(line);
      if (line.newLine !== null) next = line.newLine + 1;
    }
    end();
    return edits;
  });
}

export const bare = (text: string) => text.replaceAll(/\s+/g, '');

export const indentOf = (text: string) => /^\s*/.exec(text)![0].length;

const functionHeader =
  /\bfunction\b|=>|^\s*(?:async\s+)?(?:def|func|class)\s|^\s*(?:static\s+|async\s+)*[\w$]+\s*\([^()]*\)\s*\{\s*$/;
const isControl = /^\s*\}?\s*(?:else\s+)?(?:if|for|while|switch|with|try|catch|do)\b/;

/** Whether a removed line was in a function that was removed as well, so that nothing is left to protect. */
export function isFunctionRemoved(removed: readonly CodeLine[], index: number): boolean {
  let indent = indentOf(removed[index]!.text);
  for (const { text } of removed.slice(0, index).toReversed()) {
    if (indentOf(text) >= indent) continue;
    indent = indentOf(text);
    if (functionHeader.test(text) && !isControl.test(text)) return true;
  }
  return false;
}

/** How many lines after the removed guard are searched for what it guarded. */
const maxAhead = 40;

/** The lines that follow in the same block, and in blocks inside of it. */
export function linesAfter(lines: readonly string[], next: number, indent: number): CodeLine[] {
  const after: CodeLine[] = [];
  for (let number = next; number < next + maxAhead && number <= lines.length; number += 1) {
    const text = lines[number - 1]!;
    if (!isRead(text)) continue;
    // Tolerates an indentation that is wrong by one.
    if (indentOf(text) < indent - 1) break;
    after.push({ number, text });
  }
  return after;
}
