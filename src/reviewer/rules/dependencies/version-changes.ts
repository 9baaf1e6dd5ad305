import type { DependencyChange, Ecosystem } from '../../review-report.ts';
import { type DependencyFile, isLocalRange, type LockedPackage } from './dependency-file.ts';
import { type DependencyTree, type FilePair, folderOf } from './read-files.ts';
import { compareVersions } from './versions/versions.ts';

/** A change of one package's version in one file. */
export interface VersionChange extends Omit<DependencyChange, 'vulnerabilities'> {
  readonly ecosystem: Ecosystem;
  /** The file that has the version. */
  readonly path: string;
  /** Its line in the new version; null if it was removed. */
  readonly line: number | null;
}

/** The pinned packages of a file, and the requirements of a manifest, with the range as the version. */
function versionsIn({ packages, requirements }: DependencyFile): readonly LockedPackage[] {
  if (requirements.length === 0) return packages;
  return [
    ...packages,
    ...requirements.map(({ name, range, line }) => ({ name, version: range, line, isDirect: true })),
  ];
}

/** Finds the packages whose versions differ between the old and the new files. */
export async function findVersionChanges(
  pairs: readonly FilePair[],
  head: DependencyTree,
): Promise<VersionChange[]> {
  const changes: VersionChange[] = [];
  for (const pair of pairs) {
    // If the lock file is changed as well, its versions are more precise than ranges, for the packages that it knows.
    const locks = pair.kind.role === 'manifest' ? pairs.filter((other) => isLockOf(other, pair)) : [];
    const locked = new Set(locks.flatMap(({ before, after }) => [...namesIn(before), ...namesIn(after)]));
    const isLocked = ({ name, version }: LockedPackage) =>
      locks.length > 0 && (locked.has(name.toLowerCase()) || isLocalRange(version));
    const manifests = pair.kind.role === 'lock' ? await askedIn(pair, head) : new Map<string, string>();
    const [before, after] = [pair.before, pair.after].map((file) =>
      Map.groupBy(
        versionsIn(file).filter((each) => !isLocked(each)),
        ({ name }) => name,
      ),
    ) as [Map<string, LockedPackage[]>, Map<string, LockedPackage[]>];
    for (const name of new Set([...before.keys(), ...after.keys()]))
      for (const [was, is] of pairVersions(
        pair.kind.ecosystem,
        before.get(name) ?? [],
        after.get(name) ?? [],
      )) {
        const isDirect = (is ?? was)!.isDirect ?? manifests.has(name);
        changes.push({
          ecosystem: pair.kind.ecosystem,
          name,
          from: was?.version ?? null,
          to: is?.version ?? null,
          kind: kindOfChange(pair.kind.ecosystem, was?.version, is?.version),
          direct: isDirect,
          manifest: (isDirect ? manifests.get(name) : undefined) ?? pair.path,
          licence: (is ?? was)!.licence ?? null,
          path: pair.path,
          line: is?.line ?? null,
        });
      }
  }
  return changes.sort(mostTellingFirst);
}

/** Whether a pair is the changed lock file above a manifest. */
function isLockOf(other: FilePair, { path, kind }: FilePair): boolean {
  const folder = folderOf(other.path);
  return (
    other.kind.role === 'lock' &&
    other.kind.ecosystem === kind.ecosystem &&
    other.after.packages.length > 0 &&
    (folder === '' || path.startsWith(`${folder}/`))
  );
}

/** All names that a lock file has an entry for, in lower case. */
function namesIn({ packages, answers = new Set(), asked = new Map() }: DependencyFile): string[] {
  const answered = [...answers].map((each) => each.replace(/(?!^)@.*$/, ''));
  const required = [...asked.values()].flatMap((ranges) => [...ranges.keys()]);
  return [...packages.map(({ name }) => name), ...answered, ...required].map((name) => name.toLowerCase());
}

/** The manifests that require the packages of a lock file, by package; of several, the nearest to the lock file. */
async function askedIn({ path, kind }: FilePair, head: DependencyTree): Promise<ReadonlyMap<string, string>> {
  const asked = new Map<string, string>();
  for (const manifest of await head.find(kind.ecosystem, 'manifest', folderOf(path), 'below'))
    for (const { name } of (await head.read(manifest))?.requirements ?? [])
      if (!asked.has(name)) asked.set(name, manifest);
  return asked;
}

type VersionPair = readonly [was: LockedPackage | undefined, is: LockedPackage | undefined];

/** Pairs removed versions with added ones, in version order. Unchanged versions are left out. */
function pairVersions(
  ecosystem: Ecosystem,
  before: readonly LockedPackage[],
  after: readonly LockedPackage[],
): VersionPair[] {
  const distinct = (some: readonly LockedPackage[], others: readonly LockedPackage[]) => {
    const known = new Set(others.map(({ version }) => version));
    const left = new Map(
      some.filter(({ version }) => !known.has(version)).map((each) => [each.version, each]),
    );
    return [...left.values()].sort((a, b) => compareVersions(ecosystem, a.version, b.version) ?? 0);
  };
  const [gone, come] = [distinct(before, after), distinct(after, before)];
  return Array.from({ length: Math.max(gone.length, come.length) }, (_, index) => [gone[index], come[index]]);
}

/** The kind of a change. If versions cannot be compared, such as commits, it counts as an upgrade. */
function kindOfChange(
  ecosystem: Ecosystem,
  from: string | undefined,
  to: string | undefined,
): DependencyChange['kind'] {
  if (from === undefined) return 'added';
  if (to === undefined) return 'removed';
  const order =
    compareVersions(ecosystem, from, to) ?? compareVersions(ecosystem, lowestOf(from), lowestOf(to));
  return order !== undefined && order > 0 ? 'downgraded' : 'upgraded';
}

/** The first version in a range, completed to three numbers. */
function lowestOf(range: string): string {
  const [numbers = ''] = /\d[\w.+-]*/.exec(range) ?? [];
  return /^\d+$/.test(numbers) ? `${numbers}.0.0` : /^\d+\.\d+$/.test(numbers) ? `${numbers}.0` : numbers;
}

function mostTellingFirst(a: VersionChange, b: VersionChange): number {
  return (
    Number(b.direct) - Number(a.direct) ||
    (a.name < b.name ? -1 : a.name > b.name ? 1 : 0) ||
    (a.path < b.path ? -1 : 1)
  );
}
