import type { Author, AuthoredLines } from '../repository/history.ts';
import { limits, type SuggestedReviewer } from '../review-report.ts';

/** How often somebody is among those who made commits. */
export interface AuthoredCommits {
  readonly author: Author;
  readonly commits: number;
}

/** Who had to do with what a change touches, as the repository knows it. */
export interface Involved {
  /** Who wrote the change itself. */
  readonly writers: readonly Author[];
  readonly owners: readonly { readonly owner: string; readonly files: number }[];
  readonly files: number;
  /** Of the lines that the change replaces or takes away. */
  readonly lines: readonly AuthoredLines[];
  /** How many of these there are, whoever wrote them. */
  readonly totalLines: number;
  /** Of the last commits to its files, or in the folders of its new files where it has no others. */
  readonly commits: readonly AuthoredCommits[];
  readonly areNewFiles: boolean;
}

/** Knows people by more than Git does. */
export interface People {
  /** How these are called here, in their order; null for those whom nobody knows or who cannot review the change. */
  nameAuthors(authors: readonly Author[]): Promise<readonly (string | null)[]>;
  /** The same for those whom CODEOWNERS names: `@bob`, `@acme/shop` or an address. */
  nameOwners(owners: readonly string[]): Promise<readonly (string | null)[]>;
}

const smallestShare = 0.1;
/** Enough to choose from; those who only made commits are named if there are not so many others. */
const enough = 3;
const program =
  /\[bot\]|(?:^|[\s_.-])bot$|^(?:dependabot|renovate|greenkeeper|github[ -]actions?|gitlab-?ci|pre-commit-ci|semantic-release|web-flow|allcontributors|snyk|weblate)\b/i;

/** Whether it is a program that makes commits. */
export function isProgram({ name, email }: Author): boolean {
  return program.test(name.trim()) || /\[bot\]@|^(?:bot|actions|noreply|no-reply)@/i.test(email);
}

/** People by their names in Git, for a working copy. Addresses are shown to nobody. */
export const peopleOfGit: People = {
  async nameAuthors(authors) {
    const names = new Map<string, string>();
    for (const { name, email } of authors) {
      // Some have given Git their address as their name.
      const shown = name.split('@')[0]!.trim();
      const known = names.get(email.toLowerCase());
      // One person may go by several names: a full one tells more.
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

/** Who could review the change: its owners first, then who wrote most of what it touches. Never who wrote it, and no program. */
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
  // Who was there once says little, unless nobody else does.
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
