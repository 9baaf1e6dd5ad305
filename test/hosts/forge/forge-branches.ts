import { execFileSync } from 'node:child_process';
import type { ForgeRepository } from './forge-data.ts';
import type { ForgeState } from './forge-state.ts';

/** The branch of every pull request here. */
export const branch = 'refs/heads/topic';

const git = (folder: string, ...given: string[]) =>
  execFileSync('git', ['-C', folder, ...given], { stdio: ['ignore', 'pipe', 'ignore'] })
    .toString()
    .trim();

/** Where the branch is; empty if there is none. */
export function readBranch(folder: string): string {
  return git(folder, 'for-each-ref', '--format=%(objectname)', branch);
}

/** What a host does when somebody has pushed: pull requests of the branch follow it. */
export function noteBranch(state: ForgeState, repository: ForgeRepository, before: string): void {
  const folder = repository.folder!;
  const head = readBranch(folder);
  if (head === before) return;
  for (const pull of repository.pulls.values()) {
    if (pull.state !== 'open' || pull.isFork || pull.commits.at(-1)!.sha !== before) continue;
    for (const name of ['pull', 'merge-requests'])
      git(folder, 'update-ref', `refs/${name}/${pull.number}/head`, head);
    pull.diff = `${git(folder, 'diff', `main...${head}`)}\n`;
    state.push(pull, { head });
  }
}
