import { linearTest } from '../../../lib/patterns/linear-pattern.ts';
import { UnsupportedPattern } from '../../../lib/patterns/pattern-syntax.ts';
import { type OwnersDialect, type OwnersLine, ownersGlob, ownersIn, readOwnersLine } from './owners-line.ts';

export type { OwnersDialect };

/** The owners of a path, as the file names them: `@bob`, `@acme/shop` or an address. */
export type OwnersOf = (path: string) => readonly string[];

/** Where hosts look for the file; each takes the first that exists. */
export const ownersFiles: Readonly<Record<OwnersDialect, readonly string[]>> = {
  github: ['.github/CODEOWNERS', 'CODEOWNERS', 'docs/CODEOWNERS'],
  gitlab: ['CODEOWNERS', 'docs/CODEOWNERS', '.gitlab/CODEOWNERS'],
  gitea: ['CODEOWNERS', 'docs/CODEOWNERS', '.gitea/CODEOWNERS', '.forgejo/CODEOWNERS'],
};

/** Owners of whom some have to approve a path. */
export interface OwnerGroup {
  readonly owners: readonly string[];
  /** How many of them; GitLab lets a section say so. */
  readonly approvals: number;
  /** GitLab: the section is for information. */
  readonly isOptional: boolean;
}

/** What a line says: who owns what it matches. */
interface OwnersRule extends OwnerGroup {
  readonly matches: (path: string) => boolean;
  /** GitLab: nobody of this section owns what it matches, whatever other lines say. */
  readonly isExclusion: boolean;
}

/** What a heading of GitLab says about the lines below it. */
interface Heading extends Omit<OwnerGroup, 'owners'> {
  readonly section: string;
  readonly defaults: readonly string[];
}

/** More than anybody maintains by hand. */
const maxRules = 20_000;
const maxApprovals = 100;
const headingLine = /^(\^)?\[([^\]]+)\](?:\[(\d+)\])?\s*(.*)$/;

/** Reads the file as its host does. Lines that nobody can read own nothing. */
export function readOwners(text: string, dialect: OwnersDialect): OwnersOf {
  const groupsOf = readOwnerGroups(text, dialect);
  return (path) => [...new Set(groupsOf(path).flatMap(({ owners }) => owners))];
}

/** The same, with who stands for whom: each group has to approve for itself. */
export function readOwnerGroups(
  text: string,
  dialect: OwnersDialect,
): (path: string) => readonly OwnerGroup[] {
  const sections = [...readSections(text, dialect).values()];
  return (path) =>
    sections.flatMap((rules) => {
      const deciding = decidingRules(rules, path, dialect);
      const owners = [...new Set(deciding.flatMap((rule) => rule.owners))];
      if (owners.length === 0) return [];
      return [{ owners, approvals: deciding[0]!.approvals, isOptional: rules.every(isOptional) }];
    });
}

/** GitLab: a section is required if it is called so anywhere. */
const isOptional = (rule: OwnersRule) => rule.isOptional;

function decidingRules(
  rules: readonly OwnersRule[],
  path: string,
  dialect: OwnersDialect,
): readonly OwnersRule[] {
  if (dialect === 'gitea') return rules.filter(({ matches }) => matches(path));
  if (rules.some(({ isExclusion, matches }) => isExclusion && matches(path))) return [];
  const last = rules.findLast(({ matches }) => matches(path));
  return last === undefined ? [] : [last];
}

/** The rules of each section; only GitLab has more than one. */
function readSections(text: string, dialect: OwnersDialect): ReadonlyMap<string, readonly OwnersRule[]> {
  const sections = new Map<string, OwnersRule[]>();
  let heading: Heading = { section: '', approvals: 1, isOptional: false, defaults: [] };
  let count = 0;
  for (const line of text.split(/\r?\n/)) {
    const begun = dialect === 'gitlab' ? headingLine.exec(line.trim()) : null;
    if (begun !== null) heading = readHeading(begun);
    const entry = begun === null && count < maxRules ? readOwnersLine(line, dialect) : undefined;
    if (entry === undefined) continue;
    count += 1;
    const matches = matcherOf(entry, dialect);
    if (matches === undefined) continue;
    const { section, defaults, ...group } = heading;
    const isExclusion = dialect === 'gitlab' && entry.isNegated;
    const owners = isExclusion ? [] : (entry.owners ?? defaults);
    const rules = sections.get(section) ?? [];
    rules.push({ ...group, owners, matches, isExclusion });
    sections.set(section, rules);
  }
  return sections;
}

function readHeading([, optional, name, approvals = '1', defaults]: RegExpExecArray): Heading {
  return {
    section: name!.trim().toLowerCase(),
    approvals: Math.min(Math.max(Number(approvals), 1), maxApprovals),
    isOptional: optional !== undefined,
    defaults: ownersIn(defaults!),
  };
}

/** What a line matches; undefined where its pattern cannot be read. */
function matcherOf(
  { pattern, isNegated }: OwnersLine,
  dialect: OwnersDialect,
): ((path: string) => boolean) | undefined {
  try {
    // Gitea: as it is written there, so of `a|b` each half is tied to one end only.
    if (dialect !== 'gitea') return linearTest(ownersGlob(pattern, dialect));
    const matches = linearTest(`^${pattern.replace(/^\//, '')}$`);
    return isNegated ? (path) => !matches(path) : matches;
  } catch (error) {
    if (error instanceof UnsupportedPattern || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** What regular expressions of Go know and ours do not: flags, named classes, classes of letters, other anchors. */
const onlyInGo = /\(\?(?:[imsU-]+[:)]|P<)|\[\[:|\\[pPAzQ]/;

/** How many lines the host reads that nobody can read here; what they own is not known. */
export function countUnread(text: string, dialect: OwnersDialect): number {
  if (dialect !== 'gitea') return 0;
  const lines = text.split(/\r?\n/).map((line) => readOwnersLine(line, dialect));
  return lines.filter((line) => line !== undefined && onlyInGo.test(line.pattern)).length;
}

/** Which host a repository is made for, by the files that it has; where nothing says, GitHub's way is the usual one. */
export function guessDialect(paths: ReadonlySet<string>, text: string): OwnersDialect {
  const has = (start: string) => [...paths].some((path) => path.startsWith(start));
  if (paths.has('.github/CODEOWNERS')) return 'github';
  if (paths.has('.gitlab/CODEOWNERS') || paths.has('.gitlab-ci.yml')) return 'gitlab';
  if (has('.gitea/') || has('.forgejo/')) return 'gitea';
  return text.split('\n').some((line) => headingLine.test(line.trim())) ? 'gitlab' : 'github';
}
