import type { Change, ChangedFile, HunkLine } from '../../change/change.ts';
import { isFixture } from '../../change/file-kinds.ts';
import type { Language } from '../../code/language.ts';
import type { RepositoryCode } from '../../code/repository-code.ts';
import { importsLeftBy } from './imports-left.ts';

/** A package that the change removes from a manifest and that is still imported. */
export interface LostPackage {
  readonly name: string;
  readonly manifest: ChangedFile;
  /** The line that named it, in the old version. */
  readonly line: number;
  /** Imports that the change did not touch. */
  readonly lost: readonly { readonly path: string; readonly line: number }[];
}

/** Finds packages that a manifest no longer names although imports that the change did not touch depend on it. */
export async function findLostPackages(
  change: Change,
  base: RepositoryCode,
  head: RepositoryCode,
  ended?: AbortSignal,
): Promise<LostPackage[]> {
  const named = change.files.flatMap((file) => removedPackages(file, base.language));
  if (named.length === 0) return [];
  const importsOf = importsLeftBy(change, base, head);
  const { lines } = await base.tree.findLines([...new Set(named.map(({ name }) => name))], {
    pathspecs: base.language.pathspecs,
  });
  const importers = [...new Set(lines.map(({ path }) => path))].filter((path) => !isFixture(path));
  const lost = new Map<string, { path: string; line: number }[]>();
  for (const importer of importers) {
    if (ended?.aborted) break;
    for (const { from, path, line } of await importsOf(importer)) {
      const now = await head.resolve(path, from);
      if (now.kind !== 'package' || now.isDeclared) continue;
      const before = await base.resolve(importer, from);
      if (before.kind !== 'package' || !before.isDeclared) continue;
      const known = lost.get(now.name) ?? [];
      const isKnown = known.some((each) => each.path === path && each.line === line);
      if (!isKnown && !(await head.isGenerated(path))) lost.set(now.name, [...known, { path, line }]);
    }
  }
  const isOf = (name: string) => (found: string) => found === name || found.startsWith(`${name}/`);
  return named.flatMap((each) => {
    const own = [...lost.keys()].filter(isOf(each.name));
    const places = own.flatMap((found) => lost.get(found)!);
    // Each package is reported once, for the first manifest that named it.
    for (const found of own) lost.delete(found);
    return places.length === 0 ? [] : [{ ...each, lost: places }];
  });
}

/** The packages that removed lines of a manifest named, and that no added line names. */
export function removedPackages(manifest: ChangedFile, language: Language): Omit<LostPackage, 'lost'>[] {
  const file = manifest.oldPath;
  if (file === null) return [];
  const lines = manifest.hunks.flatMap((hunk) => hunk.lines);
  const namedBy = (kind: HunkLine['kind']) =>
    lines
      .filter((line) => line.kind === kind)
      .flatMap(({ text, oldLine }) =>
        language.packagesNamed(file, text).map((name) => ({ name, manifest, line: oldLine ?? 0 })),
      );
  const kept = new Set(namedBy('added').map(({ name }) => name));
  return namedBy('removed').filter(({ name }) => !kept.has(name));
}
