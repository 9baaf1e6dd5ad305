import { deleteInSteps } from '../../db/delete-in-steps.ts';
import type { Schedule } from '../../lib/schedule.ts';
import type { WorkQueue } from '../../work/work-queue.ts';
import type { Connection, ConnectionId } from './connection-record.ts';
import { deleteOldDeliveries } from './deliveries/delivery-store.ts';
import { dispatchDeliveries } from './deliveries/dispatch-deliveries.ts';
import { defaultHookMemoryDays } from './deliveries/hook-memory.ts';
import { connectHost, type HostDeps, hostFault } from './open-host.ts';
import { findDueConnections, findFailingConnections, noteFailure, noteSuccess } from './store.ts';
import { enqueueRepositories } from './syncing/enqueue-repositories.ts';
import type { ConnectionUnits } from './work-units.ts';

export interface ConnectionScheduleDeps extends HostDeps {
  readonly queue: WorkQueue;
  readonly units: ConnectionUnits;
  readonly settings: { readonly hookMemoryDays?: number | undefined };
}

const dispatchIntervalMs = 1_000;
const checkIntervalMs = 60_000;
/** How often the inventory of a connection is read. */
const syncIntervalMs = 60 * 60_000;
/** How often missed deliveries are looked for. The dashboard and the guide on connections name it. */
const sweepIntervalMs = 15 * 60_000;
const cleanUpIntervalMs = 60 * 60_000;
const dayMs = 24 * 60 * 60_000;

/**
 * Schedules sweeps and syncs that are due. Hosts do not report everything, such as people who leave, so the inventory is
 * read again from time to time. The same applies if the first sync never happened, such as after a restored backup.
 */
async function startDue({ database, queue, units, clock }: ConnectionScheduleDeps): Promise<void> {
  const ago = (intervalMs: number) => new Date(clock().getTime() - intervalMs);
  const isDue = (last: Date | null, intervalMs: number) => last === null || last <= ago(intervalMs);
  const start = async (unit: 'sync' | 'sweep', id: ConnectionId) => {
    const options = { key: `${id} ${unit}`, group: id };
    await queue.enqueue(database.sql, units[unit], { connectionId: id }, options);
    queue.wake(units[unit].name);
  };
  const due = await findDueConnections(database.sql, {
    synced: ago(syncIntervalMs),
    swept: ago(sweepIntervalMs),
  });
  for (const { id, syncedAt, sweptAt, createdAt } of due) {
    if (isDue(syncedAt ?? createdAt, syncedAt === null ? checkIntervalMs : syncIntervalMs))
      await start('sync', id);
    if (syncedAt !== null && isDue(sweptAt, sweepIntervalMs)) await start('sweep', id);
  }
}

/** Probes hosts that refused or were unavailable, so that a connection recovers by itself. */
async function probeFailing(deps: ConnectionScheduleDeps): Promise<void> {
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
  const failing = await findFailingConnections(database.sql);
  // In parallel, so that a host that does not answer keeps no other connection from recovering.
  await Promise.all(failing.map(probe));
}

async function deleteOld(
  { database, clock, settings }: ConnectionScheduleDeps,
  signal: AbortSignal,
): Promise<void> {
  const memoryDays = settings.hookMemoryDays ?? defaultHookMemoryDays;
  const before = new Date(clock().getTime() - memoryDays * dayMs);
  await deleteInSteps(signal, (limit) => deleteOldDeliveries(database.sql, before, limit));
}

/** The periodic work: dispatching deliveries, syncs and sweeps, what repositories lack, probing failing hosts, deleting old deliveries. */
export function connectionSchedules(deps: ConnectionScheduleDeps): Schedule[] {
  return [
    {
      name: 'dispatch-deliveries',
      intervalMs: dispatchIntervalMs,
      run: () => dispatchDeliveries(deps, deps.clock()),
    },
    { name: 'start-due-readings', intervalMs: checkIntervalMs, run: () => startDue(deps) },
    { name: 'resume-repositories', intervalMs: checkIntervalMs, run: () => enqueueRepositories(deps) },
    { name: 'probe-failing-connections', intervalMs: checkIntervalMs, run: () => probeFailing(deps) },
    { name: 'forget-deliveries', intervalMs: cleanUpIntervalMs, run: (signal) => deleteOld(deps, signal) },
  ];
}
