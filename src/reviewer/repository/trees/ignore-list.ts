import { globMatcher } from '../../../lib/patterns/glob.ts';

/** A pattern of a `.gitignore`, as a test on paths below its folder. */
export interface PathPattern {
  /** Whether a `!` precedes it: it re-includes paths that an earlier pattern excludes. */
  readonly isNegated: boolean;
  readonly isForFolders: boolean;
  readonly matches: (path: string) => boolean;
}

/** Characters that are special in a glob, but not in a `.gitignore`. */
const plain = /[{}()|+@^$]/g;
const maxPatterns = 2_000;

/** The folders above a path. */
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
  // `folder/**` does not match the folder itself, as it does in a glob.
  const isInFolder = (path: string) => foldersOf(path).some(tests);
  return { isNegated, isForFolders, matches: isIn ? isInFolder : tests };
}

/** The patterns of a list, without its comments. */
export function readPatterns(lines: readonly string[]): PathPattern[] {
  return lines.slice(0, maxPatterns).flatMap((line) => readPattern(line) ?? []);
}

/** Returns a test whether patterns, as in `.gitignore`, exclude a path below their folder: the last match decides. */
export function ignoreList(lines: readonly string[]): (path: string) => boolean {
  const patterns = readPatterns(lines);
  const isIgnored = (path: string, isFolder: boolean) => {
    const last = patterns.findLast(
      ({ isForFolders, matches }) => (isFolder || !isForFolders) && matches(path),
    );
    return last !== undefined && !last.isNegated;
  };
  // Files in an excluded folder cannot be re-included.
  return (path) => foldersOf(path).some((folder) => isIgnored(folder, true)) || isIgnored(path, false);
}
