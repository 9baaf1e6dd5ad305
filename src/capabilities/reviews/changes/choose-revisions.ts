import type { Repository } from './repository.ts';
import { GitError, runGit } from './run-git.ts';

/** A revision that cannot be found, said in one sentence. */
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

/** The id of the commit that the name stands for, if there is one. */
async function findCommit(repository: Repository, name: string): Promise<string | undefined> {
  return ask(repository, 'rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`);
}

/**
 * The branch that changes are compared with where nobody names one: main or master, here or at the remote; else the
 * remote's default branch.
 */
async function defaultBase(repository: Repository): Promise<string | undefined> {
  const remoteHead = await ask(repository, 'symbolic-ref', '--quiet', 'refs/remotes/origin/HEAD');
  const names = [
    'refs/heads/main',
    'refs/remotes/origin/main',
    ...(remoteHead === undefined ? [] : [remoteHead]),
    'refs/heads/master',
    'refs/remotes/origin/master',
  ];
  for (const name of names) if ((await findCommit(repository, name)) !== undefined) return name;
  return undefined;
}

export interface Revisions {
  /** Where the two histories part. */
  readonly base: string;
  readonly head: string | null;
  /** How the base is called, for people. */
  readonly baseName: string;
}

/** Decides which commits are compared; the head is null where the working copy is meant. */
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
  const name = base ?? (await defaultBase(repository));
  const found = name === undefined ? undefined : await findCommit(repository, name);
  if (base !== undefined && found === undefined)
    throw new RevisionError(
      `The base "${base}" does not exist here; name a branch, tag or commit with --base`,
    );
  // A first commit, or nothing to compare with: everything is new.
  if (tip === undefined) return { base: await emptyTree(repository), head: null, baseName: 'nothing' };
  if (found === undefined) return { base: tip, head: headOf(head, tip), baseName: 'HEAD' };
  const fork = await ask(repository, 'merge-base', found, tip);
  if (fork === undefined || fork === '')
    throw new RevisionError(
      `"${shortName(name!)}" and "${head ?? 'HEAD'}" have no common history (a shallow clone?)`,
    );
  return { base: fork, head: headOf(head, tip), baseName: shortName(name!) };
}

function headOf(named: string | undefined, tip: string): string | null {
  return named === undefined ? null : tip;
}

async function emptyTree(repository: Repository): Promise<string> {
  return (await runGit(['hash-object', '-t', 'tree', '/dev/null'], repository.call)).toString().trim();
}
