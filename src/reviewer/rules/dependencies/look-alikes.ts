import type { Ecosystem } from '../../review-report.ts';
import type { PlacedFinding } from '../../rule-source.ts';
import type { DependencyFile } from './dependency-file.ts';
import { raise } from './dependency-rules.ts';
import type { DependencyTree, FilePair } from './read-files.ts';

/** Shorter names are similar by chance. */
const minLetters = 5;
const maxLength = 100;

/** Well-known packages whose names are similar for good reasons. */
const knownPairs = new Set(
  [
    'react preact',
    'color colors',
    'request requests',
    'requests grequests',
    'redis ioredis',
    'mysql mysqlx',
    'jsonpath jsonpatch',
    'echarts recharts',
    'inquirer enquirer',
    'eslint tslint',
    'stylus stylis',
    'memoize memoizee',
  ].flatMap((pair) => [pair, pair.split(' ').reverse().join(' ')]),
);

/** The names that a manifest requires, whether or not it pins their versions. */
function namesIn({ packages, requirements }: DependencyFile) {
  return [...packages.filter(({ isDirect }) => isDirect === true), ...requirements];
}

/** Added names in manifests that differ from another dependency of the repository by one letter. */
export async function findLookAlikes(pair: FilePair, head: DependencyTree): Promise<PlacedFinding[]> {
  const { ecosystem, role } = pair.kind;
  if (role !== 'manifest' || ecosystem === 'GitHub Actions') return [];
  const before = new Set(namesIn(pair.before).map(({ name }) => name));
  const added = namesIn(pair.after).filter(({ name }) => !before.has(name));
  if (added.length === 0) return [];
  const others = new Map<string, string>();
  for (const { name } of namesIn(pair.after)) others.set(name, pair.path);
  for (const manifest of await head.find(ecosystem, 'manifest', '', 'below'))
    for (const { name } of namesIn((await head.read(manifest)) ?? { packages: [], requirements: [] }))
      if (!others.has(name)) others.set(name, manifest);
  const found = new Map<string, PlacedFinding>();
  for (const { name, line } of added) {
    const twin = [...others.keys()].find((other) => areAlike(ecosystem, name, other));
    // If two similar names are both new, only the first is reported.
    if (twin === undefined || found.has(twin)) continue;
    const where = others.get(twin) === pair.path ? '' : ` in \`${others.get(twin)}\``;
    found.set(
      name,
      raise('look-alike', { path: pair.path, line }, `\`${name}\` looks like \`${twin}\`${where}`),
    );
  }
  return [...found.values()];
}

/** Whether two names differ by one letter, a doubled letter, or `-` and `_`. Names of one owner are never suspicious. */
export function areAlike(ecosystem: Ecosystem, a: string, b: string): boolean {
  if (a === b || a.length > maxLength || b.length > maxLength || knownPairs.has(`${a} ${b}`)) return false;
  if (lettersOf(a) < minLetters || lettersOf(b) < minLetters) return false;
  const [owner, otherOwner] = [ownerOf(ecosystem, a), ownerOf(ecosystem, b)];
  if (owner !== '' && owner === otherOwner) return false;
  if (a.replaceAll(/[-_]/g, '') === b.replaceAll(/[-_]/g, '')) return true;
  return differByOneLetter(a, b);
}

const lettersOf = (name: string) => name.replaceAll(/[^\p{L}]/gu, '').length;

function ownerOf(ecosystem: Ecosystem, name: string): string {
  const separator = ecosystem === 'Maven' ? ':' : ecosystem === 'NuGet' ? '.' : '/';
  const end = name.lastIndexOf(separator);
  return end === -1 ? '' : name.slice(0, end);
}

/** Whether one letter is added, removed or replaced. Digits do not count, because they are versions. */
function differByOneLetter(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  let [endA, endB] = [a.length, b.length];
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) {
    endA -= 1;
    endB -= 1;
  }
  const [one, other] = [a.slice(start, endA), b.slice(start, endB)];
  return one.length <= 1 && other.length <= 1 && /^\p{L}*$/u.test(one + other);
}
