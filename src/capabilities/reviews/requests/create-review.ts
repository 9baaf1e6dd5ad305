import type { CallerContext } from '../../../access/caller-context.ts';
import { onlyOrganization } from '../../../access/org-scope.ts';
import { AppError } from '../../../lib/app-error.ts';
import { newUuid } from '../../../lib/uuid.ts';
import type { SentDiff } from '../../../reviewer/change/change-source.ts';
import { DiffError } from '../../../reviewer/change/file-sections.ts';
import type { ReviewProcesses } from '../../../reviewer/process/part.ts';
import { checkSentDiff } from '../../../reviewer/review/sent-diff/sent-diff.ts';
import type { UnitOfWork } from '../../../work/unit-of-work.ts';
import type { WorkQueue } from '../../../work/work-queue.ts';
import type { HostDeps } from '../../connections/open-host.ts';
import { hasSeat } from '../../people/seats/has-seat.ts';
import type { PullRequestKey } from '../../pull-requests/pull-request-state.ts';
import { findReviewable } from '../reviewed-pull-requests/find-reviewable.ts';
import { insertPullRequest } from '../reviewed-pull-requests/pull-request-store.ts';
import { queueRun } from '../reviewed-pull-requests/queue-run.ts';
import { maxWaitingBytes } from '../runs/run-limits.ts';
import type { RunKey, RunMode, RunStatus } from '../runs/run-record.ts';
import { countWaitingBytes, findRepository, insertRun } from '../runs/store.ts';

export interface RunDeps extends HostDeps {
  readonly queue: WorkQueue;
  readonly unit: UnitOfWork<RunKey>;
  readonly processes: ReviewProcesses;
}

export interface ReviewInput {
  /** The id at the Git provider. */
  readonly repositoryId: string;
  readonly mode: RunMode;
  readonly subject: (SentDiff & { readonly baseRevision: string | null }) | { readonly pullRequest: number };
}

/** The size of a diff and its contents, in UTF-8. */
export function sizeOfDiff({ diff, files }: SentDiff): number {
  return files.reduce((bytes, { content }) => bytes + Buffer.byteLength(content), Buffer.byteLength(diff));
}

/** Stores a run that reviews a diff or a pull request. The run is durable: any node does it soon, even if this one crashes. */
export async function createReview(
  deps: RunDeps,
  context: CallerContext,
  { repositoryId: providerRepositoryId, mode, subject }: ReviewInput,
): Promise<{ id: string; status: RunStatus }> {
  const { database, queue, unit } = deps;
  const { organization } = onlyOrganization(context.scope);
  const { principal } = context;
  if (principal.owner === null || !(await hasSeat(database.sql, organization, principal.owner)))
    throw new AppError('SEAT_REQUIRED', "The key's owner needs a seat");
  const organizationId = organization.id;
  const repositoryId = await findRepository(database.sql, organizationId, providerRepositoryId);
  if (repositoryId === undefined) throw new AppError('NOT_FOUND', 'There is no such repository');
  if ('pullRequest' in subject)
    return createPullRequestReview(
      deps,
      context,
      { organizationId, repositoryId, number: subject.pullRequest },
      mode,
    );
  await checkSentDiff(deps.processes, organizationId, subject).catch((error: unknown) => {
    if (!(error instanceof DiffError)) throw error;
    throw new AppError('INVALID_REQUEST', `diff: cannot be read: ${error.message}`);
  });
  const bytes = sizeOfDiff(subject);
  const runId = newUuid();
  await database.transaction(async (tx) => {
    if ((await countWaitingBytes(tx, organizationId)) + bytes > maxWaitingBytes)
      throw new AppError('RATE_LIMIT_EXCEEDED', 'Too many reviews of this organization are waiting', 30);
    const { actor, now: createdAt } = context;
    const run = { organizationId, runId, repositoryId, trigger: 'api', mode, createdAt, actor } as const;
    await insertRun(tx, { ...run, apiKeyId: principal.keyId }, { sent: subject, bytes });
    await queue.enqueue(tx, unit, { organizationId, runId }, { key: runId, group: organizationId });
    await context.confirmRights([organizationId]);
  });
  queue.wake(unit.name);
  return { id: runId, status: 'queued' };
}

async function createPullRequestReview(
  deps: RunDeps,
  context: CallerContext,
  key: PullRequestKey,
  mode: RunMode,
): Promise<{ id: string; status: RunStatus }> {
  const { database, queue, unit } = deps;
  const pull = await findReviewable(deps, key);
  const { actor, now, principal } = context;
  const request = { trigger: 'api', mode, pull, actor, apiKeyId: principal.keyId } as const;
  const id = await database.transaction(async (tx) => {
    // This run takes the place of the one that the opening would start, so both are stored or neither.
    if (pull.unstored !== null)
      await insertPullRequest(tx, key, pull.unstored.pull, pull.unstored.readAt, null);
    const runId = await queueRun(tx, deps, key, request, now);
    await context.confirmRights([key.organizationId]);
    return runId;
  });
  queue.wake(unit.name);
  return { id, status: 'queued' };
}
