import type { PlacedFinding } from '../../rule-source.ts';
import type { LockedPackage } from './dependency-file.ts';
import { named, raise } from './dependency-rules.ts';
import type { FilePair } from './read-files.ts';

/** Makes one finding for several packages in a file, placed at the first one. */
function together(
  rule: 'source-changed' | 'install-script',
  { path }: FilePair,
  packages: readonly LockedPackage[],
  say: (names: string, isOne: boolean) => string,
): PlacedFinding {
  const [first, ...others] = packages as [LockedPackage, ...LockedPackage[]];
  const names = [...new Set(packages.map(({ name }) => name))];
  const related = others.map(({ name, line }) => ({ path, startLine: line, endLine: line, text: name }));
  return raise(rule, { path, line: first.line }, say(named(names), names.length === 1), related);
}

const byName = (packages: readonly LockedPackage[]) => Map.groupBy(packages, ({ name }) => name);

/** Packages that are fetched from another host now. Those with the same old and new host are one finding. */
export function findMoved(pair: FilePair): PlacedFinding[] {
  const before = byName(pair.before.packages);
  const moved = pair.after.packages.filter(({ name, host }) => {
    const hosts = (before.get(name) ?? []).map((each) => each.host);
    return host !== undefined && hosts.length > 0 && !hosts.includes(undefined) && !hosts.includes(host);
  });
  const routeOf = ({ name, host }: LockedPackage) => `${before.get(name)![0]!.host}\0${host}`;
  return [...Map.groupBy(moved, routeOf)].map(([route, packages]) => {
    const [from, to] = route.split('\0');
    return together(
      'source-changed',
      pair,
      packages,
      (names, isOne) => `${names} ${isOne ? 'is' : 'are'} now fetched from ${to} instead of ${from}`,
    );
  });
}

/** Packages that have lost their checksum, as one finding. */
export function findUnchecked(pair: FilePair): PlacedFinding[] {
  const before = byName(pair.before.packages);
  const unchecked = pair.after.packages.filter(
    ({ name, hasChecksum }) =>
      hasChecksum === false && before.get(name)?.every((each) => each.hasChecksum === true) === true,
  );
  if (unchecked.length === 0) return [];
  return [
    together(
      'source-changed',
      pair,
      unchecked,
      (names, isOne) => `${names} no longer ${isOne ? 'has' : 'have'} a checksum`,
    ),
  ];
}

/** Added packages that run a script when they are installed. More than three of them are one finding. */
export function findScripts(pair: FilePair): PlacedFinding[] {
  const before = byName(pair.before.packages);
  const added = pair.after.packages.filter(
    ({ name, runsScript }) => runsScript === true && !before.has(name),
  );
  const say = (names: string, isOne: boolean) =>
    `According to the lock file, ${names} ${isOne ? 'runs a script when it is' : 'run scripts when they are'} installed`;
  const distinct = [...new Map(added.map((each) => [each.name, each])).values()];
  if (distinct.length > 3) return [together('install-script', pair, distinct, say)];
  return distinct.map((each) => together('install-script', pair, [each], say));
}

const hex = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/i;
const trusted = new Set(['actions', 'github']);

/** Third-party actions that are new or no longer pinned: they are named by a tag or branch, which can be moved. */
export function findUnpinned(pair: FilePair, owner: string | undefined): PlacedFinding[] {
  if (pair.kind.ecosystem !== 'GitHub Actions') return [];
  const isMovable = ({ version }: LockedPackage) => !hex.test(version);
  const before = new Set(pair.before.packages.filter(isMovable).map(({ name }) => name));
  const isOfOthers = (whose: string) => !trusted.has(whose) && whose !== owner?.toLowerCase();
  return pair.after.packages
    .filter((each) => isMovable(each) && isOfOthers(each.name.split('/')[0]!) && !before.has(each.name))
    .map(({ name, version, line }) =>
      raise('unpinned-action', { path: pair.path, line }, `\`${name}@${version}\` refers to a tag or branch`),
    );
}
