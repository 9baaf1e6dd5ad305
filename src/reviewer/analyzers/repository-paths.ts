/** Finds the file of the repository that an analyzer means; null if it is none. */
export type FindFile = (path: string) => string | null;

/** What steps out of every root of a log are called, see `lib/sarif/file-path.ts`. */
const outside = /^(?:\(outside\)\/)+/;
const absolute = /^(?:\/|[A-Za-z]:\/)/;

/**
 * Analyzers write paths of the machine they ran on, of the folder they ran in, or of a folder with sources. A path that the
 * repository has is that file. Of absolute ones, the folder that fits most of them is taken for the root of the checkout;
 * so it is of those that climb to the root of the machine and down again. Any other is the one file that ends like it, if there
 * is only one.
 */
export function findFiles(inRepository: ReadonlySet<string>, reported: Iterable<string>): FindFile {
  const paths = [...new Set(reported)];
  const root = commonRoot(
    inRepository,
    paths.filter((path) => absolute.test(path)),
  );
  const climbed = commonRoot(
    inRepository,
    paths.filter((path) => outside.test(path)).map((path) => path.replace(outside, '/')),
  );
  const byName = Map.groupBy(inRepository, nameOf);
  const below = (folder: string | undefined, path: string) => {
    const inside = folder !== undefined && path.startsWith(folder) ? path.slice(folder.length) : '';
    return inRepository.has(inside) ? inside : null;
  };
  return (path) => {
    if (inRepository.has(path)) return path;
    if (absolute.test(path)) return below(root, path);
    const wanted = path.replace(outside, '');
    if (inRepository.has(wanted)) return wanted;
    const inside = wanted === path ? null : below(climbed, `/${wanted}`);
    if (inside !== null) return inside;
    const alike = (byName.get(nameOf(wanted)) ?? []).filter((known) => known.endsWith(`/${wanted}`));
    return alike.length === 1 ? alike[0]! : null;
  };
}

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);

/** The folder below which most of the paths are files of the repository, the shortest of several; with its slash. */
function commonRoot(inRepository: ReadonlySet<string>, paths: readonly string[]): string | undefined {
  const votes = new Map<string, number>();
  for (const path of paths)
    for (let slash = path.indexOf('/'); slash !== -1; slash = path.indexOf('/', slash + 1))
      if (inRepository.has(path.slice(slash + 1))) {
        const root = path.slice(0, slash + 1);
        votes.set(root, (votes.get(root) ?? 0) + 1);
      }
  const [best] = [...votes].sort(([a, some], [b, others]) => others - some || a.length - b.length);
  return best?.[0];
}
