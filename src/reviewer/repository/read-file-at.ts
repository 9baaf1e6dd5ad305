import type { RepositoryPlace } from './repository.ts';
import { GitError, runGit } from './run-git.ts';

const maxBytes = 1024 * 1024;

/** The text of a file in a revision; undefined if it does not exist there. */
export async function readFileAt(
  repository: RepositoryPlace,
  revision: string,
  path: string,
): Promise<string | undefined> {
  try {
    const bytes = await runGit(['cat-file', 'blob', `${revision}:${path}`], { ...repository.call, maxBytes });
    return bytes.toString();
  } catch (error) {
    if (error instanceof GitError && error.fault === 'failed') return undefined;
    throw error;
  }
}

/** The paths of all files in a revision, or of those in `names`; none if the revision does not exist. */
export async function listFilesAt(
  repository: RepositoryPlace,
  revision: string,
  names: readonly string[] = [],
): Promise<string[]> {
  try {
    const listed = await runGit(
      ['ls-tree', '-r', '-z', '--name-only', '--full-tree', revision, '--', ...names],
      repository.call,
    );
    return listed
      .toString()
      .split('\0')
      .filter((name) => name !== '');
  } catch (error) {
    if (error instanceof GitError && error.fault === 'failed') return [];
    throw error;
  }
}
