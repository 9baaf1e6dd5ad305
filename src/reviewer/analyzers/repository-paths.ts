/** Maps an analyzer's path to a path in the repository; null if there is no such file. */
export type FindFile = (path: string) => string | null;

/** The prefix of paths that leave every root of a log, one per step up, see `lib/sarif/file-path.ts`. */
const outside = /^(?:\(outside\)\/)+/;
const absolute = /^(?:\/|[A-Za-z]:\/)/;

/**
 * Analyzers write absolute paths, or paths relative to their working directory or to a source folder. A path that exists in
 * the repository is used as it is. For absolute paths, and for paths that go up to the root of the file system first, the
 * root of the checkout is the folder that fits most of them. Any other path is the only file that ends with it, if unique.
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

/** The folder, with its trailing slash, relative to which most paths exist in the repository; on a tie the shortest. */
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
