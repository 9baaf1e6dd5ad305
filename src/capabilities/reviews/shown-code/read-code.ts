import type { CallerContext } from '../../../access/caller-context.ts';
import { onlyOrganization } from '../../../access/org-scope.ts';
import type { Database } from '../../../db/database.ts';
import { AppError } from '../../../lib/app-error.ts';
import type { OrganizationId } from '../../../lib/ids.ts';
import { partAt, type ReviewProcesses } from '../../../reviewer/process/part.ts';
import { PartEnded } from '../../../reviewer/process/part-failure.ts';
import { findMissing } from '../../../reviewer/repository/describe-objects.ts';
import { openRepository, placeOf } from '../../../reviewer/repository/repository.ts';
import { GitError } from '../../../reviewer/repository/run-git.ts';
import type { Mirrors } from '../mirror/mirrors.ts';
import type { ReadCommits } from './code-request.ts';
import { type ComparedCommits, findComparedCommits } from './code-store.ts';
import type { ListedFile } from './list-files-part.ts';
import type { ShownLines } from './read-lines-part.ts';
import type { Patch } from './read-patch-part.ts';

export interface CodeDeps {
  readonly database: Database;
  readonly mirrors: Pick<Mirrors, 'look'>;
  readonly processes: ReviewProcesses;
  readonly searchPath: string | undefined;
}

/**
 * Why there is no code to show: the review compared no commits, this server has no copy of the repository, or its copy no longer
 * has the commits or cannot be read.
 */
export type NoCode = 'no_commits' | 'no_mirror' | 'commits_gone' | 'unreadable';

/** The requested code, or why it is not available. */
export type Shown<Result> =
  | { readonly missing: null; readonly result: Result }
  | { readonly missing: NoCode; readonly result: null };

const listPart = partAt<typeof import('./list-files-part.ts')>('list-files-part', import.meta.url);
const patchPart = partAt<typeof import('./read-patch-part.ts')>('read-patch-part', import.meta.url);
const linesPart = partAt<typeof import('./read-lines-part.ts')>('read-lines-part', import.meta.url);

type Ask = (
  commits: ReadCommits,
  /** Untrusted code is read in a review process; urgent, because a person is waiting. */
  order: { readonly group: string; readonly signal: AbortSignal; readonly isUrgent: true },
) => Promise<unknown>;

/** The run whose code is requested; `signal` aborts when the client is gone. */
export interface CodeQuestion {
  readonly runId: string;
  readonly signal: AbortSignal;
}

const tooMuch = 'This change takes too long, or too much memory, to be read';

function whyAborted({ reason }: AbortSignal): string {
  return reason instanceof DOMException && reason.name === 'TimeoutError'
    ? tooMuch
    : 'Nobody waits for this any more';
}

/** Reads in the existing mirror, for people who may read the repository at its host. Nothing is fetched or stored. */
async function inMirror<Work extends Ask>(
  deps: CodeDeps,
  { scope, principal }: Pick<CallerContext, 'scope' | 'principal'>,
  { runId, signal }: CodeQuestion,
  work: Work,
): Promise<Shown<Awaited<ReturnType<Work>>>> {
  const { organization, rights } = onlyOrganization(scope);
  const found = await findComparedCommits(
    deps.database.sql,
    { organizationId: organization.id, runId },
    'owner' in principal ? principal.owner : null,
  );
  if (found === undefined) throw new AppError('NOT_FOUND', 'There is no such review');
  if (!found.isReader && !rights.isAdmin)
    throw new AppError('PERMISSION_DENIED', 'You may not read the code of this repository at its host');
  try {
    const shown = await look(deps, organization.id, found, signal, work);
    return shown as Shown<Awaited<ReturnType<Work>>>;
  } catch (error) {
    if (signal.aborted) throw new AppError('SERVICE_UNAVAILABLE', whyAborted(signal));
    if (error instanceof GitError && error.fault === 'failed') return { missing: 'unreadable', result: null };
    if (error instanceof PartEnded || error instanceof GitError)
      throw new AppError('SERVICE_UNAVAILABLE', tooMuch);
    throw error;
  }
}

async function look(
  { mirrors, searchPath }: CodeDeps,
  organizationId: OrganizationId,
  { repositoryId, base, head }: ComparedCommits,
  signal: AbortSignal,
  work: Ask,
): Promise<Shown<unknown>> {
  if (base === null || head === null) return { missing: 'no_commits', result: null };
  const shown = await mirrors.look(
    { organizationId, repositoryId },
    async (folder): Promise<Shown<unknown>> => {
      const repository = await openRepository(folder, { searchPath, signal });
      try {
        if ((await findMissing(repository, [base, head])).length > 0)
          return { missing: 'commits_gone', result: null };
        const commits = { repository: placeOf(repository), base, head };
        return {
          missing: null,
          result: await work(commits, { group: organizationId, signal, isUrgent: true }),
        };
      } finally {
        await repository.close();
      }
    },
  );
  return shown ?? { missing: 'no_mirror', result: null };
}

/** The files that a review compared, without their lines. */
export function listFiles(
  deps: CodeDeps,
  context: Pick<CallerContext, 'scope' | 'principal'>,
  question: CodeQuestion,
): Promise<Shown<{ readonly files: readonly ListedFile[]; readonly total: number }>> {
  return inMirror(deps, context, question, (commits, order) => deps.processes.run(listPart, commits, order));
}

/** What changed in one file. */
export async function readPatch(
  deps: CodeDeps,
  context: Pick<CallerContext, 'scope' | 'principal'>,
  question: CodeQuestion & { readonly path: string; readonly oldPath: string | null },
): Promise<Shown<Patch>> {
  const { path, oldPath } = question;
  const shown = await inMirror(deps, context, question, (commits, order) =>
    deps.processes.run(patchPart, { ...commits, path, oldPath }, order),
  );
  return found(shown, 'This review compared no such file');
}

/** Lines of a file before or after the change, changed or not. */
export async function readLines(
  deps: CodeDeps,
  context: Pick<CallerContext, 'scope' | 'principal'>,
  question: CodeQuestion & {
    readonly path: string;
    readonly side: 'old' | 'new';
    readonly startLine: number;
    readonly endLine: number;
  },
): Promise<Shown<ShownLines>> {
  const { path, side, startLine, endLine } = question;
  const shown = await inMirror(deps, context, question, ({ repository, base, head }, order) => {
    const revision = side === 'new' ? head : base;
    return deps.processes.run(linesPart, { repository, revision, path, startLine, endLine }, order);
  });
  return found(shown, 'There is no such file here, or it is no text');
}

function found<Result>(shown: Shown<Result | null>, otherwise: string): Shown<Result> {
  if (shown.missing !== null) return shown;
  if (shown.result === null) throw new AppError('NOT_FOUND', otherwise);
  return { missing: null, result: shown.result };
}
