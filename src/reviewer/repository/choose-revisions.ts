import { cutOffCommits } from './history.ts';
import type { Repository } from './repository.ts';
import { GitError, runGit } from './run-git.ts';

/** A revision cannot be found; the message is one sentence. */
export class RevisionError extends Error {
  override readonly name = 'RevisionError';
}

async function ask(repository: Repository, ...given: string[]): Promise<string | undefined> {
  try {
    return (await runGit(given, repository.call)).toString().trim();
  } catch (error) {
    if (error instanceof GitError && error.fault === 'failed') return undefined;
    throw error;
  }
}

/** The id of the commit that a name refers to; undefined if there is none. */
export async function findCommit(repository: Repository, name: string): Promise<string | undefined> {
  return ask(repository, 'rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`);
}

/** The refs of a local branch and of its counterpart at the remote, as far as they exist. */
interface Branch {
  readonly local: string | undefined;
  readonly remote: string | undefined;
}

/** The branch that changes are compared with by default: main, else the remote's default branch, else master. */
async function defaultBranch(repository: Repository): Promise<Branch | undefined> {
  const remoteHead = await ask(repository, 'symbolic-ref', '--quiet', 'refs/remotes/origin/HEAD');
  const names = ['main', remoteHead?.replace('refs/remotes/origin/', ''), 'master'];
  for (const name of names) {
    if (name === undefined) continue;
    const [local, remote] = await Promise.all(
      [`refs/heads/${name}`, `refs/remotes/origin/${name}`].map(async (ref) =>
        (await findCommit(repository, ref)) === undefined ? undefined : ref,
      ),
    );
    if (local !== undefined || remote !== undefined) return { local, remote };
  }
  return undefined;
}

/**
 * Chooses which of the two a change is compared with. On the branch itself it is the remote one, to review unpushed commits. On
 * another branch it is the one with the later merge base: an outdated local branch would show the work of others as changes.
 */
async function nearestBase(
  repository: Repository,
  { local, remote }: Branch,
  { head, tip }: { head: string | undefined; tip: string },
): Promise<string> {
  if (local === undefined || remote === undefined) return (local ?? remote)!;
  const reviewed = await ask(repository, 'rev-parse', '--symbolic-full-name', head ?? 'HEAD');
  if (reviewed === local) return remote;
  const [nearest, leftHere] = await Promise.all([
    ask(repository, 'merge-base', tip, local, remote),
    ask(repository, 'merge-base', tip, local),
  ]);
  return nearest === leftHere ? local : remote;
}

export interface Revisions {
  /** The merge base. */
  readonly base: string;
  readonly head: string | null;
  /** The name of the base, for messages; null if there is no commit yet. */
  readonly baseName: string | null;
}

/** Chooses the commits to compare; the head is null for the working copy. */
export async function chooseRevisions(
  repository: Repository,
  { base, head }: { base: string | undefined; head: string | undefined },
): Promise<Revisions> {
  const tip = await findCommit(repository, head ?? 'HEAD');
  if (tip === undefined && head !== undefined)
    throw new RevisionError(`The revision "${head}" does not exist here`);
  if (head === undefined && repository.root === null)
    throw new RevisionError('A bare repository has no working copy: name what to review with --head');
  const shortName = (name: string) => name.replace(/^refs\/(?:heads|remotes)\//, '');
  const branch = base === undefined && tip !== undefined ? await defaultBranch(repository) : undefined;
  const name = branch === undefined ? base : await nearestBase(repository, branch, { head, tip: tip! });
  const found = name === undefined ? undefined : await findCommit(repository, name);
  if (base !== undefined && found === undefined)
    throw new RevisionError(
      `The base "${base}" does not exist here; name a branch, tag or commit with --base${await cutOffHint(repository)}`,
    );
  // A first commit, or nothing to compare with: everything is new.
  if (tip === undefined) return { base: await emptyTree(repository), head: null, baseName: null };
  if (found === undefined) {
    if (await isAlone(repository, head))
      throw new RevisionError(
        'There is nothing to compare with: this clone has one branch and its history is cut off. Fetch the branch that it goes into, such as git fetch --depth=50 origin main:main, and deepen this one with git fetch --deepen=50',
      );
    return { base: tip, head: headOf(head, tip), baseName: 'HEAD' };
  }
  const fork = await ask(repository, 'merge-base', found, tip);
  if (fork === undefined || fork === '')
    throw new RevisionError(
      `"${shortName(name!)}" and "${head ?? 'HEAD'}" have no common history (a shallow clone?)`,
    );
  return { base: fork, head: headOf(head, tip), baseName: shortName(name!) };
}

/** Whether a branch would be compared with itself, because a shallow clone has no other, and nothing is uncommitted. */
async function isAlone(repository: Repository, head: string | undefined): Promise<boolean> {
  if ((await cutOffCommits(repository)).size === 0) return false;
  return head !== undefined || (await ask(repository, 'status', '--porcelain')) === '';
}

async function cutOffHint(repository: Repository): Promise<string> {
  const isCutOff = (await cutOffCommits(repository)).size > 0;
  return isCutOff ? ' (the history here is cut off: git fetch --deepen=50 brings more)' : '';
}

function headOf(named: string | undefined, tip: string): string | null {
  return named === undefined ? null : tip;
}

async function emptyTree(repository: Repository): Promise<string> {
  return (await runGit(['hash-object', '-t', 'tree', '/dev/null'], repository.call)).toString().trim();
}
