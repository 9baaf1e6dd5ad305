import { globMatcher } from '../../../lib/patterns/glob.ts';

/** A pattern as `.gitignore` writes them, made a test on paths below the folder that the list is in. */
export interface PathPattern {
  /** `!` before it takes back what an earlier one said. */
  readonly isNegated: boolean;
  readonly isForFolders: boolean;
  readonly matches: (path: string) => boolean;
}

/** Characters that mean something in a glob, but nothing in such a list. */
const plain = /[{}()|+@^$]/g;
const maxPatterns = 2_000;

/** The folders that a path lies in. */
function foldersOf(path: string): string[] {
  const parts = path.split('/');
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'));
}

export function readPattern(line: string): PathPattern | undefined {
  const text = line.replace(/\r$/, '').replace(/(?<!\\)\s+$/, '');
  if (text === '' || text.startsWith('#')) return undefined;
  const isNegated = text.startsWith('!');
  const isForFolders = text.endsWith('/');
  const given = text.slice(isNegated ? 1 : 0, isForFolders ? -1 : undefined).replace(/^\.\//, '');
  const isAnchored = given.includes('/');
  const glob = given
    .replace(/^\//, '')
    .replace(/\/\*\*(?:\/\*\*)+$/, '/**')
    .replace(plain, '\\$&');
  if (glob === '') return undefined;
  const isIn = glob.endsWith('/**') && !/^(?:\*\*\/)+\*\*$/.test(glob);
  const tests = globMatcher([`${isAnchored ? '' : '**/'}${isIn ? glob.slice(0, -'/**'.length) : glob}`], {
    dot: true,
  });
  // What is in a folder is not the folder, which a glob thinks.
  const isInFolder = (path: string) => foldersOf(path).some(tests);
  return { isNegated, isForFolders, matches: isIn ? isInFolder : tests };
}

/** The patterns of a list, without its comments. */
export function readPatterns(lines: readonly string[]): PathPattern[] {
  return lines.slice(0, maxPatterns).flatMap((line) => readPattern(line) ?? []);
}

/** Whether a list of patterns, as in `.gitignore`, leaves out a path below its folder: the last pattern that fits decides. */
export function ignoreList(lines: readonly string[]): (path: string) => boolean {
  const patterns = readPatterns(lines);
  const isIgnored = (path: string, isFolder: boolean) => {
    const last = patterns.findLast(
      ({ isForFolders, matches }) => (isFolder || !isForFolders) && matches(path),
    );
    return last !== undefined && !last.isNegated;
  };
  // What lies in a folder that is left out cannot be taken back.
  return (path) => foldersOf(path).some((folder) => isIgnored(folder, true)) || isIgnored(path, false);
}
