import type { Schedule } from '../../../../lib/schedule.ts';
import { RetryLater, type UnitOfWork } from '../../../../work/unit-of-work.ts';
import type { WorkQueue } from '../../../../work/work-queue.ts';
import { type HostDeps, withHost } from '../../../connections/open-host.ts';
import { findServingConnection } from '../../../connections/reading/serving-connection.ts';
import type { RunKey } from '../../runs/run-record.ts';
import { clearStatusDue, findUnshownEnd, findUnshownEnds } from './due-status-store.ts';
import type { RunUrl } from './show-state.ts';

export type ShowRunEndDeps = HostDeps & { readonly runUrl: RunUrl };

const heldPauseSeconds = 2;
const intervalMs = 10_000;
const maxAtOnce = 1_000;
/** After this time, a host that accepts no status is given up. */
const patienceMs = 7 * 24 * 60 * 60_000;

/**
 * The unit of work that shows the end of a run without a result: stopped, superseded or failed. Otherwise the pending status
 * would stay forever, and could block the merge.
 */
export function showRunEndUnit(deps: ShowRunEndDeps): UnitOfWork<RunKey> {
  return {
    name: 'show-run-end',
    atOnce: 2,
    atOncePerGroup: 1,
    maxSeconds: 120,
    retries: { count: 20, firstPauseSeconds: 2, maxPauseSeconds: 300 },
    run: (key) => showRunEnd(deps, key),
  };
}

async function showRunEnd(deps: ShowRunEndDeps, key: RunKey): Promise<void> {
  const { sql } = deps.database;
  const end = await findUnshownEnd(sql, key);
  if (end === undefined) return;
  if (end.isHeld) throw new RetryLater('an attempt at the run is still under way', heldPauseSeconds);
  const served = await findServingConnection(sql, end.organizationId, end.repositoryId);
  // Done even if reviews were turned off, because it replaces a status that was posted before.
  if (served !== undefined && !end.isReplaced) {
    // Imported on first use, as in review-units.ts.
    const { showEnd } = await import('./show-state.ts');
    await withHost(deps, served.connection.id, (host) =>
      showEnd(deps, host, served, { ...key, ...end }, end.status, end.reason),
    );
  }
  await clearStatusDue(sql, key);
}

/** Finds ends that are still to be shown, so that they are shown even if the node that ended the run crashed. */
export function showRunEndsSchedule({
  database,
  queue,
  clock,
  unit,
}: ShowRunEndDeps & { readonly queue: WorkQueue; readonly unit: UnitOfWork<RunKey> }): Schedule {
  return {
    name: 'show ends of reviews',
    intervalMs,
    async run() {
      const endedAfter = new Date(clock().getTime() - patienceMs);
      const ended = await findUnshownEnds(database.sql, endedAfter, maxAtOnce);
      if (ended.length === 0) return;
      const work = ended.map((data) => ({
        data,
        options: { key: data.runId, group: data.organizationId },
      }));
      await queue.enqueueAll(database.sql, unit, work);
      queue.wake(unit.name);
    },
  };
}
