import type { Change, ChangedFile } from '../../change/change.ts';
import { isFixture } from '../../change/file-kinds.ts';
import type { RepositoryCode } from '../../code/repository-code.ts';
import type { TreeView } from '../../repository/tree-view.ts';
import { IgnoredFiles } from '../../repository/trees/ignored-files.ts';
import { findLostImports, isGone } from './lost-imports.ts';
import { filesNamedBy, manifestPathspecs } from './named-files.ts';

/** A place that still refers to a deleted or moved file. */
export interface LostPlace {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

/** Finds the files that the change deletes or moves, and the places that still import or name them. */
export async function findLostFiles(
  change: Change,
  head: TreeView,
  code: readonly { readonly base: RepositoryCode; readonly head: RepositoryCode }[],
  ended?: AbortSignal,
): Promise<ReadonlyMap<ChangedFile, readonly LostPlace[]>> {
  const found = new Map<ChangedFile, LostPlace[]>();
  const add = (file: ChangedFile, places: readonly LostPlace[]) =>
    found.set(file, [...(found.get(file) ?? []), ...places]);
  for (const sides of code)
    for (const { file, lost } of await findLostImports(change, sides.base, sides.head, ended))
      add(
        file,
        lost.map((place) => ({ ...place, text: 'imports it' })),
      );
  for (const [file, places] of await findNamed(change, head, ended)) add(file, places);
  return found;
}

async function findNamed(change: Change, head: TreeView, ended?: AbortSignal) {
  const found = new Map<ChangedFile, LostPlace[]>();
  const gone = new Map(change.files.filter(isGone).map((file) => [file.oldPath ?? file.path, file]));
  if (gone.size === 0) return found;
  const [there, ignored] = [await head.paths(), new IgnoredFiles(head)];
  // Modules are named without their extension.
  const names = [...gone.keys()].map((file) => file.slice(file.lastIndexOf('/') + 1).replace(/\.[^.]+$/, ''));
  const { lines } = await head.findLines([...new Set(names)], { pathspecs: manifestPathspecs });
  const changed = new Map(change.files.map((file) => [file.path, file]));
  for (const manifest of new Set(lines.map(({ path }) => path))) {
    if (ended?.aborted) break;
    const text = await head.read(manifest);
    if (text === undefined || isFixture(manifest)) continue;
    for (const named of await filesNamedBy(manifest, text)) {
      const file = named.paths.map((each) => gone.get(each)).find((each) => each !== undefined);
      if (file === undefined || named.paths.some((each) => there.has(each))) continue;
      // If Git ignores the path now, a tool generates the file from now on.
      if (await ignored.isIgnored(file.oldPath ?? file.path)) continue;
      const line = text.slice(0, text.indexOf(named.text)).split('\n').length;
      if (changed.get(manifest)?.addedLines.has(line) === true) continue;
      const places = found.get(file) ?? [];
      if (!places.some((place) => place.path === manifest && place.line === line))
        found.set(file, [...places, { path: manifest, line, text: 'refers to it' }]);
    }
  }
  return found;
}
