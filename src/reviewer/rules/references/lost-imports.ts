import type { Change, ChangedFile } from '../../change/change.ts';
import type { RepositoryCode } from '../../code/repository-code.ts';
import { importsLeftBy } from './imports-left.ts';

export interface LostFile {
  readonly file: ChangedFile;
  /** Imports of it that the change left as they were. */
  readonly lost: readonly { readonly path: string; readonly line: number }[];
}

/** Files that the change deletes or moves and that others still import. */
export async function findLostImports(
  change: Change,
  base: RepositoryCode,
  head: RepositoryCode,
  ended?: AbortSignal,
): Promise<LostFile[]> {
  const gone = change.files.filter(
    ({ kind, path, oldPath }) =>
      (kind === 'deleted' || (kind === 'renamed' && oldPath !== path)) &&
      base.language.covers(oldPath ?? path),
  );
  if (gone.length === 0) return [];
  const importsOf = importsLeftBy(change, base, head);
  const stems = [...new Set(gone.map(({ oldPath, path }) => stemOf(oldPath ?? path)))];
  const { places } = await base.tree.findWords(stems, base.language.pathspecs);
  const placesOf = Map.groupBy(places, ({ word }) => word);
  const found: LostFile[] = [];
  for (const file of gone) {
    const wanted = file.oldPath ?? file.path;
    const lost: { path: string; line: number }[] = [];
    for (const importer of new Set(placesOf.get(stemOf(wanted))?.map(({ path }) => path))) {
      if (ended?.aborted) break;
      for (const { from, path, line } of await importsOf(importer)) {
        const before = await base.resolve(importer, from);
        if (before.kind !== 'file' || before.path !== wanted) continue;
        if ((await head.resolve(path, from)).kind === 'missing') lost.push({ path, line });
      }
    }
    if (lost.length > 0) found.push({ file, lost });
  }
  return found;
}

/** How importers name a file, whose ending they may leave out. */
function stemOf(path: string): string {
  const parts = path.split('/');
  const name = parts.at(-1)!.replace(/(?:\.d)?\.[^.]+$/, '');
  return /^(?:index|__init__)$/.test(name) ? (parts.at(-2) ?? name) : name;
}
