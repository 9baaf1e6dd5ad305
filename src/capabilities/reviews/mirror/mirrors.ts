import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { OrganizationId, RepositoryId } from '../../../lib/ids.ts';
import { newUuid } from '../../../lib/uuid.ts';
import { type GitCall, GitError } from '../../../reviewer/repository/run-git.ts';
import type { CloneSource } from '../../connections/hosts/review-host.ts';
import { type FetchLimits, fetchById, fetchRefs, fetchTip, readTip } from './fetch-objects.ts';
import { KeptAnswers } from './kept-answers.ts';
import {
  isMirrorFolder,
  lastUsedAt,
  makeMirrorFolder,
  markUsed,
  removeMirrorFolder,
  sizeOf,
} from './mirror-folder.ts';
import { type PushResult, pushCommit } from './push-commit.ts';
import { findCommit } from './revisions.ts';
import { type DescribeCommit, type ReplacedText, type WrittenCommit, writeCommit } from './write-commit.ts';

export interface MirrorSettings extends FetchLimits {
  /** Where the mirrors are. */
  readonly folder: string;
  /** How much all of them together may take up. */
  readonly maxTotalBytes: number;
}

/** A bare copy of a repository that contains only the files that were requested. */
export interface Mirror {
  readonly folder: string;
  /** Whether the mirror has a commit. */
  has(commit: string, signal: AbortSignal): Promise<boolean>;
  /** Fetches refs of the host, as `+<theirs>:<ours>`, with their commits and trees. */
  fetchRefs(refs: readonly string[], signal: AbortSignal): Promise<void>;
  /** Fetches objects by their ids. */
  fetchById(ids: readonly string[], signal: AbortSignal): Promise<void>;
  /** Creates a commit on top of another, in the mirror only. */
  writeCommit(
    parent: string,
    texts: readonly ReplacedText[],
    describe: DescribeCommit,
    signal: AbortSignal,
  ): Promise<WrittenCommit | undefined>;
  /** Sets a branch of the host from one commit to another on top of it. */
  push(step: Parameters<typeof pushCommit>[2], signal: AbortSignal): Promise<PushResult>;
  /** Answers a question that depends on commits alone, given by their full ids; a final answer is cached. */
  askOnce<Answer>(
    question: readonly string[],
    ask: () => Promise<Answer>,
    isFinal: (answer: Answer) => boolean,
  ): Promise<Answer>;
  /** Whether there is room for files that a review can do without. */
  hasRoom(): Promise<boolean>;
}

/** A temporary copy of the newest commit of a default branch. */
export interface GlanceCopy extends Pick<Mirror, 'folder' | 'fetchById'> {
  /** The newest commit at the host; undefined where the repository is empty. */
  readTip(signal: AbortSignal): Promise<string | undefined>;
  /** Fetches that commit with its trees; `tipRef` then points to it. */
  fetchTip(signal: AbortSignal): Promise<void>;
}

export interface Mirrors {
  /**
   * Opens an empty copy while `work` uses it, and removes it afterwards. For callers that need a few files of one commit,
   * where a mirror would fetch the whole history.
   */
  glance<Result>(source: CloneSource, work: (copy: GlanceCopy) => Promise<Result>): Promise<Result>;
  /** Opens an existing mirror for reading while `work` runs; undefined if this server has none. Fetches nothing. */
  look<Result>(
    repository: { readonly organizationId: OrganizationId; readonly repositoryId: RepositoryId },
    work: (folder: string) => Promise<Result>,
  ): Promise<Result | undefined>;
  /** Opens the mirror of a repository while `work` uses it. A damaged mirror is rebuilt, and `work` is called again. */
  use<Result>(
    repository: { readonly organizationId: OrganizationId; readonly repositoryId: RepositoryId },
    source: CloneSource,
    work: (mirror: Mirror) => Promise<Result>,
  ): Promise<Result>;
  /** Removes mirrors that have not been used for long, and then the least recently used ones until the rest fits. */
  trim(now: Date): Promise<void>;
}

/** Messages of Git that mean that the host failed or did not have what was requested, so the mirror itself is not at fault. */
const hostFaults =
  /unable to access|could not read (?:Username|Password)|Authentication failed|couldn't find remote ref|RPC failed|early EOF|hung up|HTTP|not our ref|unadvertised object|Could not resolve|remote error|redirect|expected (?:flush|packfile)/i;

export function isHostFault(error: unknown): boolean {
  return error instanceof GitError && error.fault === 'failed' && hostFaults.test(error.message);
}

/** Whether rebuilding the mirror may help: its files are damaged, or it exceeds its limit. */
function isDamage(error: unknown): boolean {
  return (
    error instanceof GitError &&
    (error.fault === 'too_much' || (error.fault === 'failed' && !isHostFault(error)))
  );
}

/** The share of a mirror for files that a review can do without; the rest is for commits and the files of changes. */
const filesShare = 0.5;

const unusedMs = 30 * 24 * 60 * 60_000;

export function createMirrors(settings: MirrorSettings): Mirrors {
  const inUse = new Map<string, number>();
  const waiting = new Map<string, Promise<unknown>>();
  /** How often each mirror was rebuilt: several users can notice the same damage, and only the first must rebuild it. */
  const builds = new Map<string, number>();
  const answers = new KeptAnswers();

  /** Runs work on a folder sequentially: two fetches would lock the same refs. */
  function inTurn<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
    const turn = (waiting.get(folder) ?? Promise.resolve()).then(work, work);
    const settled = turn.catch(() => {});
    waiting.set(folder, settled);
    void settled.then(() => {
      if (waiting.get(folder) === settled) waiting.delete(folder);
    });
    return turn;
  }

  function mirrorAt(folder: string, source: CloneSource): Mirror {
    const callWith = (signal: AbortSignal): GitCall => ({
      folder,
      searchPath: settings.searchPath,
      signal,
      variables: { GIT_DIR: folder },
    });
    return {
      folder,
      has: async (commit, signal) =>
        (await findCommit({ root: null, call: callWith(signal) }, commit)) !== undefined,
      fetchRefs: (refs, signal) => inTurn(folder, () => fetchRefs(folder, source, refs, settings, signal)),
      fetchById: (ids, signal) => inTurn(folder, () => fetchById(folder, source, ids, settings, signal)),
      writeCommit: (parent, texts, describe, signal) =>
        inTurn(folder, () => writeCommit(callWith(signal), parent, texts, describe)),
      push: (step, signal) => inTurn(folder, () => pushCommit(folder, source, step, settings, signal)),
      askOnce: (question, ask, isFinal) => answers.ask([folder, ...question], ask, isFinal),
      hasRoom: async () => (await sizeOf(folder)) < settings.maxBytes * filesShare,
    };
  }

  /** Keeps a folder from being removed while it is in use. */
  async function whileInUse<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
    inUse.set(folder, (inUse.get(folder) ?? 0) + 1);
    try {
      return await work();
    } finally {
      const users = inUse.get(folder)! - 1;
      if (users === 0) inUse.delete(folder);
      else inUse.set(folder, users);
    }
  }

  const folderOf = (organizationId: OrganizationId, repositoryId: RepositoryId) =>
    path.join(settings.folder, `${organizationId}-${repositoryId}.git`);

  async function rebuild(folder: string, damaged: number): Promise<void> {
    const build = builds.get(folder) ?? 0;
    if (build !== damaged) return;
    builds.set(folder, build + 1);
    await removeMirrorFolder(folder);
    await makeMirrorFolder(folder);
  }

  async function listFolders(): Promise<string[]> {
    const entries = await readdir(settings.folder, { withFileTypes: true }).catch(() => []);
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => path.join(settings.folder, name));
  }

  return {
    glance(source, work) {
      const folder = path.join(settings.folder, `glance-${newUuid()}.git`);
      return whileInUse(folder, async () => {
        try {
          await makeMirrorFolder(folder);
          return await work({
            folder,
            readTip: (signal) => readTip(folder, source, settings, signal),
            fetchTip: (signal) => fetchTip(folder, source, settings, signal),
            fetchById: (ids, signal) => fetchById(folder, source, ids, settings, signal),
          });
        } finally {
          await removeMirrorFolder(folder);
        }
      });
    },
    look({ organizationId, repositoryId }, work) {
      const folder = folderOf(organizationId, repositoryId);
      return whileInUse(folder, async () => {
        if (!(await isMirrorFolder(folder))) return undefined;
        await markUsed(folder);
        return work(folder);
      });
    },
    use({ organizationId, repositoryId }, source, work) {
      const folder = folderOf(organizationId, repositoryId);
      return whileInUse(folder, async () => {
        const isFresh = await inTurn(folder, () => makeMirrorFolder(folder));
        await markUsed(folder);
        const build = builds.get(folder) ?? 0;
        try {
          return await work(mirrorAt(folder, source));
        } catch (error) {
          if (!isDamage(error)) throw error;
          await inTurn(folder, () => rebuild(folder, build));
          if (isFresh) throw error;
          return await work(mirrorAt(folder, source));
        }
      });
    },
    async trim(now) {
      const found = await Promise.all(
        (await listFolders()).map(async (folder) => ({
          folder,
          size: await sizeOf(folder),
          usedAt: await lastUsedAt(folder),
        })),
      );
      found.sort((a, b) => b.usedAt.getTime() - a.usedAt.getTime());
      let total = 0;
      for (const { folder, size, usedAt } of found) {
        total += size;
        const isKept = total <= settings.maxTotalBytes && now.getTime() - usedAt.getTime() < unusedMs;
        if (!isKept && !inUse.has(folder)) {
          await removeMirrorFolder(folder);
          total -= size;
        }
      }
    },
  };
}
