import { GitError, runGit } from '../../../reviewer/repository/run-git.ts';
import type { CloneSource } from '../../connections/hosts/review-host.ts';
import { callConfiguration, type FetchLimits } from './fetch-objects.ts';
import { remoteName } from './mirror-folder.ts';

/**
 * The outcome of a push. `moved`: the branch is not at the expected commit. `denied`: the account may not write to the
 * repository. `declined`: the host rejects this commit on this branch.
 */
export type PushResult = 'pushed' | 'moved' | 'denied' | 'declined';

/** Messages of Git by outcome, the most specific first. */
const refusals: readonly (readonly [PushResult, RegExp])[] = [
  ['moved', /\[rejected\]|failed to update ref|cannot lock ref|fetch first|non-fast-forward/i],
  ['declined', /\[remote rejected\]/i],
  ['denied', /returned error: 40[134]|Authentication failed|could not read (?:Username|Password)/i],
];

/**
 * Moves a branch of the host to a commit whose parent is `expected`, and only if the branch is at `expected`: it never
 * overwrites anything. Returns `pushed` also if the branch is at the commit already.
 */
export async function pushCommit(
  folder: string,
  source: CloneSource,
  {
    commit,
    branch,
    expected,
  }: { readonly commit: string; readonly branch: string; readonly expected: string },
  { maxSeconds, searchPath }: FetchLimits,
  signal: AbortSignal,
): Promise<PushResult> {
  const ref = `refs/heads/${branch}`;
  try {
    await runGit(
      [
        'push',
        '--quiet',
        '--no-verify',
        '--no-follow-tags',
        '--recurse-submodules=no',
        // Deltas could refer to files that were never fetched.
        '--no-thin',
        `--force-with-lease=${ref}:${expected}`,
        remoteName,
        `${commit}:${ref}`,
      ],
      {
        folder,
        searchPath,
        signal,
        timeoutMs: maxSeconds * 1000,
        variables: { GIT_DIR: folder, GIT_ALLOW_PROTOCOL: 'http:https', ...callConfiguration(source) },
      },
    );
    return 'pushed';
  } catch (error) {
    if (!(error instanceof GitError) || error.fault !== 'failed') throw error;
    const refused = refusals.find(([, said]) => said.test(error.message));
    if (refused === undefined) throw error;
    return refused[0];
  }
}
