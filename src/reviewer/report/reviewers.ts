import type { Author, AuthoredLines } from '../repository/history.ts';
import { limits, type SuggestedReviewer } from '../review-report.ts';

/** The number of commits of an author. */
export interface AuthoredCommits {
  readonly author: Author;
  readonly commits: number;
}

/** The people who wrote or own the code that a change touches, from the repository. */
export interface Involved {
  /** The authors of the change itself. */
  readonly writers: readonly Author[];
  readonly owners: readonly { readonly owner: string; readonly files: number }[];
  readonly files: number;
  /** The authors of the lines that the change replaces or removes. */
  readonly lines: readonly AuthoredLines[];
  /** The total number of these lines, including those of unknown authors. */
  readonly totalLines: number;
  /** The authors of the last commits to its files; if there are none (`areNewFiles`), to the folders of its new files. */
  readonly commits: readonly AuthoredCommits[];
  readonly areNewFiles: boolean;
}

/** Resolves authors and owners to names, such as usernames at the host. */
export interface People {
  /** The names of authors, in their order; null for people who are unknown or cannot review the change. */
  nameAuthors(authors: readonly Author[]): Promise<readonly (string | null)[]>;
  /** The same for owners in CODEOWNERS: `@bob`, `@acme/shop` or an email address. */
  nameOwners(owners: readonly string[]): Promise<readonly (string | null)[]>;
}

const smallestShare = 0.1;
/** Enough suggestions; people who only made commits are added up to this number. */
const enough = 3;
const program =
  /\[bot\]|(?:^|[\s_.-])bot$|^(?:dependabot|renovate|greenkeeper|github[ -]actions?|gitlab-?ci|pre-commit-ci|semantic-release|web-flow|allcontributors|snyk|weblate)\b/i;

/** Whether the author is a bot. */
export function isProgram({ name, email }: Author): boolean {
  return program.test(name.trim()) || /\[bot\]@|^(?:bot|actions|noreply|no-reply)@/i.test(email);
}

/** Names people as Git does, for a working copy. Email addresses are never shown. */
export const peopleOfGit: People = {
  async nameAuthors(authors) {
    const names = new Map<string, string>();
    for (const { name, email } of authors) {
      // Some people have configured their email address as their name in Git.
      const shown = name.split('@')[0]!.trim();
      const known = names.get(email.toLowerCase());
      // Of several names of a person, a full name is preferred.
      if (known === undefined || (shown.includes(' ') && !known.includes(' ')))
        names.set(email.toLowerCase(), shown);
    }
    return authors.map((author) =>
      isProgram(author) ? null : names.get(author.email.toLowerCase()) || null,
    );
  },
  nameOwners: async (owners) => owners.map((owner) => (owner.startsWith('@') ? owner.slice(1) : null)),
};

interface Candidate {
  files: number;
  lines: number;
  commits: number;
}

/** Suggests reviewers: owners first, then authors of most of the touched code. Never authors of the change, and no bots. */
export async function suggestReviewers(involved: Involved, people: People): Promise<SuggestedReviewer[]> {
  const { writers, owners, lines, commits } = involved;
  const authors = [...lines, ...commits].map(({ author }) => author);
  const names = await people.nameAuthors([...writers, ...authors]);
  const own = new Set(names.slice(0, writers.length).filter((name) => name !== null));
  const addresses = new Set(writers.map(({ email }) => email.toLowerCase()));
  const isOther = (author: Author, name: string | null): name is string =>
    name !== null && !own.has(name) && !addresses.has(author.email.toLowerCase());
  const candidates = new Map<string, Candidate>();
  const candidate = (name: string) => {
    const known = candidates.get(name) ?? { files: 0, lines: 0, commits: 0 };
    candidates.set(name, known);
    return known;
  };
  for (const [index, name] of (await people.nameOwners(owners.map(({ owner }) => owner))).entries())
    if (name !== null && !own.has(name)) candidate(name).files += owners[index]!.files;
  const named = names.slice(writers.length);
  for (const [index, entry] of lines.entries()) {
    const name = named[index]!;
    if (isOther(entry.author, name)) candidate(name).lines += entry.lines;
  }
  for (const [index, entry] of commits.entries()) {
    const name = named[lines.length + index]!;
    if (isOther(entry.author, name)) candidate(name).commits += entry.commits;
  }
  return choose(candidates, involved);
}

function choose(candidates: ReadonlyMap<string, Candidate>, involved: Involved): SuggestedReviewer[] {
  const { totalLines } = involved;
  const totalCommits = involved.commits.reduce((sum, each) => sum + each.commits, 0);
  const ranked = [...candidates].sort(
    ([, a], [, b]) => b.files - a.files || b.lines - a.lines || b.commits - a.commits,
  );
  const chosen = ranked.filter(([, { files, lines }]) => files > 0 || lines / totalLines >= smallestShare);
  const rest = ranked.filter((each) => !chosen.includes(each));
  const often = rest.filter(([, { commits }]) => commits > 1 && commits / totalCommits >= smallestShare);
  // People with a single commit are suggested only if there is nobody else.
  const others = chosen.length + often.length > 0 ? often : rest.slice(0, 1);
  const filled = [...chosen, ...others.slice(0, Math.max(0, enough - chosen.length))];
  return filled.slice(0, limits.reviewers).map(([username, { files, lines, commits }]) => {
    const parts: [text: string, share: number][] = [];
    if (files > 0) parts.push([`owns ${partOf(files, involved.files)}`, files / involved.files]);
    if (lines > 0)
      parts.push([`wrote ${percent(lines / totalLines)} of the changed lines`, lines / totalLines]);
    if (parts.length === 0)
      parts.push([madeCommits(commits, totalCommits, involved), commits / totalCommits]);
    const reason = parts.map(([text]) => text).join(' and ');
    return { username, reason, share: Math.min(1, Math.round(parts.at(-1)![1] * 100) / 100) };
  });
}

const percent = (share: number) => `${Math.max(1, Math.round(share * 100))} %`;

function partOf(files: number, all: number): string {
  if (all === 1) return 'the changed file';
  return files >= all ? `all ${all} changed files` : `${files} of ${all} changed files`;
}

function madeCommits(commits: number, total: number, { areNewFiles, files }: Involved): string {
  const one = files === 1;
  const where = areNewFiles
    ? `in ${one ? 'this folder' : 'these folders'}`
    : `to ${one ? 'this file' : 'these files'}`;
  return total === 1
    ? `made the last commit ${where}`
    : `made ${commits} of the last ${total} commits ${where}`;
}
