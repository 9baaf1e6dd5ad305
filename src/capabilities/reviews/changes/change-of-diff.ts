import { parsePatch } from 'diff';
import type { Change, ChangedFile } from './change.ts';
import { DiffError, type FileSection, readSection } from './file-sections.ts';
import { addedLinesOf, numberHunk, undoHunks } from './hunks.ts';

/** The new content of a file that a diff changes. */
export interface GivenFile {
  readonly path: string;
  readonly content: string;
}

/** A change that came as a unified diff, with the new contents of files as far as they were given. */
export function changeOfDiff(diff: string, given: readonly GivenFile[] = []): Change {
  const contents = new Map(given.map(({ path, content }) => [path, content]));
  const sections = readDiff(diff);
  const known = new Set(sections.map(({ path }) => path));
  const stray = given.find(({ path }) => !known.has(path));
  if (stray !== undefined) throw new DiffError(`"${stray.path}" is not in the diff`);
  if (known.size !== sections.length) throw new DiffError('a file is in the diff more than once');
  const files = sections.map((section) => givenFile(section, contents.get(section.path)));
  return { baseRevision: null, headRevision: null, files, close: async () => {} };
}

function readDiff(diff: string): FileSection[] {
  const text = diff.replace(/\n+$/, '');
  if (text.trim() === '') return [];
  try {
    if (/^diff --git /m.test(text)) {
      const parts = text.split(/^(?=diff --git )/m);
      return parts
        .filter((part) => part.startsWith('diff --git '))
        .map((part) => readSection({ text: part, isCut: false }));
    }
    const sections = parsePatch(text).map(plainSection);
    if (sections.length === 0) throw new DiffError('there is no file in the diff');
    return sections;
  } catch (error) {
    if (error instanceof DiffError) throw error;
    throw new DiffError((error as Error).message.slice(0, 300), { cause: error });
  }
}

/** A file in a diff that Git did not write. */
function plainSection({
  oldFileName,
  newFileName,
  hunks,
}: ReturnType<typeof parsePatch>[number]): FileSection {
  if (oldFileName === undefined || newFileName === undefined)
    throw new DiffError('a file has no "---" and "+++" lines');
  const isNew = oldFileName === '/dev/null';
  const isGone = newFileName === '/dev/null';
  const hasPrefixes = (isNew || oldFileName.startsWith('a/')) && (isGone || newFileName.startsWith('b/'));
  const plain = (name: string) => (hasPrefixes ? name.slice(2) : name);
  return {
    path: plain(isGone ? oldFileName : newFileName),
    oldPath: isNew ? null : plain(oldFileName),
    kind: isNew
      ? 'added'
      : isGone
        ? 'deleted'
        : plain(oldFileName) === plain(newFileName)
          ? 'modified'
          : 'renamed',
    missing: null,
    hunks: hunks.map(numberHunk),
  };
}

function givenFile(section: FileSection, content: string | undefined): ChangedFile {
  const text =
    section.missing === null && section.kind !== 'deleted' ? (content ?? wholeText(section)) : undefined;
  if (content !== undefined) checkFits(section, content);
  return {
    ...section,
    addedLines: addedLinesOf(section.hunks),
    newText: async () => text,
    async oldText() {
      if (section.kind === 'added' || section.missing !== null) return undefined;
      const after = section.kind === 'deleted' ? '' : text;
      return after === undefined ? undefined : undoHunks(after, section.hunks);
    },
  };
}

/** The hunks of a new file are its whole text. */
function wholeText({ kind, hunks }: FileSection): string | undefined {
  if (kind !== 'added') return undefined;
  return hunks.flatMap(({ lines }) => lines.map(({ text }) => `${text}\n`)).join('');
}

/** Findings would stand on wrong lines if diff and content spoke of different versions. */
function checkFits({ path, hunks }: FileSection, content: string): void {
  const lines = content.split('\n');
  for (const hunk of hunks)
    for (const { newLine, text } of hunk.lines)
      if (newLine !== null && (lines[newLine - 1] ?? '').replace(/\r$/, '') !== text.replace(/\r$/, ''))
        throw new DiffError(`"${path}" has another line ${newLine} than the diff`);
}
