import type { RepositoryId } from '../../../lib/ids.ts';
import type { WorkQueue } from '../../../work/work-queue.ts';
import type { Connection } from '../connection-record.ts';
import type { Host } from '../hosts/host.ts';
import type { HostDeps } from '../open-host.ts';
import { enqueueReading } from '../reading/enqueue-reading.ts';
import { findOpenPullRequests } from '../reading/read-store.ts';
import type { ConnectionUnits } from '../work-units.ts';
import { eachOnItsOwn, PartsUnread } from './each-on-its-own.ts';
import { findSweeps, noteFirstSweep, noteSwept } from './sweep-store.ts';

export interface SweepDeps extends HostDeps {
  readonly queue: WorkQueue;
  readonly units: () => ConnectionUnits;
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
/** Clocks differ, and what changes during a sweep is found by the next one. */
const overlapMs = 5 * minuteMs;
const openDays = 14;
const firstSweepDays = 1;

/**
 * Enqueues the reading of every pull request that changed since the last sweep, and of the open ones that changed recently.
 * A repository whose list cannot be read is reported once the others have been swept; its next sweep starts where its last
 * one did.
 */
export async function sweepConnection(deps: SweepDeps, connection: Connection, host: Host): Promise<void> {
  const { sql } = deps.database;
  const startedAt = deps.clock();
  const { readPullRequest } = deps.units();
  const enqueueUnit = (repositoryId: string, number: number) =>
    enqueueReading(deps, readPullRequest, connection.id, { repositoryId, number });
  const firstSince = new Date(startedAt.getTime() - firstSweepDays * dayMs);
  await noteFirstSweep(sql, connection.id, firstSince);
  const swept: RepositoryId[] = [];
  const faults = await eachOnItsOwn(host, await findSweeps(sql, connection.id), async (repository) => {
    const { providerRepositoryId: id, fullName, sweptAt } = repository;
    for await (const { number } of host.listChanged(
      { id, fullName },
      new Date(sweptAt.getTime() - overlapMs),
    ))
      await enqueueUnit(id, number);
    swept.push(repository.repositoryId);
  });
  const openSince = new Date(startedAt.getTime() - openDays * dayMs);
  for (const open of await findOpenPullRequests(sql, connection.id, openSince))
    await enqueueUnit(open.provider_repository_id, open.number);
  await noteSwept(sql, connection.id, swept, startedAt);
  deps.queue.wake(readPullRequest.name);
  if (faults.length > 0) throw new PartsUnread(faults, ({ fullName }) => fullName);
}
