import path from 'node:path';
import { type People, peopleOfGit } from '../../reviewer/report/reviewers.ts';
import type { Repository } from '../../reviewer/repository/repository.ts';
import { GitError, runGit } from '../../reviewer/repository/run-git.ts';

/** The email address of the current user, from the repository's Git configuration or their own; undefined if there is none. */
async function ownAddress(
  { userEmail, call }: Repository,
  home: string | undefined,
): Promise<string | undefined> {
  if (userEmail !== undefined || home === undefined) return userEmail;
  const variables = { HOME: home, GIT_CONFIG_GLOBAL: path.join(home, '.gitconfig') };
  const asked = ['config', '--global', '--get', 'user.email'];
  try {
    return (await runGit(asked, { ...call, folder: '/', variables })).toString().trim();
  } catch (error) {
    if (error instanceof GitError) return undefined;
    throw error;
  }
}

/** Names people as Git does, but leaves out the current user: nobody reviews their own work. */
export async function peopleHere(repository: Repository, home: string | undefined): Promise<People> {
  const own = (await ownAddress(repository, home))?.toLowerCase();
  return {
    ...peopleOfGit,
    async nameAuthors(authors) {
      const names = await peopleOfGit.nameAuthors(authors);
      const ownNames = new Set(names.filter((_name, index) => authors[index]!.email.toLowerCase() === own));
      return names.map((name) => (ownNames.has(name) ? null : name));
    },
  };
}
