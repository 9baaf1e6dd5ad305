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

/** A commit that the host no longer has: the pull request was pushed to meanwhile, or its base is gone. */
export class CommitGone extends Error {
  override readonly name = 'CommitGone';
}

/** What is to be compared. */
export interface WantedCommits {
  readonly organizationId: OrganizationId;
  readonly repositoryId: RepositoryId;
  readonly number: number;
  readonly head: string;
  readonly base: { readonly sha: string; readonly ref: string };
}

/** The commits of a pull request, here and ready to be read. */
export interface PullRequestCommits {
  readonly repository: Repository;
  /** Does parts of work that read them. */
  readonly run: RunPart;
  readonly head: string;
  /** The newest commit of the branch that it is to be merged into. */
  readonly baseTip: string;
  /** Where head and base part; undefined if they have nothing in common. */
  readonly mergeBase: string | undefined;
  readonly askOnce: Mirror['askOnce'];
  /** Brings the contents of files at the top of the base branch. */
  bringFiles(names: readonly string[]): Promise<void>;
  /** Brings the contents of all files, or of these, that differ between two commits that are here. */
  bringChange(base: string, head: string, paths?: readonly string[]): Promise<void>;
  /** Brings some former versions of the files whose lines a change replaces. */
  bringHistory(change: FormerVersionsRequest['change']): Promise<void>;
  /** Brings the contents of the files of a commit that is here; a sentence for people where not all of them can be. */
  bringTree(commit: string): Promise<string | null>;
  /** Brings a commit that may have been replaced since; tells whether it is here. */
  bringCommit(id: string): Promise<boolean>;
  /** Whether a commit is part of the head, or is the head itself. */
  isInHead(commit: string): Promise<boolean>;
  /** Writes a commit on top of the head, here only. */
  writeCommit(texts: readonly ReplacedText[], describe: DescribeCommit): Promise<WrittenCommit | undefined>;
  /** Sets a branch of the host that is at the head to a commit on top of it. */
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
 * Brings the head's branch and the newest commit of the base branch, in one call where both are where they should be. A branch
 * that is gone is replaced by the commit that the host names.
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

/** The newest commit of the base branch, once the head is here, too. It may be in no branch any more. */
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
  /** PATH, where Git is looked for. */
  readonly searchPath: string | undefined;
  /** Reads foreign code. */
  readonly processes: ReviewProcesses;
}

const missingPart = partAt<typeof import('./missing-part.ts')>('missing-part', import.meta.url);

/** Brings the commits of a pull request into the mirror of its repository, and opens it while `work` reads. */
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
