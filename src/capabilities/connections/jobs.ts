import type { Job } from '../../lib/job.ts';
import type { WorkQueue } from '../../work/work-queue.ts';
import { forgetDeliveries } from './deliveries/delivery-store.ts';
import { dispatchDeliveries } from './deliveries/dispatch-deliveries.ts';
import { connectHost, type HostDeps, hostFault } from './open-host.ts';
import { findConnections, noteFailure, noteSuccess } from './store.ts';
import { sweepIntervalMs } from './syncing/sweep-connection.ts';
import type { ConnectionUnits } from './units.ts';

export interface ConnectionJobDeps extends HostDeps {
  readonly queue: WorkQueue;
  readonly units: ConnectionUnits;
}

const dispatchMs = 1_000;
const lookMs = 60_000;
const forgetMs = 60 * 60_000;
const keepDeliveriesMs = 30 * 24 * 60 * 60_000;
const forgottenAtOnce = 1000;
const maxConnections = 10_000;

async function startSweeps({ database, queue, units, clock }: ConnectionJobDeps): Promise<void> {
  const dueSince = new Date(clock().getTime() - sweepIntervalMs);
  for (const { id, isPaused, syncedAt, sweptAt } of await findConnections(
    database.sql,
    undefined,
    maxConnections,
  )) {
    if (isPaused || syncedAt === null || (sweptAt !== null && sweptAt > dueSince)) continue;
    await queue.enqueue(database.sql, units.sweep, { connectionId: id }, { key: `${id} sweep`, group: id });
    queue.wake(units.sweep.name);
  }
}

/** Asks hosts that refused or were away whether they are there again, so that a connection recovers by itself. */
async function probeFailing(deps: ConnectionJobDeps): Promise<void> {
  const { database, clock } = deps;
  for (const connection of await findConnections(database.sql, undefined, maxConnections)) {
    if (connection.failingSince === null || connection.isPaused) continue;
    try {
      await (await connectHost(deps, connection)).describeAccount();
      await noteSuccess(database.sql, connection.id, clock());
    } catch (error) {
      const fault = hostFault(error);
      if (fault === undefined) throw error;
      await noteFailure(database.sql, connection.id, fault, clock());
    }
  }
}

async function forgetOld({ database, clock }: ConnectionJobDeps): Promise<void> {
  const before = new Date(clock().getTime() - keepDeliveriesMs);
  while ((await forgetDeliveries(database.sql, before, forgottenAtOnce)) === forgottenAtOnce);
}

/** What is due by time: scheduling waiting deliveries, sweeps, looking after failing hosts, forgetting old deliveries. */
export function connectionJobs(deps: ConnectionJobDeps): Job[] {
  return [
    {
      name: 'dispatch-deliveries',
      intervalMs: dispatchMs,
      run: () => dispatchDeliveries(deps, deps.clock()),
    },
    { name: 'sweep-connections', intervalMs: lookMs, run: () => startSweeps(deps) },
    { name: 'probe-failing-connections', intervalMs: lookMs, run: () => probeFailing(deps) },
    { name: 'forget-deliveries', intervalMs: forgetMs, run: () => forgetOld(deps) },
  ];
}
