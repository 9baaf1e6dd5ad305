import type { Job } from '../../lib/job.ts';
import type { WorkQueue } from '../../work/work-queue.ts';
import type { Connection, ConnectionId } from './connection-record.ts';
import { forgetDeliveries } from './deliveries/delivery-store.ts';
import { dispatchDeliveries } from './deliveries/dispatch-deliveries.ts';
import { connectHost, type HostDeps, hostFault } from './open-host.ts';
import { findConnections, noteFailure, noteSuccess } from './store.ts';
import { scheduleBackfills } from './syncing/schedule-backfills.ts';
import { sweepIntervalMs } from './syncing/sweep-connection.ts';
import type { ConnectionUnits } from './units.ts';

export interface ConnectionJobDeps extends HostDeps {
  readonly queue: WorkQueue;
  readonly units: ConnectionUnits;
}

const dispatchMs = 1_000;
const lookMs = 60_000;
const syncIntervalMs = 60 * 60_000;
const forgetMs = 60 * 60_000;
const keepDeliveriesMs = 30 * 24 * 60 * 60_000;
const forgottenAtOnce = 1000;
const maxConnections = 10_000;

/**
 * Schedules sweeps and syncs that are due. Hosts do not tell of everything, such as people who leave, so the inventory is
 * read anew from time to time. It also is when the first reading never came about, such as after a restored backup.
 */
async function startDue({ database, queue, units, clock }: ConnectionJobDeps): Promise<void> {
  const isDue = (last: Date | null, intervalMs: number) =>
    last === null || clock().getTime() - last.getTime() >= intervalMs;
  const start = async (unit: 'sync' | 'sweep', id: ConnectionId) => {
    const options = { key: `${id} ${unit}`, group: id };
    await queue.enqueue(database.sql, units[unit], { connectionId: id }, options);
    queue.wake(units[unit].name);
  };
  for (const connection of await findConnections(database.sql, undefined, maxConnections)) {
    const { id, isPaused, syncedAt, sweptAt, createdAt } = connection;
    if (isPaused) continue;
    if (isDue(syncedAt ?? createdAt, syncedAt === null ? lookMs : syncIntervalMs)) await start('sync', id);
    if (syncedAt !== null && isDue(sweptAt, sweepIntervalMs)) await start('sweep', id);
  }
}

/** Asks hosts that refused or were away whether they are there again, so that a connection recovers by itself. */
async function probeFailing(deps: ConnectionJobDeps): Promise<void> {
  const { database, clock } = deps;
  async function probe(connection: Connection): Promise<void> {
    try {
      await (await connectHost(deps, connection)).describeAccount();
      await noteSuccess(database.sql, connection.id, clock());
    } catch (error) {
      const fault = hostFault(error);
      if (fault === undefined) throw error;
      await noteFailure(database.sql, connection.id, fault, clock());
    }
  }
  const found = await findConnections(database.sql, undefined, maxConnections);
  const failing = found.filter(({ failingSince, isPaused }) => failingSince !== null && !isPaused);
  // All at once: one that stalls must not keep another from recovering.
  await Promise.all(failing.map(probe));
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
    { name: 'start-due-readings', intervalMs: lookMs, run: () => startDue(deps) },
    { name: 'resume-backfills', intervalMs: lookMs, run: () => scheduleBackfills(deps) },
    { name: 'probe-failing-connections', intervalMs: lookMs, run: () => probeFailing(deps) },
    { name: 'forget-deliveries', intervalMs: forgetMs, run: () => forgetOld(deps) },
  ];
}
