import type { ChangedFile, Hunk, HunkLine, MissingHunks } from '../../../reviewer/change/change.ts';
import { readChange } from '../../../reviewer/change/read-change.ts';
import { isUnspeakable, type ReadCommits, shownLine } from './code-request.ts';

export interface PatchRequest extends ReadCommits {
  readonly path: string;
  /** The path before the change; if given, the file is compared with that one. */
  readonly oldPath: string | null;
}

/** Consecutive lines of a diff; each begins with `+`, `-` or a space. */
export interface ShownHunk {
  readonly oldStart: number;
  readonly newStart: number;
  readonly lines: readonly string[];
}

/** What changed in one file. */
export interface Patch {
  readonly missing: MissingHunks | null;
  readonly hunks: readonly ShownHunk[];
  /** The number of lines in the new version; null if there is none, or it is too large. */
  readonly totalLines: number | null;
  /** Whether some lines, or the end of the change, are left out. */
  readonly isCut: boolean;
  /** Whether the file is a pointer to one that is stored elsewhere (Git LFS). */
  readonly isPointer: boolean;
}

const maxLines = 20_000;
const pointerStart = 'version https://git-lfs.github.com/spec/';

/** What changed in one file between two commits; null if it did not change. */
export async function work({ repository, base, head, path, oldPath }: PatchRequest): Promise<Patch | null> {
  const names = oldPath === null ? [path] : [path, oldPath];
  const paths = names.some(isUnspeakable) ? undefined : names;
  const change = await readChange(repository, { base, head, paths });
  try {
    const file = change.files.find((one) => one.path === path);
    return file === undefined ? null : await describe(file);
  } finally {
    await change.close();
  }
}

async function describe(file: ChangedFile): Promise<Patch> {
  const [hunks, isCut] = show(file.hunks);
  const text = await file.newText();
  return {
    missing: file.missing,
    hunks,
    totalLines: text === undefined ? null : countLines(text),
    isCut,
    isPointer: file.hunks[0]?.lines.some(({ text: line }) => line.startsWith(pointerStart)) ?? false,
  };
}

export function countLines(text: string): number {
  return text.split('\n').length - (text.endsWith('\n') || text === '' ? 1 : 0);
}

const signs: Readonly<Record<HunkLine['kind'], string>> = { added: '+', removed: '-', context: ' ' };

function show(hunks: readonly Hunk[]): [ShownHunk[], isCut: boolean] {
  const shown: ShownHunk[] = [];
  let left = maxLines;
  let isCut = false;
  for (const { oldStart, oldCount, newStart, newCount, lines } of hunks) {
    if (left === 0) return [shown, true];
    const texts = lines.slice(0, left).map(({ kind, text }) => {
      const line = shownLine(text);
      isCut ||= line.isCut;
      return signs[kind] + line.text;
    });
    isCut ||= texts.length < lines.length;
    left -= texts.length;
    // For a side without lines, Git gives the number of the line before.
    shown.push({
      oldStart: oldCount === 0 ? oldStart + 1 : oldStart,
      newStart: newCount === 0 ? newStart + 1 : newStart,
      lines: texts,
    });
  }
  return [shown, isCut];
}
