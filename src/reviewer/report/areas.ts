import path from 'node:path';
import type { ChangedFile } from '../change/change.ts';
import { type Area, firstNames, limits, type SymbolNames } from '../review-report.ts';
import { noSymbols } from './names-of-changes.ts';

/** The numbers of lines that the change adds to a file and removes from it. */
export function countLines({ hunks, addedLines }: ChangedFile): { added: number; removed: number } {
  let removed = 0;
  for (const { lines } of hunks) for (const { kind } of lines) if (kind === 'removed') removed += 1;
  return { added: addedLines.size, removed };
}

/** The folders of a change. Merges folders into their parents until there are few enough: the deepest and smallest first. */
export function areasOf(
  files: readonly ChangedFile[],
  symbols: ReadonlyMap<string, SymbolNames>,
): { readonly areas: Area[]; readonly total: number } {
  const groups = new Map<string, ChangedFile[]>();
  const put = (folder: string, members: readonly ChangedFile[]) => {
    const known = groups.get(folder);
    if (known === undefined) groups.set(folder, [...members]);
    else for (const member of members) known.push(member);
  };
  for (const file of files) put(path.posix.dirname(file.path), [file]);
  const total = groups.size;
  const depthOf = (folder: string) => (folder === '.' ? 0 : folder.split('/').length);
  while (groups.size > limits.areas) {
    const deepest = [...groups.keys()].reduce((most, folder) => Math.max(most, depthOf(folder)), 0);
    const level = [...groups].filter(([folder]) => depthOf(folder) === deepest);
    for (const [folder, members] of level.sort(([, a], [, b]) => a.length - b.length)) {
      if (groups.size <= limits.areas) break;
      groups.delete(folder);
      put(path.posix.dirname(folder), members);
    }
  }
  const areas = [...groups].map(([folder, members]) => areaOf(folder, members, symbols));
  return { areas: areas.sort((a, b) => (a.path < b.path ? -1 : 1)), total };
}

function areaOf(
  folder: string,
  members: readonly ChangedFile[],
  symbols: ReadonlyMap<string, SymbolNames>,
): Area {
  const counts = members.map(countLines);
  const own = members.map(({ path: name }) => symbols.get(name) ?? noSymbols);
  const all = (kind: keyof SymbolNames) =>
    firstNames([...new Set(own.flatMap((each) => each[kind]))], limits.symbols);
  return {
    path: folder,
    files: members.length,
    added: counts.reduce((sum, { added }) => sum + added, 0),
    removed: counts.reduce((sum, { removed }) => sum + removed, 0),
    symbols: { added: all('added'), changed: all('changed'), removed: all('removed') },
  };
}
