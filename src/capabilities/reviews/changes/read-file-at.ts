import type { Repository } from './repository.ts';
import { GitError, runGit } from './run-git.ts';

const maxBytes = 1024 * 1024;

/** The text of a file in a revision; undefined where it does not exist there. */
export async function readFileAt(
  repository: Repository,
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
