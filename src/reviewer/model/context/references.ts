import path from 'node:path';
import { isGeneratedPath, isLockFile, isTest } from '../../change/file-kinds.ts';
import { definesName, wordTest } from '../../code/by-name.ts';
import { languages } from '../../code/languages.ts';
import { RepositoryCode } from '../../code/repository-code.ts';
import type { FoundLine, TreeView } from '../../repository/tree-view.ts';
import type { ChangedName } from './changed-names.ts';
import type { LineRange } from './snippet.ts';

/** A line with a name. */
export interface NamedPlace {
  readonly path: string;
  readonly line: number;
  readonly name: string;
  /** Whether the change certainly breaks it. */
  readonly isBroken?: boolean;
}

export interface FoundReferences {
  /** The most certain first, then the nearest. */
  readonly places: readonly NamedPlace[];
  /** False if not all lines could be searched, so that some places may be missing. */
  readonly isWhole: boolean;
}

const maxNames = 30;
/** How many files are parsed, at most, to check whether the name in them refers to the changed one. */
const maxResolved = 50;
const maxLineLength = 400;
const weights = { gone: 0, signature: 1, body: 2 };

/** Finds the uses of changed names in the head. */
export async function findReferences(
  names: readonly ChangedName[],
  tree: TreeView,
  isLate: () => boolean,
): Promise<FoundReferences> {
  const wanted = names.slice(0, maxNames);
  const found: Candidate[] = [];
  let isWhole = true;
  for (const [pathspec, group] of Map.groupBy(wanted, ({ file }) => pathspecsOf(file.path).join('\0'))) {
    if (isLate()) return { places: rank(found), isWhole: false };
    const words = [...new Set(group.map(({ name }) => name))];
    const searched = await tree.findLines(words, { asWords: true, pathspecs: pathspec.split('\0') });
    isWhole &&= searched.isWhole;
    found.push(...candidatesIn(searched.lines, group));
  }
  await resolve(found, tree, isLate);
  return { places: rank(found), isWhole };
}

/** Finds the uses of a name that a file defines. */
export function referencesTo(
  name: string,
  path: string,
  tree: TreeView,
  isLate: () => boolean,
): Promise<FoundReferences> {
  return findReferences([{ name, file: { path, kind: 'modified' }, weight: 'body' }], tree, isLate);
}

interface Candidate extends NamedPlace {
  readonly changed: ChangedName;
  readonly isImport: boolean;
  readonly isCall: boolean;
  readonly distance: number;
  /** Whether its file imports the name from the changed file; undefined if that is unknown. */
  isReached: boolean | undefined;
}

/** The pathspecs of files that can use a name of a file, by their language. */
export function pathspecsOf(file: string): readonly string[] {
  const language = languages.find((each) => each.covers(file));
  if (language !== undefined) return language.pathspecs;
  const ending = path.posix.extname(file);
  if (/^\.(?:c|cc|cpp|cxx|h|hh|hpp)$/.test(ending))
    return ['*.c', '*.cc', '*.cpp', '*.cxx', '*.h', '*.hh', '*.hpp'];
  return [ending === '' ? path.posix.basename(file).replaceAll(/[*?[\]\\]/g, '?') : `*${ending}`];
}

function candidatesIn(lines: readonly FoundLine[], names: readonly ChangedName[]): Candidate[] {
  const tests = names.map((changed) => ({ changed, test: wordTest(changed.name) }));
  return lines.flatMap(({ path: file, line, text: whole }) => {
    if (isGeneratedPath(file) || isLockFile(file)) return [];
    const text = whole.slice(0, maxLineLength);
    return tests.flatMap(({ changed, test }): Candidate[] => {
      const at = text.search(test);
      if (at === -1 || definesName(text, changed.name)) return [];
      const isImport =
        /^\s*(?:import|from|export\s*[{*]|use|require|#include|const\s+\{[^}]*\}\s*=\s*require)\b/.test(text);
      const isCall = /^\s*(?:<[^<>()]*>)?\(/.test(text.slice(at + changed.name.length));
      const distance = distanceOf(file, changed.file.path);
      return [
        {
          path: file,
          line,
          name: changed.name,
          changed,
          isImport,
          isCall,
          distance,
          isReached: file === changed.file.path || undefined,
        },
      ];
    });
  });
}

/** The distance of two files: the number of folders between them. */
export function distanceOf(one: string, other: string): number {
  const [a, b] = [one.split('/'), other.split('/')];
  let same = 0;
  while (same < Math.min(a.length, b.length) - 1 && a[same] === b[same]) same += 1;
  return a.length + b.length - 2 * same - 2;
}

/** Sets which candidates refer to the changed name, as far as imports tell; the nearest first, while there is time. */
async function resolve(candidates: Candidate[], tree: TreeView, isLate: () => boolean): Promise<void> {
  const codes = new Map<string, RepositoryCode>();
  const byFile = [...Map.groupBy(candidates, ({ path: file }) => file)].sort(
    ([, [a]], [, [b]]) =>
      weights[a!.changed.weight] - weights[b!.changed.weight] || a!.distance - b!.distance,
  );
  for (const [file, own] of byFile.slice(0, maxResolved)) {
    if (isLate()) return;
    const language = languages.find((each) => each.covers(file));
    if (language === undefined) continue;
    const code = codes.get(language.name) ?? new RepositoryCode(tree, language);
    codes.set(language.name, code);
    for (const [changed, same] of Map.groupBy(own, (candidate) => candidate.changed)) {
      const isReached = file === changed.file.path || (await reaches(file, changed, code));
      for (const candidate of same) candidate.isReached = isReached;
    }
  }
}

/** Whether a file imports from a changed file, directly or through re-exports. */
async function reaches(
  file: string,
  { name, file: changed, weight }: ChangedName,
  code: RepositoryCode,
): Promise<boolean> {
  const sharesFolder = code.language.name === 'go';
  if (sharesFolder && path.posix.dirname(file) === path.posix.dirname(changed.path)) return true;
  for (const { from, imported } of (await code.facts(file))?.imports ?? []) {
    const target = await code.resolve(file, from);
    if (target.kind === 'missing' && changed.kind === 'deleted') return true;
    if (target.kind !== 'file') continue;
    if (target.path === changed.path) return true;
    if (sharesFolder && path.posix.dirname(target.path) === path.posix.dirname(changed.path)) return true;
    if (imported === '' || imported === '*') continue;
    const found = await code.exported(target.path, imported);
    if (typeof found === 'object' ? found.path === changed.path : weight === 'gone' && imported === name)
      return true;
  }
  return false;
}

/**
 * Filters and sorts candidates. An import counts only if nothing else in its file uses the name. In a file that does not
 * import the changed one, only calls count: they may be of a method, whose object can come from anywhere.
 */
function rank(candidates: readonly Candidate[]): NamedPlace[] {
  const used = new Set(
    candidates.filter(({ isImport }) => !isImport).map(({ path: file, name }) => `${file}\0${name}`),
  );
  return candidates
    .filter(({ isImport, isCall, isReached, path: file, name }) =>
      isImport ? isReached !== false && !used.has(`${file}\0${name}`) : isReached !== false || isCall,
    )
    .toSorted(
      (a, b) =>
        Number(b.isReached === true) - Number(a.isReached === true) ||
        weights[a.changed.weight] - weights[b.changed.weight] ||
        Number(b.isCall) - Number(a.isCall) ||
        a.distance - b.distance ||
        (a.path === b.path ? a.line - b.line : a.path < b.path ? -1 : 1),
    );
}

/** Groups places by file, with the lines to show, in the order of the first places; tests separately, unless they are broken. */
export function groupPlaces(
  places: readonly NamedPlace[],
  isShown: (place: NamedPlace) => boolean,
): { readonly callers: PlacesOfFile[]; readonly tests: PlacesOfFile[] } {
  const open = places.filter((place) => !isShown(place));
  const files = [...Map.groupBy(open, ({ path: file }) => file)].map(([file, own]): PlacesOfFile => {
    const shown = own.slice(0, maxPlacesOfFile);
    return {
      path: file,
      ranges: shown.map(({ line }) => ({ startLine: line - around, endLine: line + around })),
      names: [...new Set(shown.map(({ name }) => name))],
    };
  });
  const broken = new Set(open.flatMap(({ path: file, isBroken }) => (isBroken ? [file] : [])));
  const isApart = ({ path: file }: PlacesOfFile) => isTest(file) && !broken.has(file);
  return { callers: files.filter((each) => !isApart(each)), tests: files.filter(isApart) };
}

const maxPlacesOfFile = 4;
const around = 2;

export interface PlacesOfFile {
  readonly path: string;
  readonly ranges: readonly LineRange[];
  readonly names: readonly string[];
}
