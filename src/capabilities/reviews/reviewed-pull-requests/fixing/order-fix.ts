import type { CallerContext } from '../../../../access/caller-context.ts';
import { onlyOrganization } from '../../../../access/org-scope.ts';
import type { Database, Tx } from '../../../../db/database.ts';
import { AppError } from '../../../../lib/app-error.ts';
import type { UnitOfWork } from '../../../../work/unit-of-work.ts';
import type { WorkQueue } from '../../../../work/work-queue.ts';
import { findAccount } from '../../../people/find-account.ts';
import { hasSeat } from '../../../people/seats/has-seat.ts';
import type { Fix, FixActor, FixKey } from '../../runs/fix-record.ts';
import { findFix, findFixOfRun, requestFix, requestOfRun } from '../../runs/fix-store.ts';
import { findReviewed } from '../find-reviewed.ts';
import { lockRunWithPull, type RunWithPull, reasonOutdated } from '../run-with-pull.ts';
import { fixRefusals } from './fix-refusals.ts';

export interface OrderFixDeps {
  readonly database: Database;
  readonly queue: WorkQueue;
  readonly fixUnit: UnitOfWork<FixKey>;
}

/**
 * Requests a commit of a run's safe suggestions to the branch of its pull request. Repeating the request has no effect while
 * it waits or once it is done; after a refusal it is tried again.
 */
export async function orderFix(
  { database, queue, fixUnit }: OrderFixDeps,
  context: CallerContext,
  runId: string,
): Promise<Fix> {
  const { organization } = onlyOrganization(context.scope);
  const { owner } = context.principal;
  if (owner === null || !(await hasSeat(database.sql, organization, owner)))
    throw new AppError('SEAT_REQUIRED', "The key's owner needs a seat");
  const account = await findAccount(database.sql, organization.id, owner);
  if (account === undefined) throw new AppError('CONFLICT', fixRefusals.mayNotPush);
  const actor: FixActor = { ...context.actor, id: account.id, name: account.username };
  const fix = await database.transaction(async (tx) => {
    const run = await lockRunWithPull(tx, { organizationId: organization.id, runId });
    if (run === undefined) throw new AppError('NOT_FOUND', 'There is no such review');
    if (run.number === null) throw new AppError('CONFLICT', 'This review is not about a pull request');
    const key = { ...run, number: run.number, request: requestOfRun(runId) };
    const known = await findFix(tx, key);
    if (known !== undefined && known.state !== 'refused') return known;
    const ofAnybody = await findFixOfRun(tx, run);
    if (ofAnybody?.state === 'done') return ofAnybody;
    const reason = await reasonToRefuse(tx, key);
    if (reason !== null) throw new AppError('CONFLICT', reason);
    const { organizationId, repositoryId, number, request } = key;
    const options = { key: runId, group: organizationId };
    await queue.enqueue(tx, fixUnit, { organizationId, repositoryId, number, request }, options);
    const requested = await requestFix(tx, { ...key, actor, requestedAt: context.now });
    await context.confirmRights([organizationId]);
    return requested;
  });
  queue.wake(fixUnit.name);
  return fix;
}

/** Reasons to refuse that are known without asking the host. */
async function reasonToRefuse(
  tx: Tx,
  run: RunWithPull & { readonly number: number },
): Promise<string | null> {
  if (!['succeeded', 'degraded'].includes(run.status))
    return 'The review has no result to take suggestions from';
  const outdated = reasonOutdated(run);
  if (outdated !== null) return outdated;
  if ((await findReviewed(tx, run))?.facts.isFork === true) return fixRefusals.fork;
  // Imported on first use, as in review-units.ts.
  const { findFixable } = await import('./fixable-findings.ts');
  return (await findFixable(tx, run)).length === 0 ? fixRefusals.nothing : null;
}
