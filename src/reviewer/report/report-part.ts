import { wakingTimeout } from '../../lib/concurrency/waking-time.ts';
import type { Change } from '../change/change.ts';
import type { ChangeSource } from '../change/change-source.ts';
import { isGeneratedPath, isLockFile } from '../change/file-kinds.ts';
import { treeOfChange } from '../change/tree-of-change.ts';
import type { Workplace } from '../process/part.ts';
import { commitsTouching, cutOffCommits, type PastCommit } from '../repository/history.ts';
import type { OwnersDialect } from '../repository/owners/owners.ts';
import type { RepositoryPlace } from '../repository/repository.ts';
import { GitError } from '../repository/run-git.ts';
import { openTree, type TreeView } from '../repository/tree-view.ts';
import type { Together, Walkthrough } from '../review-report.ts';
import { countLines } from './areas.ts';
import { findInvolved } from './involved.ts';
import type { Involved } from './reviewers.ts';
import { type FileRisk, type FixCount, findFileRisk, mostFixed } from './risk.ts';
import { usuallyTogether } from './together.ts';
import { walkThrough } from './walkthrough.ts';

export interface ReportRequest {
  readonly change: ChangeSource;
  /** The host's dialect of CODEOWNERS; undefined if the host is unknown. */
  readonly dialect: OwnersDialect | undefined;
}

/** Pieces of a report, and notes about missing ones. */
export interface ReportPieces {
  readonly walkthrough?: Walkthrough;
  readonly files?: FileRisk;
  readonly together?: { readonly together: readonly Together[]; readonly total: number };
  readonly fixes?: FixCount | undefined;
  readonly involved?: Involved;
  readonly notes?: readonly string[];
}

/** The maximum number of files whose history is read; those with the most changed lines come first. */
const maxWithHistory = 100;
const walkthroughMs = 8_000;
const historyMs = 6_000;

/** Makes the pieces of the report about the change and its history. Each is reported when it is done, and may fail alone. */
export async function work(
  { change: source, dialect }: ReportRequest,
  place: Workplace,
): Promise<ReportPieces> {
  const change = await place.openChange(source);
  let pieces: ReportPieces = {};
  const notes = new Map<string, readonly string[]>();
  const add = async (name: string, make: () => Promise<ReportPieces>) => {
    notes.set(name, []);
    try {
      const { notes: told = [], ...piece } = await make();
      notes.set(name, told);
      pieces = { ...pieces, ...piece };
    } catch (error) {
      place.signal.throwIfAborted();
      if (error instanceof GitError && error.fault === 'missing') throw error;
      notes.set(name, [
        `The report has no ${name}: ${(error as Error).message.split('\n')[0]!.slice(0, 200)}`,
      ]);
    }
    pieces = { ...pieces, notes: [...notes.values()].flat() };
    place.report(pieces);
  };
  const head =
    source.kind === 'commits' ? openTree(source.repository, source.head) : treeOfChange(change, 'head');
  const base = source.kind === 'commits' ? openTree(source.repository, source.base) : undefined;
  const added = [
    add('walkthrough', async () => {
      const end = AbortSignal.any([wakingTimeout(walkthroughMs), place.deadline]);
      return { walkthrough: await walkThrough(change, head, end) };
    }),
    add('risk by files', async () => ({ files: await findFileRisk(change) })),
  ];
  // Git reads the history at the same time.
  if (source.kind === 'commits' && base !== undefined) {
    const { repository } = source;
    const paths = pathsWithHistory(change);
    const commits = commitsTouching(repository, source.base, paths, historyMs);
    added.push(
      add('history', async () => readHistory(change, repository, head, paths, await commits)),
      add('reviewers', async () => {
        const inBase = await base.paths();
        const known = commits.catch(() => []);
        return findInvolved(change, { ...source, commits: known, paths: inBase, dialect });
      }),
    );
  }
  const ended = await Promise.allSettled(added);
  await Promise.all([head.close(), base?.close()]);
  for (const each of ended) if (each.status === 'rejected') throw each.reason;
  return pieces;
}

function pathsWithHistory({ files }: Change): string[] {
  return files
    .filter(({ path, oldPath }) => oldPath !== null && !isLockFile(path) && !isGeneratedPath(path))
    .map((file) => ({ path: file.oldPath!, ...countLines(file) }))
    .sort((a, b) => b.added + b.removed - (a.added + a.removed))
    .slice(0, maxWithHistory)
    .map(({ path }) => path);
}

async function readHistory(
  { files }: Change,
  repository: RepositoryPlace,
  head: TreeView,
  paths: readonly string[],
  commits: readonly PastCommit[],
): Promise<ReportPieces> {
  const present = await head.paths();
  const touched = new Set(files.flatMap(({ path, oldPath }) => [path, oldPath ?? path]));
  const isCutOff = (await cutOffCommits(repository)).size > 0;
  return {
    together: usuallyTogether(paths, commits, (path) => present.has(path) && !touched.has(path)),
    fixes: mostFixed(paths, commits),
    notes: isCutOff
      ? ['The history is cut off here (a shallow clone), so the report knows little about earlier changes']
      : [],
  };
}
