import { readFileAt } from '../read-file-at.ts';
import type { RepositoryPlace } from '../repository.ts';
import { GitError } from '../run-git.ts';

/** The first CODEOWNERS of a revision, in the order in which its host looks for it; undefined if there is none. */
export async function findOwners(
  repository: RepositoryPlace,
  revision: string,
  places: readonly string[],
): Promise<string | { readonly isTooLarge: true } | undefined> {
  for (const place of places)
    try {
      const text = await readFileAt(repository, revision, place);
      if (text !== undefined) return text;
    } catch (error) {
      if (error instanceof GitError && error.fault === 'too_much') return { isTooLarge: true };
      throw error;
    }
  return undefined;
}
