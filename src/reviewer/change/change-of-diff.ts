import { parsePatch } from 'diff';
import type { Change, ChangedFile } from './change.ts';
import { DiffError, type FileSection, readSection } from './file-sections.ts';
import { addedLinesOf, numberHunk, undoHunks } from './hunks.ts';
import { isRepositoryPath } from './repository-path.ts';

/** The new content of a file that a diff changes. */
export interface GivenFile {
  readonly path: string;
  readonly content: string;
}

/** Parses a unified diff to a change. `given` has the new contents of some of its files. */
export function changeOfDiff(diff: string, given: readonly GivenFile[] = []): Change {
  return changeOfSections(sectionsOfDiff(diff, given), given);
}

/** Parses a diff into one section per file; throws a `DiffError` if it is invalid or the given files do not match it. */
export function sectionsOfDiff(diff: string, given: readonly GivenFile[] = []): FileSection[] {
  const sections = readDiff(diff);
  const known = new Map(sections.map((section) => [section.path, section]));
  if (known.size !== sections.length) throw new DiffError('a file is in the diff more than once');
  for (const { path, oldPath } of sections)
    for (const name of [path, oldPath ?? path])
      if (!isRepositoryPath(name))
        throw new DiffError(`${JSON.stringify(name.slice(0, 200))} is not a path in a repository`);
  const seen = new Set<string>();
  for (const { path, content } of given) {
    const section = known.get(path);
    if (section === undefined)
      throw new DiffError(`${JSON.stringify(path.slice(0, 200))} is not in the diff`);
    if (seen.has(path)) throw new DiffError(`"${path}" is given more than once`);
    seen.add(path);
    checkFits(section, content);
  }
  return sections;
}

/** Builds the change from the already parsed sections of its diff. */
export function changeOfSections(sections: readonly FileSection[], given: readonly GivenFile[]): Change {
  const contents = new Map(given.map(({ path, content }) => [path, content]));
  const files = sections.map((section) => givenFile(section, contents.get(section.path)));
  return { baseRevision: null, headRevision: null, files, close: async () => {} };
}

function readDiff(diff: string): FileSection[] {
  // Not with /\n+$/: its run time is quadratic in the number of line feeds, which can mean hours.
  let end = diff.length;
  while (diff[end - 1] === '\n') end -= 1;
  const text = diff.slice(0, end);
  if (text.trim() === '') return [];
  try {
    if (/^diff --git /m.test(text)) {
      const parts = text.split(/^(?=diff --git )/m);
      return parts
        .filter((part) => part.startsWith('diff --git '))
        .map((part) => readSection({ text: part, isCut: false }));
    }
    const sections = parsePatch(text).map(plainSection);
    if (sections.length === 0) throw new DiffError('the diff contains no files');
    return sections;
  } catch (error) {
    if (error instanceof DiffError) throw error;
    throw new DiffError((error as Error).message.slice(0, 300), { cause: error });
  }
}

/** A file in a unified diff without Git's headers. */
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

/** The text of an added file, whose hunks contain all of it; undefined for other files. */
function wholeText({ kind, hunks }: FileSection): string | undefined {
  if (kind !== 'added') return undefined;
  return hunks.flatMap(({ lines }) => lines.map(({ text }) => `${text}\n`)).join('');
}

/** Throws if the content is of another version than the diff, because findings would be on wrong lines. */
function checkFits({ path, hunks }: FileSection, content: string): void {
  const lines = content.split('\n');
  for (const hunk of hunks)
    for (const { newLine, text } of hunk.lines)
      if (newLine !== null && (lines[newLine - 1] ?? '').replace(/\r$/, '') !== text.replace(/\r$/, ''))
        throw new DiffError(`"${path}" has another line ${newLine} than the diff`);
}
