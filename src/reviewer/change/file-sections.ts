import { parsePatch } from 'diff';
import { escapeQuotedNames } from '../repository/file-name.ts';
import type { FileChangeKind, Hunk, MissingHunks } from './change.ts';
import { numberHunk } from './hunks.ts';

/** Limits in characters. People do not review a larger file or diff, and the limits bound memory. */
export const maxSectionLength = 2 * 1024 * 1024;
export const maxDiffLength = 24 * 1024 * 1024;

/** The part of a diff about one file. */
export interface FileSection {
  readonly path: string;
  readonly oldPath: string | null;
  readonly kind: FileChangeKind;
  readonly missing: MissingHunks | null;
  readonly hunks: readonly Hunk[];
}

/** A diff is invalid; the message says where. */
export class DiffError extends Error {
  override readonly name = 'DiffError';
}

/** Git's modes for entries that are not regular files. */
const specialModes: Record<string, MissingHunks> = { '160000': 'submodule', '120000': 'symbolic_link' };

/** Splits Git's output into one text per file. Of a file that is too large, only the header lines are kept. */
export async function* splitSections(
  chunks: AsyncIterable<string>,
): AsyncGenerator<{ text: string; isCut: boolean }> {
  let section: string[] = [];
  let length = 0;
  let total = 0;
  let isCut = false;
  for await (const line of linesOf(chunks)) {
    if (line.startsWith('diff --git ')) {
      if (section.length > 0) yield { text: section.join('\n'), isCut };
      total += isCut ? 0 : length;
      section = [];
      length = 0;
      isCut = false;
    } else if (section.length === 0) continue;
    length += line.length + 1;
    isCut ||= length > maxSectionLength || total + length > maxDiffLength;
    const isHead = section.length < 12 && !section.some((known) => known.startsWith('@@'));
    if (!isCut || isHead) section.push(isHead ? line.slice(0, 20_000) : line);
  }
  if (section.length > 0) yield { text: section.join('\n'), isCut };
}

async function* linesOf(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let begun: string[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    const lines = chunk.split('\n');
    const rest = lines.pop()!;
    for (const line of lines) {
      const whole = begun.length === 0 ? line : begun.join('') + line;
      begun = [];
      length = 0;
      if (!whole.startsWith('* Unmerged path ')) yield whole;
    }
    // Of an overlong line, the part beyond the limit is dropped: its section is cut anyway.
    if (length <= maxSectionLength) begun.push(rest);
    length += rest.length;
  }
  if (length > 0) yield begun.join('');
}

/** Parses the output of `git diff` about one file. */
export function readSection({ text, isCut }: { text: string; isCut: boolean }): FileSection {
  const firstHunk = text.search(/^@@ /m);
  const head = firstHunk === -1 ? text : text.slice(0, firstHunk);
  // Without the `---` and `+++` lines, where the parser trims a trailing space of a name; other lines have the exact names.
  const exactHead = escapeQuotedNames(head.replace(/^(?:---|\+\+\+) .*\n?/gm, ''));
  const body = isCut || firstHunk === -1 ? '' : text.slice(firstHunk);
  const parsed = parsePatch(exactHead + body)[0];
  if (parsed?.oldFileName === undefined || parsed.newFileName === undefined)
    throw new DiffError(`the names in "${text.slice(0, 200).split('\n')[0]}" cannot be read`);
  const mode = parsed.newMode ?? parsed.oldMode ?? /^index \S+ (\d{6})$/m.exec(head)?.[1] ?? '';
  const isBinary = parsed.isBinary === true || /^GIT binary patch$/m.test(head);
  const missing = specialModes[mode] ?? (isBinary ? 'binary' : isCut ? 'too_large' : null);
  const kind = kindOf(parsed);
  return {
    path: parsed.isDelete ? withoutPrefix(parsed.oldFileName) : withoutPrefix(parsed.newFileName),
    oldPath: kind === 'added' ? null : withoutPrefix(parsed.oldFileName),
    kind,
    missing,
    hunks: missing === null ? parsed.hunks.map(numberHunk) : [],
  };
}

function kindOf(parsed: ReturnType<typeof parsePatch>[number]): FileChangeKind {
  if (parsed.isCreate) return 'added';
  if (parsed.isDelete) return 'deleted';
  if (parsed.isCopy) return 'copied';
  return parsed.isRename ? 'renamed' : 'modified';
}

function withoutPrefix(name: string): string {
  return name.replace(/^[ab]\//, '');
}
