import { type LinearPattern, linearPattern } from '../../../lib/patterns/linear-pattern.ts';
import { UnsupportedPattern } from '../../../lib/patterns/pattern-syntax.ts';
import { type OwnersDialect, type OwnersLine, ownersGlob, ownersIn, readOwnersLine } from './owners-line.ts';

export type { OwnersDialect };

/** The owners of a path, as written in the file: `@bob`, `@acme/shop` or an email address. */
export type OwnersOf = (path: string) => readonly string[];

/** Where hosts look for the file; each uses the first that exists. */
export const ownersFiles: Readonly<Record<OwnersDialect, readonly string[]>> = {
  github: ['.github/CODEOWNERS', 'CODEOWNERS', 'docs/CODEOWNERS'],
  gitlab: ['CODEOWNERS', 'docs/CODEOWNERS', '.gitlab/CODEOWNERS'],
  gitea: ['CODEOWNERS', 'docs/CODEOWNERS', '.gitea/CODEOWNERS', '.forgejo/CODEOWNERS'],
};

/** Owners of whom some must approve changes of a path. */
export interface OwnerGroup {
  readonly owners: readonly string[];
  /** How many of them must approve; in GitLab, a section can set it. */
  readonly approvals: number;
  /** GitLab: approvals in the section are optional. */
  readonly isOptional: boolean;
}

/** A line of the file: the owners of the paths that it matches. */
interface OwnersRule extends OwnerGroup {
  readonly matches: (path: string) => boolean;
  /** GitLab: matching paths have no owners in this section, whatever other lines say. */
  readonly isExclusion: boolean;
}

/** GitLab: a section heading, which applies to the lines below it. */
interface Heading extends Omit<OwnerGroup, 'owners'> {
  readonly section: string;
  readonly defaults: readonly string[];
}

/** The limit for the states of all patterns of a file: enough for any handwritten file, and a fraction of a second per path. */
const maxStates = 1_000_000;
const maxApprovals = 100;
const headingLine = /^(\^)?\[([^\]]+)\](?:\[(\d+)\])?\s*(.*)$/;

/** A parsed CODEOWNERS. */
export interface OwnersFile {
  /** The owners of a path, in groups that must each approve. */
  readonly groupsOf: (path: string) => readonly OwnerGroup[];
  /** The number of lines that the host can parse but we cannot; their owners are unknown. */
  readonly unreadLines: number;
}

/** Parses the file as its host does. */
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

/** The owners without groups. Lines that cannot be parsed have no owners. */
export function readOwners(text: string, dialect: OwnersDialect): OwnersOf {
  const { groupsOf } = readOwnersFile(text, dialect);
  return (path) => [...new Set(groupsOf(path).flatMap(({ owners }) => owners))];
}

/** GitLab: a section is optional only if all of its headings are. */
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

/** Syntax of Go's regular expressions that ours lack: flags, named classes, classes of letters, other anchors. */
const onlyInGo = /\(\?(?:[imsU-]+[:)]|P<)|\[\[:|\\[pPAzQ]/;

/** The pattern of a line; `unread` if only the host can parse it, undefined if it is faulty for the host as well. */
function readPattern({ pattern }: OwnersLine, dialect: OwnersDialect): LinearPattern | 'unread' | undefined {
  if (dialect === 'gitea' && onlyInGo.test(pattern)) return 'unread';
  // Composed as in Gitea, so that each half of `a|b` is anchored at one end only.
  const source = dialect === 'gitea' ? `^${pattern.replace(/^\//, '')}$` : ownersGlob(pattern, dialect);
  try {
    return linearPattern(source);
  } catch (error) {
    if (error instanceof UnsupportedPattern) return 'unread';
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Guesses the host of a repository from its files; GitHub if nothing indicates another. */
export function guessDialect(paths: ReadonlySet<string>, text: string): OwnersDialect {
  const has = (start: string) => [...paths].some((path) => path.startsWith(start));
  if (paths.has('.github/CODEOWNERS')) return 'github';
  if (paths.has('.gitlab/CODEOWNERS') || paths.has('.gitlab-ci.yml')) return 'gitlab';
  if (has('.gitea/') || has('.forgejo/')) return 'gitea';
  return text.split('\n').some((line) => headingLine.test(line.trim())) ? 'gitlab' : 'github';
}
