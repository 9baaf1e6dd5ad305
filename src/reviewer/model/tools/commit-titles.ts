import { decodeFileName } from '../../repository/file-name.ts';
import type { RepositoryPlace } from '../../repository/repository.ts';
import { GitError, runGit } from '../../repository/run-git.ts';

const timeoutMs = 15_000;
const maxBytes = 1024 * 1024;

/** The dates and titles of commits to a file, up to a revision, the newest first; none if Git fails or takes too long. */
export async function commitTitles(
  { call }: RepositoryPlace,
  revision: string,
  path: string,
  count: number,
): Promise<{ readonly day: string; readonly title: string }[]> {
  const variables = { ...call.variables, GIT_LITERAL_PATHSPECS: '1' };
  const given = ['log', `--max-count=${count}`, '--no-merges', '--no-show-signature', '--format=%cs%x00%s'];
  try {
    const bytes = await runGit([...given, revision, '--', path], { ...call, timeoutMs, maxBytes, variables });
    return decodeFileName(bytes)
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => {
        const [day = '', title = ''] = line.split('\0');
        return { day, title };
      });
  } catch (error) {
    if (error instanceof GitError && error.fault !== 'missing') return [];
    throw error;
  }
}
