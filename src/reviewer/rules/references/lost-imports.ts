import type { Change, ChangedFile } from '../../change/change.ts';
import type { Language } from '../../code/language.ts';
import type { RepositoryCode } from '../../code/repository-code.ts';
import { type ImportLeft, importsLeftBy } from './imports-left.ts';

export interface LostFile {
  readonly file: ChangedFile;
  /** Imports of it that the change did not touch. */
  readonly lost: readonly { readonly path: string; readonly line: number }[];
}

/** Finds files that the change deletes or moves, and that others still import. */
export async function findLostImports(
  change: Change,
  base: RepositoryCode,
  head: RepositoryCode,
  ended?: AbortSignal,
): Promise<LostFile[]> {
  const gone = change.files.filter((file) => isGone(file) && canBeImported(file, base.language));
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
      for (const left of await importsOf(importer)) {
        const { path, line } = left;
        // All names of one import statement have the same place.
        if (lost.some((each) => each.path === path && each.line === line)) continue;
        if (await isLost(left, wanted, base, head)) lost.push({ path, line });
      }
    }
    if (lost.length > 0) found.push({ file, lost });
  }
  return found;
}

/** Whether an import led to the file, directly or as a member of its package, and cannot be resolved now. */
async function isLost(
  { importer, from, imported, path }: ImportLeft,
  wanted: string,
  base: RepositoryCode,
  head: RepositoryCode,
): Promise<boolean> {
  const before = await base.resolve(importer, from);
  if (before.kind !== 'file') return false;
  if (before.path === wanted) return (await head.resolve(path, from)).kind === 'missing';
  const part = await base.resolver.memberFile?.(before.path, imported);
  return part === wanted && (await head.importFault(path, from, imported)) !== null;
}

/** Whether the file was deleted or moved. */
export function isGone({ kind, path, oldPath }: ChangedFile): boolean {
  return kind === 'deleted' || (kind === 'renamed' && oldPath !== path);
}

/** Whether files of the language can import such a file: code of the language, or one of its assets. */
export function canBeImported({ path, oldPath }: ChangedFile, { covers, assets }: Language): boolean {
  return covers(oldPath ?? path) || assets?.test(oldPath ?? path) === true;
}

/** The last part of a file's name in imports, which may leave out the extension of code or data. */
function stemOf(path: string): string {
  const parts = path.split('/');
  if (!/\.(?:[cm]?[jt]sx?|json|vue|svelte|pyi?|go)$/.test(path)) return parts.at(-1)!;
  const name = parts.at(-1)!.replace(/(?:\.d)?\.[^.]+$/, '');
  return /^(?:index|__init__)$/.test(name) ? (parts.at(-2) ?? name) : name;
}
