import { hash } from 'node:crypto';
import type { OrganizationId, RepositoryId } from '../../../lib/ids.ts';
import { partAt, partsOf, type ReviewProcesses, type RunPart } from '../../../reviewer/process/part.ts';
import { findMissing } from '../../../reviewer/repository/describe-objects.ts';
import { openRepository, placeOf, type Repository } from '../../../reviewer/repository/repository.ts';
import { GitError } from '../../../reviewer/repository/run-git.ts';
import type { CloneSource } from '../../connections/hosts/review-host.ts';
import { bringHistory } from './bring-history.ts';
import { bringTree } from './bring-tree.ts';
import type { FormerVersionsRequest } from './former-versions-part.ts';
import type { Mirror, Mirrors } from './mirrors.ts';
import type { PushResult } from './push-commit.ts';
import { findCommit, findCommits, findFiles, findMergeBase } from './revisions.ts';
import type { DescribeCommit, ReplacedText, WrittenCommit } from './write-commit.ts';

/** The host no longer has a commit: the pull request was pushed to in the meantime, or its base is gone. */
export class CommitGone extends Error {
  override readonly name = 'CommitGone';
}

/** The commits to compare. */
export interface WantedCommits {
  readonly organizationId: OrganizationId;
  readonly repositoryId: RepositoryId;
  readonly number: number;
  readonly head: string;
  readonly base: { readonly sha: string; readonly ref: string };
}

/** The fetched commits of a pull request. */
export interface PullRequestCommits {
  readonly repository: Repository;
  /** Runs parts of the work that read the commits. */
  readonly run: RunPart;
  readonly head: string;
  /** The newest commit of the base branch. */
  readonly baseTip: string;
  /** Where head and base part; undefined if they have nothing in common. */
  readonly mergeBase: string | undefined;
  readonly askOnce: Mirror['askOnce'];
  /** Fetches the contents of files in the newest commit of the base branch. */
  bringFiles(names: readonly string[]): Promise<void>;
  /** Fetches the contents of the files that differ between two fetched commits: all of them, or those with the given paths. */
  bringChange(base: string, head: string, paths?: readonly string[]): Promise<void>;
  /** Fetches some former versions of the files whose lines a change replaces. */
  bringHistory(change: FormerVersionsRequest['change']): Promise<void>;
  /** Fetches the contents of the files of a fetched commit; returns a sentence for people if not all of them can be fetched. */
  bringTree(commit: string): Promise<string | null>;
  /** Fetches a commit that a push may have replaced; returns whether the host still has it. */
  bringCommit(id: string): Promise<boolean>;
  /** Whether a commit is part of the head, or is the head itself. */
  isInHead(commit: string): Promise<boolean>;
  /** Creates a commit on top of the head, in the mirror only. */
  writeCommit(texts: readonly ReplacedText[], describe: DescribeCommit): Promise<WrittenCommit | undefined>;
  /** Moves a branch of the host from the head to a commit on top of it. */
  push(commit: string, branch: string): Promise<PushResult>;
}

const refOfBase = (branch: string) => `refs/postil/bases/${hash('sha256', branch).slice(0, 32)}`;
const refOfHead = (number: number) => `refs/postil/pulls/${number}`;
const missingRef = /couldn't find remote ref|not our ref|unadvertised object/i;

async function isFetched(work: Promise<void>): Promise<boolean> {
  return work.then(
    () => true,
    (error: unknown) => {
      if (error instanceof GitError && missingRef.test(error.message)) return false;
      throw error;
    },
  );
}

/**
 * Fetches the head's branch and the newest commit of the base branch: in one call, unless a branch is gone or has moved. A
 * branch that is gone is replaced by the commit that the host names.
 */
async function bringBoth(
  mirror: Mirror,
  { headRef }: CloneSource,
  { number, base }: WantedCommits,
  signal: AbortSignal,
): Promise<void> {
  const bring = (theirs: string, ours: string) => isFetched(mirror.fetchRefs([`+${theirs}:${ours}`], signal));
  const [ourBase, ourHead] = [refOfBase(base.ref), refOfHead(number)];
  const both = [`+refs/heads/${base.ref}:${ourBase}`, `+${headRef}:${ourHead}`];
  if (!(await isFetched(mirror.fetchRefs(both, signal)))) {
    const hasBase = (await bring(`refs/heads/${base.ref}`, ourBase)) || (await bring(base.sha, ourBase));
    if (!hasBase) throw new CommitGone(`the branch ${base.ref} is gone`);
    await bring(headRef, ourHead);
  }
}

/** Returns the newest commit of the base branch once the head is fetched too. That commit may no longer be in any branch. */
async function findBoth(
  mirror: Mirror,
  repository: Repository,
  { number, head, base }: WantedCommits,
  signal: AbortSignal,
): Promise<string> {
  const [baseTip, found] = await findCommits(repository, [refOfBase(base.ref), head]);
  const isHere = found ?? (await isFetched(mirror.fetchRefs([`+${head}:${refOfHead(number)}`], signal)));
  if (!isHere) throw new CommitGone(`the commit ${head} is gone`);
  return baseTip!;
}

export interface ReadingDeps {
  readonly mirrors: Mirrors;
  /** The PATH to look for Git in. */
  readonly searchPath: string | undefined;
  /** The processes in which untrusted code is read. */
  readonly processes: ReviewProcesses;
}

const missingPart = partAt<typeof import('./missing-part.ts')>('missing-part', import.meta.url);

/** Fetches the commits of a pull request into the mirror of its repository, and opens it while `work` reads. */
export async function withCommits<Result>(
  { mirrors, searchPath, processes }: ReadingDeps,
  source: CloneSource,
  wanted: WantedCommits,
  signal: AbortSignal,
  work: (commits: PullRequestCommits) => Promise<Result>,
): Promise<Result> {
  return mirrors.use(wanted, source, async (mirror) => {
    const settings = { searchPath, signal };
    const run = partsOf(processes, { group: wanted.organizationId, signal });
    await bringBoth(mirror, source, wanted, signal);
    const repository = await openRepository(mirror.folder, settings);
    const bring = async (missing: readonly string[]) => {
      if (missing.length > 0) await mirror.fetchById(missing, signal);
    };
    try {
      const { head } = wanted;
      const baseTip = await findBoth(mirror, repository, wanted, signal);
      const mergeBaseOf = (one: string, other: string) =>
        mirror.askOnce(
          ['merge base', one, other],
          () => findMergeBase(repository, one, other),
          (base) => base !== undefined,
        );
      return await work({
        repository,
        run,
        head,
        baseTip,
        mergeBase: await mergeBaseOf(baseTip, head),
        askOnce: mirror.askOnce,
        bringFiles: async (names) => {
          const ids = await mirror.askOnce(
            ['files', baseTip, ...names],
            () => findFiles(repository, baseTip, names),
            () => true,
          );
          await bring(await findMissing(repository, ids));
        },
        bringChange: async (from, to, paths) => {
          if (from === to) return;
          await bring(
            await run(missingPart, { repository: placeOf(repository), base: from, head: to, paths }),
          );
        },
        bringHistory: (change) => bringHistory(mirror, change, run, signal),
        bringTree: (commit) => bringTree(mirror, placeOf(repository), commit, run, signal),
        bringCommit: async (id) =>
          id === head ||
          id === baseTip ||
          (await findCommit(repository, id)) !== undefined ||
          (await isFetched(mirror.fetchRefs([`+${id}:${refOfHead(wanted.number)}-former`], signal))),
        isInHead: async (commit) => (await mergeBaseOf(commit, head)) === commit,
        writeCommit: (texts, describe) => mirror.writeCommit(head, texts, describe, signal),
        push: (commit, branch) => mirror.push({ commit, branch, expected: head }, signal),
      });
    } finally {
      await repository.close();
    }
  });
}
