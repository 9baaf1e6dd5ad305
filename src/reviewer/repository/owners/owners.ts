import { type LinearPattern, linearPattern } from '../../../lib/patterns/linear-pattern.ts';
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

/** What all patterns of a file may take up together: more lines than anybody maintains by hand, and a fraction of a second for a path. */
const maxStates = 1_000_000;
const maxApprovals = 100;
const headingLine = /^(\^)?\[([^\]]+)\](?:\[(\d+)\])?\s*(.*)$/;

/** What a CODEOWNERS says. */
export interface OwnersFile {
  /** Who owns a path, with who stands for whom: each group has to approve for itself. */
  readonly groupsOf: (path: string) => readonly OwnerGroup[];
  /** How many lines the host reads that cannot be read here; what they own is not known. */
  readonly unreadLines: number;
}

/** Reads the file as its host does. */
export function readOwnersFile(text: string, dialect: OwnersDialect): OwnersFile {
  const { sections, unreadLines } = readSections(text, dialect);
  const groupsOf = (path: string) =>
    [...sections.values()].flatMap((rules) => {
      const deciding = decidingRules(rules, path, dialect);
      const owners = [...new Set(deciding.flatMap((rule) => rule.owners))];
      if (owners.length === 0) return [];
      return [{ owners, approvals: deciding[0]!.approvals, isOptional: rules.every(isOptional) }];
    });
  return { groupsOf, unreadLines };
}

/** The same, without who stands for whom. Lines that cannot be read own nothing. */
export function readOwners(text: string, dialect: OwnersDialect): OwnersOf {
  const { groupsOf } = readOwnersFile(text, dialect);
  return (path) => [...new Set(groupsOf(path).flatMap(({ owners }) => owners))];
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
function readSections(text: string, dialect: OwnersDialect) {
  const sections = new Map<string, OwnersRule[]>();
  let heading: Heading = { section: '', approvals: 1, isOptional: false, defaults: [] };
  let unreadLines = 0;
  let room = maxStates;
  for (const line of text.split(/\r?\n/)) {
    const begun = dialect === 'gitlab' ? headingLine.exec(line.trim()) : null;
    if (begun !== null) heading = readHeading(begun);
    const entry = begun === null ? readOwnersLine(line, dialect) : undefined;
    const pattern = entry && (room > 0 ? readPattern(entry, dialect) : 'unread');
    if (entry === undefined || pattern === undefined) continue;
    if (pattern === 'unread') {
      unreadLines += 1;
      continue;
    }
    room -= pattern.states;
    const { section, defaults, ...group } = heading;
    const isExclusion = dialect === 'gitlab' && entry.isNegated;
    const isInverted = dialect === 'gitea' && entry.isNegated;
    const { test } = pattern;
    const matches = isInverted ? (path: string) => !test(path) : test;
    const owners = isExclusion ? [] : (entry.owners ?? defaults);
    const rules = sections.get(section) ?? [];
    rules.push({ ...group, owners, matches, isExclusion });
    sections.set(section, rules);
  }
  return { sections, unreadLines };
}

function readHeading([, optional, name, approvals = '1', defaults]: RegExpExecArray): Heading {
  return {
    section: name!.trim().toLowerCase(),
    approvals: Math.min(Math.max(Number(approvals), 1), maxApprovals),
    isOptional: optional !== undefined,
    defaults: ownersIn(defaults!),
  };
}

/** What regular expressions of Go know and ours do not: flags, named classes, classes of letters, other anchors. */
const onlyInGo = /\(\?(?:[imsU-]+[:)]|P<)|\[\[:|\\[pPAzQ]/;

/** The pattern of a line; undefined where it has a fault, for the host as well. */
function readPattern({ pattern }: OwnersLine, dialect: OwnersDialect): LinearPattern | 'unread' | undefined {
  if (dialect === 'gitea' && onlyInGo.test(pattern)) return 'unread';
  // Gitea: as it is written there, so of `a|b` each half is tied to one end only.
  const source = dialect === 'gitea' ? `^${pattern.replace(/^\//, '')}$` : ownersGlob(pattern, dialect);
  try {
    return linearPattern(source);
  } catch (error) {
    if (error instanceof UnsupportedPattern) return 'unread';
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Which host a repository is made for, by the files that it has; where nothing says, GitHub's way is the usual one. */
export function guessDialect(paths: ReadonlySet<string>, text: string): OwnersDialect {
  const has = (start: string) => [...paths].some((path) => path.startsWith(start));
  if (paths.has('.github/CODEOWNERS')) return 'github';
  if (paths.has('.gitlab/CODEOWNERS') || paths.has('.gitlab-ci.yml')) return 'gitlab';
  if (has('.gitea/') || has('.forgejo/')) return 'gitea';
  return text.split('\n').some((line) => headingLine.test(line.trim())) ? 'gitlab' : 'github';
}
