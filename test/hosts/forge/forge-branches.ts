import { readRef, writeRef } from '../../git-objects.ts';
import { runTestGit } from '../../programs/run-program.ts';
import type { ForgeRepository } from './forge-data.ts';
import type { ForgeState } from './forge-state.ts';

/** The branch of every pull request here. */
export const branch = 'refs/heads/topic';

/** Where the branch is; empty if there is none. */
export async function readBranch(folder: string): Promise<string> {
  return (
    (await readRef(folder, branch)) ??
    runTestGit(['for-each-ref', '--format=%(objectname)', branch], { cwd: folder })
  );
}

/** What a host does when somebody has pushed: pull requests of the branch follow it. */
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
    // Another push may have been noted meanwhile.
    if (!isAtBranch()) continue;
    for (const name of ['pull', 'merge-requests'])
      await writeRef(folder, `refs/${name}/${pull.number}/head`, head);
    pull.diff = diff;
    state.push(pull, { head });
  }
}
