import { linearTest } from '../../lib/patterns/linear-pattern.ts';
import { UnsupportedPattern } from '../../lib/patterns/pattern-syntax.ts';

/** How hosts read CODEOWNERS: GitHub and GitLab take globs, Gitea and Forgejo regular expressions. */
export type OwnersDialect = 'github' | 'gitlab' | 'gitea';

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

interface OwnersRule {
  readonly matches: (path: string) => boolean;
  readonly owners: readonly string[];
  /** GitLab: nobody of this section owns what it matches. */
  readonly isExclusion: boolean;
}

/** Only GitLab has more than one. */
interface Section extends Omit<OwnerGroup, 'owners'> {
  readonly rules: OwnersRule[];
}

/** More than anybody maintains by hand. */
const maxRules = 5_000;
const maxApprovals = 100;
const sectionLine = /^(\^)?\[([^\]]+)\](?:\[(\d+)\])?\s*(.*)$/;
const owner = /^(?:@[^@\s]\S*|[^@\s]+@[^@\s]+)$/;

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
  const sections = readSections(text, dialect);
  return (path) =>
    sections.flatMap(({ rules, approvals, isOptional }) => {
      const matching = rules.filter(({ matches }) => matches(path));
      const deciding = dialect === 'gitea' ? matching : matching.slice(-1);
      const owners = deciding.flatMap((rule) => (rule.isExclusion ? [] : rule.owners));
      return owners.length === 0 ? [] : [{ owners: [...new Set(owners)], approvals, isOptional }];
    });
}

function readSections(text: string, dialect: OwnersDialect): readonly Section[] {
  const sections = new Map<string, Section>();
  let section: Section = { rules: [], approvals: 1, isOptional: false };
  let defaults: readonly string[] = [];
  sections.set('', section);
  let count = 0;
  for (const line of text.split(/\r?\n/)) {
    const [first, ...named] = wordsOf(line);
    const begun = dialect === 'gitlab' ? sectionLine.exec(line.trim()) : null;
    if (begun !== null) {
      const name = begun[2]!.trim().toLowerCase();
      const approvals = Math.min(Math.max(Number(begun[3] ?? 1), 1), maxApprovals);
      section = sections.get(name) ?? { rules: [], approvals, isOptional: begun[1] !== undefined };
      sections.set(name, section);
      defaults = wordsOf(begun[4]!).filter((word) => owner.test(word));
    } else if (first !== undefined && count < maxRules) {
      count += 1;
      const rule = readRule(first, named, dialect, defaults);
      if (rule !== undefined) section.rules.push(rule);
    }
  }
  return [...sections.values()];
}

/** Divided at white space; a backslash keeps what follows it, and `#` begins a comment. */
function wordsOf(line: string): string[] {
  const words: string[] = [];
  for (const [word] of line.matchAll(/(?:\\.|[^\s\\])+|\\$/g)) {
    if (word.startsWith('#')) break;
    words.push(word);
  }
  return words;
}

function readRule(
  pattern: string,
  named: readonly string[],
  dialect: OwnersDialect,
  defaults: readonly string[],
): OwnersRule | undefined {
  const isNegated = dialect !== 'github' && pattern.startsWith('!');
  const plain = isNegated ? pattern.slice(1) : pattern;
  const given = (dialect === 'gitea' ? named.map(withSign) : named).filter((word) => owner.test(word));
  const owners = given.length > 0 ? given : defaults;
  try {
    if (dialect === 'gitea') {
      // As it is written there: of `a|b`, each half is tied to one end only.
      const matches = linearTest(`^${plain.replace(/^\//, '')}$`);
      return { matches: isNegated ? (path) => !matches(path) : matches, owners, isExclusion: false };
    }
    const matches = linearTest(patternOf(plain, dialect));
    return { matches, owners, isExclusion: isNegated };
  } catch (error) {
    if (error instanceof UnsupportedPattern || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Gitea and Forgejo know people and teams without the sign, too. */
const withSign = (word: string) => (word.includes('@') ? word : `@${word}`);

/**
 * The regular expression of a glob. GitHub: as in .gitignore, so a slash inside ties it to the top, and a folder owns what is in
 * it, except by a star at the end. GitLab: only a slash in front ties it to the top, and a folder ends with a slash.
 */
function patternOf(glob: string, dialect: 'github' | 'gitlab'): string {
  const isTied = glob.startsWith('/') || (dialect === 'github' && glob.slice(0, -1).includes('/'));
  const body = glob.replace(/^\//, '');
  let source = '';
  for (const [part] of body.matchAll(/\*\*\/|\/\*\*$|\*+|\?|\\.|[\s\S]/g)) {
    if (part === '**/') source += '(?:.*/)?';
    else if (part === '/**') source += '/.*';
    else if (part === '**') source += '.*';
    else if (part.startsWith('*')) source += '[^/]*';
    else if (part === '?') source += '[^/]';
    else source += escapeCharacter(part.length > 1 ? part.slice(1) : part);
  }
  const isFolder = body.endsWith('/');
  const isAll = body === '*' || /\/\*\*?$/.test(body);
  const below = isFolder ? '.+' : dialect === 'gitlab' || isAll ? '' : '(?:/.*)?';
  return `^${isTied ? '' : '(?:.*/)?'}${source}${below}$`;
}

const escapeCharacter = (character: string) => character.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&');

/** Which host a repository is made for, by the files that it has; where nothing says, GitHub's way is the usual one. */
export function guessDialect(paths: ReadonlySet<string>, text: string): OwnersDialect {
  const has = (start: string) => [...paths].some((path) => path.startsWith(start));
  if (paths.has('.github/CODEOWNERS')) return 'github';
  if (paths.has('.gitlab/CODEOWNERS') || paths.has('.gitlab-ci.yml')) return 'gitlab';
  if (has('.gitea/') || has('.forgejo/')) return 'gitea';
  return text.split('\n').some((line) => sectionLine.test(line.trim())) ? 'gitlab' : 'github';
}
