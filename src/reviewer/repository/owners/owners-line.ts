/** The syntax of CODEOWNERS at a host: GitHub and GitLab use globs, Gitea and Forgejo regular expressions. */
export type OwnersDialect = 'github' | 'gitlab' | 'gitea';

/** A line of CODEOWNERS. */
export interface OwnersLine {
  readonly pattern: string;
  /** Whether a `!` precedes the pattern. */
  readonly isNegated: boolean;
  /** Undefined if nothing follows the pattern. */
  readonly owners: readonly string[] | undefined;
}

const owner = /^(?:@[^@\s]\S*|[^@\s]+@[^@\s]+)$/;

/** Parses a line as its host does; undefined for comments, and for lines that the host skips. */
export const readOwnersLine = (line: string, dialect: OwnersDialect): OwnersLine | undefined =>
  readers[dialect](line.trim());

const readers: Readonly<Record<OwnersDialect, (line: string) => OwnersLine | undefined>> = {
  /** Split at white space; `#` starts a comment. A line with a fault is skipped as a whole, so that earlier lines apply. */
  github(line) {
    const words: string[] = [];
    for (const [word] of line.matchAll(/(?:\\.|[^\s\\])+|\\$/g)) {
      if (word.startsWith('#')) break;
      words.push(word);
    }
    const [pattern, ...owners] = words;
    if (pattern === undefined || isFaultyGlob(pattern)) return undefined;
    if (!owners.every((word) => owner.test(word))) return undefined;
    return { pattern, isNegated: false, owners };
  },

  /** Only whole lines can be comments: names after a `#` in other lines are owners. Words that are not owners are left out. */
  gitlab(line) {
    const [pattern = ''] = /^(?:\\.|[^\s\\])*/.exec(line) ?? [];
    if (pattern === '' || pattern.startsWith('#')) return undefined;
    const rest = line.slice(pattern.length).trim();
    const isNegated = pattern.startsWith('!');
    return {
      pattern: isNegated ? pattern.slice(1) : pattern,
      isNegated,
      owners: rest === '' ? undefined : ownersIn(rest),
    };
  },

  /** A backslash escapes the next character and is removed, so that patterns need two of them; `#` ends the line anywhere. */
  gitea(line) {
    const words = [''];
    for (const [part, kept] of line.matchAll(/\\(.)|#|\s+|[^\\#\s]+/g)) {
      if (part === '#') break;
      if (kept === undefined && part.trim() === '') words.push('');
      else words[words.length - 1] += kept ?? part;
    }
    const [first, ...named] = words.filter((word) => word !== '');
    if (first === undefined || named.length === 0) return undefined;
    const isNegated = first.startsWith('!');
    const owners = named.map(withSign).filter((word) => owner.test(word));
    return { pattern: isNegated ? first.slice(1) : first, isNegated, owners };
  },
};

/** GitHub: unlike in .gitignore, there are no ranges, no exceptions, and no patterns that start with `#`. */
const isFaultyGlob = (glob: string) =>
  /^(?:!|\\#)/.test(glob) || glob.includes('***') || /[[\]]/.test(glob.replaceAll(/\\./g, ''));

/** Gitea and Forgejo also accept people and teams without the `@`. */
const withSign = (word: string) => (word.includes('@') ? word : `@${word}`);

/** GitLab: the accounts, groups, roles and email addresses in a text. */
export function ownersIn(text: string): string[] {
  return text.split(/[\s,;]+/).filter((word) => /^@@[a-z]+$/i.test(word) || owner.test(word));
}

/**
 * The regular expression of a glob. GitHub: as in .gitignore, so a slash inside anchors it at the root, and a folder includes its
 * content, unless the glob ends with a star. GitLab: only a leading slash anchors it, a folder ends with a slash, two stars are
 * like one unless a slash follows, and there are ranges.
 */
export function ownersGlob(glob: string, dialect: 'github' | 'gitlab'): string {
  const isGitHub = dialect === 'github';
  const isTied = glob.startsWith('/') || (isGitHub && glob.slice(0, -1).includes('/'));
  const body = glob.replace(/^\//, '');
  const source = Array.from(body.matchAll(isGitHub ? gitHubParts : gitLabParts), ([part]) =>
    partSource(part, isGitHub),
  ).join('');
  const isAll = body === '*' || /\/\*\*?$/.test(body);
  const below = body.endsWith('/') ? '.+' : !isGitHub || isAll ? '' : '(?:/.*)?';
  return `^${isTied ? '' : '(?:.*/)?'}${source}${below}$`;
}

const gitHubParts = /\*\*\/|\/\*\*$|\*+|\\.|[\s\S]/g;
const gitLabParts = /(?<![^/])\*\*\/|\*+|\[[!^]?\]?[^\]]*\]|\\.|[\s\S]/g;

function partSource(part: string, isGitHub: boolean): string {
  if (part === '**/') return '(?:.*/)?';
  if (part === '/**') return '/.*';
  if (part === '**' && isGitHub) return '.*';
  if (part.startsWith('*')) return '[^/]*';
  if (part === '?') return '[^/]';
  if (part.startsWith('[') && part.length > 1) return rangeSource(part.slice(1, -1));
  return escapeCharacter(part.length > 1 ? part.slice(1) : part);
}

function rangeSource(range: string): string {
  const isNegated = /^[!^]/.test(range);
  const inner = (isNegated ? range.slice(1) : range).replaceAll(/[\\\]^[]/g, '\\$&');
  return isNegated ? `[^/${inner}]` : `[${inner}]`;
}

const escapeCharacter = (character: string) => character.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&');
