import { describeObjects } from '../../../reviewer/repository/describe-objects.ts';
import type { RepositoryPlace } from '../../../reviewer/repository/repository.ts';
import { GitError, runGit } from '../../../reviewer/repository/run-git.ts';

async function ask(repository: RepositoryPlace, ...given: string[]): Promise<string | undefined> {
  try {
    return (await runGit(given, repository.call)).toString().trim();
  } catch (error) {
    if (error instanceof GitError && error.fault === 'failed') return undefined;
    throw error;
  }
}

/** The id of the commit that a revision stands for; undefined if it is not in the mirror. */
export function findCommit(repository: RepositoryPlace, name: string): Promise<string | undefined> {
  return ask(repository, 'rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`);
}

/** The ids of the commits that revisions stand for, in the same order; undefined for those that are not in the mirror. */
export async function findCommits(
  repository: RepositoryPlace,
  names: readonly string[],
): Promise<(string | undefined)[]> {
  const asked = names.map((name) => `${name}^{commit}`);
  // Git reads one revision per line.
  if (names.some((name) => name.includes('\n'))) throw new Error('a commit is named by two lines');
  const lines = await describeObjects(repository, asked, '%(objectname)');
  return lines.map((line) => /^[0-9a-f]{40,64}$/.exec(line)?.[0]);
}

/** The merge base of two commits; undefined if they have no common history. */
export async function findMergeBase(
  repository: RepositoryPlace,
  one: string,
  other: string,
): Promise<string | undefined> {
  const base = await ask(repository, 'merge-base', one, other);
  return base === '' ? undefined : base;
}

/** The ids of files by these names at the top of a commit, as far as they exist. */
export async function findFiles(
  repository: RepositoryPlace,
  commit: string,
  names: readonly string[],
): Promise<string[]> {
  const listed = await runGit(['ls-tree', '-z', commit, '--', ...names], repository.call);
  return listed
    .toString()
    .split('\0')
    .flatMap((line) => /^\d+ blob ([0-9a-f]+)\t/.exec(line)?.[1] ?? []);
}

/** The ids of all files, or of these, that differ between two commits, in both versions. */
export async function findChangedFiles(
  { call }: RepositoryPlace,
  base: string,
  head: string,
  paths: readonly string[] = [],
): Promise<string[]> {
  const listed = await runGit(
    ['diff-tree', '-r', '-z', '--raw', '--no-renames', '--no-abbrev', base, head, '--', ...paths],
    { ...call, variables: { ...call.variables, GIT_LITERAL_PATHSPECS: '1' } },
  );
  const ids = new Set<string>();
  for (const [, oldMode, newMode, oldId, newId] of listed
    .toString()
    .matchAll(/:(\d+) (\d+) ([0-9a-f]+) ([0-9a-f]+) /g)) {
    if (oldMode !== '000000' && oldMode !== '160000') ids.add(oldId!);
    if (newMode !== '000000' && newMode !== '160000') ids.add(newId!);
  }
  return [...ids];
}
