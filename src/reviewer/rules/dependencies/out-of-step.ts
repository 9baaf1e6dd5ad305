import type { Ecosystem } from '../../review-report.ts';
import type { PlacedFinding } from '../../rule-source.ts';
import { type DependencyFile, isLocalRange, type Requirement } from './dependency-file.ts';
import { type DependencyPlace, raise } from './dependency-rules.ts';
import { type DependencyTree, type FilePair, folderOf } from './read-files.ts';
import { satisfies } from './versions/satisfies.ts';

interface Misfit {
  readonly name: string;
  readonly message: string;
  /** The line of the requirement in the manifest; null if the manifest does not have it. */
  readonly line: number | null;
}

const maxSingle = 3;

/** Finds requirements that a lock file does not match, and packages that are no longer required, if the change caused it. */
export async function findOutOfStep(
  pairs: readonly FilePair[],
  base: DependencyTree,
  head: DependencyTree,
): Promise<PlacedFinding[]> {
  const findings: PlacedFinding[] = [];
  for (const [manifest, lock] of await changedCouples(pairs, head)) {
    const now = await misfitsBetween(manifest, lock, head);
    if (now.length === 0) continue;
    const formerly = (name: string) => pairs.find((pair) => pair.path === name)?.file.oldPath ?? name;
    const then = await misfitsBetween(formerly(manifest), formerly(lock), base);
    const known = new Set(then.map(({ message }) => message));
    const changed = pairs.find(({ path, file }) => path === manifest && file.kind !== 'deleted');
    const fresh = now.filter(({ message }) => !known.has(message));
    const placed: { misfit: Misfit; place: DependencyPlace }[] = [];
    for (const misfit of fresh) {
      const place =
        changed === undefined
          ? { path: lock, line: await lineIn(head, lock, misfit.name) }
          : placeIn(changed, misfit);
      placed.push({ misfit, place });
    }
    findings.push(...raiseAll(placed, changed === undefined ? manifest : lock));
  }
  return findings;
}

/** The line of the requirement. If the change removed it, its line in the old version. */
function placeIn({ path, file, before }: FilePair, { name, line }: Misfit): DependencyPlace {
  if (line !== null) return { path, line };
  const asked = before.requirements.find((each) => each.name === name)?.line;
  const isGone = file.hunks.some(({ lines }) =>
    lines.some(({ kind, oldLine }) => kind === 'removed' && oldLine === asked),
  );
  return isGone ? { path, side: 'old', line: asked! } : { path, line: null };
}

/** Many mismatches have one cause, a lock file that was not updated, and become one finding. */
function raiseAll(
  placed: readonly { readonly misfit: Misfit; readonly place: DependencyPlace }[],
  other: string,
): PlacedFinding[] {
  if (placed.length <= maxSingle)
    return placed.map(({ misfit, place }) => raise('out-of-step', place, `\`${other}\`: ${misfit.message}`));
  const [first, ...others] = placed;
  const related = others.flatMap(({ misfit, place: { path, line, side } }) =>
    line === null || side === 'old' ? [] : [{ path, startLine: line, endLine: line, text: misfit.message }],
  );
  const more = `, and ${others.length} others do not match either`;
  return [raise('out-of-step', first!.place, `\`${other}\`: ${first!.misfit.message}${more}`, related)];
}

async function lineIn(head: DependencyTree, lock: string, name: string): Promise<number | null> {
  return (await head.read(lock))?.packages.find((each) => each.name === name)?.line ?? null;
}

/** Pairs of a manifest and its lock file, at least one of which is in the change. */
async function changedCouples(
  pairs: readonly FilePair[],
  head: DependencyTree,
): Promise<readonly (readonly [manifest: string, lock: string])[]> {
  const couples = new Map<string, readonly [string, string]>();
  const put = (manifest: string, lock: string) => couples.set(`${manifest}\0${lock}`, [manifest, lock]);
  for (const { path, kind, file } of pairs) {
    if (file.kind === 'deleted') continue;
    if (kind.role === 'lock')
      for (const manifest of await head.find(kind.ecosystem, 'manifest', folderOf(path), 'below'))
        put(manifest, path);
    else
      for (const folder of foldersAbove(path))
        for (const lock of await head.find(kind.ecosystem, 'lock', folder, 'here')) put(path, lock);
  }
  return [...couples.values()];
}

function foldersAbove(name: string): string[] {
  const folders = [folderOf(name)];
  while (folders.at(-1) !== '') folders.push(folderOf(folders.at(-1)!));
  return folders;
}

async function misfitsBetween(
  manifestPath: string,
  lockPath: string,
  tree: DependencyTree,
): Promise<Misfit[]> {
  const [manifest, lock] = [await tree.read(manifestPath), await tree.read(lockPath)];
  if (manifest === undefined || lock === undefined) return [];
  const folder = folderOf(lockPath);
  const from = folderOf(manifestPath).slice(folder === '' ? 0 : folder.length + 1);
  if (/(?:^|\/)go\.sum$/.test(lockPath)) return from === '' ? goMisfits(manifest, lock, lockPath, tree) : [];
  if (/(?:^|\/)packages\.lock\.json$/.test(lockPath))
    return from === '' && manifestPath.endsWith('proj') ? nugetMisfits(manifest, lock, folder, tree) : [];
  // Files of different tools can be in one folder, such as a Pipfile and a lock file of Poetry.
  if (!belongTogether(manifestPath, lockPath)) return [];
  const then = lock.asked?.get(from);
  if (then !== undefined) return misfitsWith(manifest, lock, then);
  if (lock.asked !== undefined || lock.answers === undefined) return [];
  const isMember =
    from === '' ||
    (manifest.ownName !== undefined && lock.answers.has(manifest.ownName) && lockPath.endsWith('Cargo.lock'));
  return isMember ? manifest.requirements.flatMap((each) => misfitOf(each, lockPath, manifest, lock)) : [];
}

const couples: readonly (readonly [manifest: RegExp, lock: RegExp])[] = [
  [/package\.json$/, /(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml)$/],
  [/pyproject\.toml$/, /(?:poetry|pdm|uv)\.lock$/],
  [/Pipfile$/, /Pipfile\.lock$/],
  [/Cargo\.toml$/, /Cargo\.lock$/],
  [/Gemfile$/, /Gemfile\.lock$/],
  [/composer\.json$/, /composer\.lock$/],
];

function belongTogether(manifest: string, lock: string): boolean {
  return couples.some(([one, other]) => one.test(manifest) && other.test(lock));
}

/** Compares a lock file that records its requirements with the current requirements. */
function misfitsWith(
  manifest: DependencyFile,
  lock: DependencyFile,
  then: ReadonlyMap<string, string | null>,
): Misfit[] {
  const isElsewhere = (name: string) =>
    manifest.overridden?.has(name) === true || lock.overridden?.has(name) === true;
  const misfits = manifest.requirements.flatMap(({ name, range, line }): Misfit[] => {
    if (isElsewhere(name) || isLocalRange(range)) return [];
    const asked = then.get(name);
    if (asked === undefined)
      return [{ name, line, message: `it does not contain \`${name}\`, which is required` }];
    if (asked === null || asked === range) return [];
    return [{ name, line, message: `it was created for \`${name}\` ${shown(asked)}, not ${shown(range)}` }];
  });
  const names = new Set(manifest.requirements.map(({ name }) => name));
  const left = [...then.keys()].filter(
    (name) => !names.has(name) && !isElsewhere(name) && manifest.mentioned?.has(name) !== true,
  );
  return [
    ...misfits,
    ...left.map((name) => ({
      name,
      line: null,
      message: `it contains \`${name}\`, which is no longer required`,
    })),
  ];
}

const shown = (range: string) => (range === '' ? 'in any version' : `\`${range}\``);

/** Lock files whose versions can be compared with the required ranges. */
const rangesIn: readonly (readonly [lock: RegExp, Ecosystem])[] = [
  [/Cargo\.lock$/, 'crates.io'],
  [/(?:poetry|pdm|Pipfile)\.lock$/, 'PyPI'],
  [/Gemfile\.lock$/, 'RubyGems'],
  [/composer\.lock$/, 'Packagist'],
];

/** Checks a requirement against a lock file that does not record requirements: it must resolve each name. */
function misfitOf(
  { name, range, line }: Requirement,
  lockPath: string,
  manifest: DependencyFile,
  lock: DependencyFile,
): Misfit[] {
  if (isLocalRange(range) || manifest.overridden?.has(name) === true) return [];
  if (lockPath.endsWith('yarn.lock')) {
    const isPlain = /^[~^<>=\d*x]/i.test(range) || range === '' || /^[a-z]+$/.test(range);
    const isThere = lock.answers!.has(`${name}@${range}`) || lock.answers!.has(`${name}@npm:${range}`);
    return !isPlain || isThere
      ? []
      : [{ name, line, message: `it does not contain \`${name}\` ${shown(range)}, which is required` }];
  }
  if (!lock.answers!.has(name))
    return [{ name, line, message: `it does not contain \`${name}\`, which is required` }];
  const held = lock.packages.filter((each) => each.name === name);
  const ecosystem = rangesIn.find(([lock]) => lock.test(lockPath))?.[1];
  if (ecosystem === undefined || held.length === 0) return [];
  if (!held.every(({ version }) => satisfies(ecosystem, version, range) === false)) return [];
  const versions = held.map(({ version }) => version).join(', ');
  return [{ name, line, message: `it contains \`${name}\` ${versions}, not ${shown(range)}` }];
}

/** Modules in `go.mod` without a checksum in `go.sum`, except for those that are part of the repository. */
async function goMisfits(
  manifest: DependencyFile,
  lock: DependencyFile,
  lockPath: string,
  tree: DependencyTree,
): Promise<Misfit[]> {
  const workspace = await tree.read(lockPath.replace(/go\.sum$/, 'go.work.sum'));
  const missing = manifest.packages.filter(
    ({ name, version }) =>
      manifest.overridden?.has(name) !== true &&
      lock.answers?.has(`${name}@${version}`) !== true &&
      workspace?.answers?.has(`${name}@${version}`) !== true,
  );
  if (missing.length === 0) return [];
  const own = new Set<string | undefined>();
  for (const path of await tree.find('Go', 'manifest', '', 'below'))
    own.add((await tree.read(path))?.ownName);
  return missing
    .filter(({ name }) => !own.has(name))
    .map(({ name, version, line }) => ({
      name,
      line,
      message: `it has no checksum for \`${name}\` ${version}`,
    }));
}

/**
 * Only for a project that is alone in its folder. Additional packages in the lock file are fine: they may come from files that
 * the project imports.
 */
async function nugetMisfits(
  manifest: DependencyFile,
  lock: DependencyFile,
  folder: string,
  tree: DependencyTree,
): Promise<Misfit[]> {
  const projects = await tree.find('NuGet', 'manifest', folder, 'here');
  if (projects.filter((each) => each.endsWith('proj')).length !== 1) return [];
  return [...manifest.packages, ...manifest.requirements]
    .filter(({ name }) => !lock.answers!.has(name.toLowerCase()) && manifest.mentioned?.has(name) !== true)
    .map(({ name, line }) => ({ name, line, message: `it does not contain \`${name}\`, which is required` }));
}
