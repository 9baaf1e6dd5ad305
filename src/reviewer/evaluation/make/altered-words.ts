import type { ChangedFile, HunkLine } from '../../change/change.ts';

/** Patterns of definitions in any of the languages: a rough filter, so that few files have to be parsed. */
const defined = [
  /\b(?:function\*?|class|def|type|interface|enum|const|let|var|func(?:\s*\([^)]*\))?)\s+([\p{L}_$][\p{L}\p{N}_$]*)/gu,
  /^\s*(?:(?:async|static|public|private|protected|readonly|get|set)\s+)*([\p{L}_$][\p{L}\p{N}_$]*)\s*(?:[=(:]|\s[\p{L}*[(])/gu,
];
const word = /[\p{L}_$][\p{L}\p{N}_$]*/gu;

const changedLines = ({ hunks }: ChangedFile, kind: HunkLine['kind']) =>
  hunks.flatMap(({ lines }) => lines.filter((line) => line.kind === kind));

const wordsOf = (lines: readonly HunkLine[]) => new Set(lines.flatMap(({ text }) => text.match(word) ?? []));

/**
 * The files of a change that may define a name that it altered, or were updated for it: files with a removed definition, files
 * that were deleted or renamed, and files with removed lines that contain the name of such a definition or file.
 */
export function filesWorthParsing(files: readonly ChangedFile[]): ChangedFile[] {
  const lost = new Map(files.map((file) => [file, wordsOf(changedLines(file, 'removed'))]));
  const isGone = ({ kind }: ChangedFile) => kind === 'deleted' || kind === 'renamed';
  const altered = new Set<string>();
  const worth = new Set<ChangedFile>();
  for (const file of files) {
    const names = changedLines(file, 'removed').flatMap(({ text }) =>
      defined.flatMap((pattern) => [...text.matchAll(pattern)].map(([, name]) => name!)),
    );
    const users = files.filter((user) => {
      if (user === file || user.kind !== 'modified') return false;
      const words = lost.get(user)!;
      return (
        names.some((name) => words.has(name)) ||
        (isGone(file) && words.has(stemOf(file.oldPath ?? file.path)))
      );
    });
    if (users.length === 0) continue;
    for (const each of [file, ...users]) worth.add(each);
    for (const name of names) altered.add(name);
  }
  // Files that such a name may have moved to.
  for (const file of files) {
    const words =
      worth.size === 0 || worth.has(file) ? new Set<string>() : wordsOf(changedLines(file, 'added'));
    if ([...words].some((each) => altered.has(each))) worth.add(file);
  }
  return files.filter((file) => worth.has(file));
}

function stemOf(path: string): string {
  const parts = path.split('/');
  const name = parts.at(-1)!.replace(/(?:\.d)?\.[^.]+$/, '');
  return /^(?:index|__init__)$/.test(name) ? (parts.at(-2) ?? name) : name;
}
