import { readRef, writeRef } from '../../git-objects.ts';
import { runTestGit } from '../../programs/run-program.ts';
import type { ForgeRepository } from './forge-data.ts';
import type { ForgeState } from './forge-state.ts';

/** The branch of every pull request in these tests. */
export const branch = 'refs/heads/topic';

/** The commit of the branch; empty if there is none. */
export async function readBranch(folder: string): Promise<string> {
  return (
    (await readRef(folder, branch)) ??
    runTestGit(['for-each-ref', '--format=%(objectname)', branch], { cwd: folder })
  );
}

/** Updates the pull requests of the branch, as a host does after a push. */
export async function noteBranch(
  state: ForgeState,
  repository: ForgeRepository,
  before: string,
): Promise<void> {
  const folder = repository.folder!;
  const head = await readBranch(folder);
  if (head === before) return;
  for (const pull of repository.pulls.values()) {
    const isAtBranch = () => pull.state === 'open' && !pull.isFork && pull.commits.at(-1)!.sha === before;
    if (!isAtBranch()) continue;
    const diff = `${await runTestGit(['diff', `main...${head}`], { cwd: folder })}\n`;
    // Another push may have been processed in the meantime.
    if (!isAtBranch()) continue;
    for (const name of ['pull', 'merge-requests'])
      await writeRef(folder, `refs/${name}/${pull.number}/head`, head);
    pull.diff = diff;
    state.push(pull, { head });
  }
}
