import type { WorkQueue } from '../../../work/work-queue.ts';
import type { Connection } from '../connection-record.ts';
import type { Host } from '../hosts/host.ts';
import type { HostDeps } from '../open-host.ts';
import { findConnectedRepositories, findOpenPullRequests } from '../reading/read-store.ts';
import { subjectKey } from '../subject.ts';
import type { ConnectionUnits } from '../work-units.ts';

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

/** Schedules the reading of every pull request that changed since the last sweep, and of the open ones that changed recently. */
export async function sweepConnection(deps: SweepDeps, connection: Connection, host: Host): Promise<void> {
  const { sql } = deps.database;
  const startedAt = deps.clock();
  const since = new Date(
    (connection.sweptAt?.getTime() ?? startedAt.getTime() - firstSweepDays * dayMs) - overlapMs,
  );
  const { readPullRequest } = deps.units();
  const schedule = async (repositoryId: string, number: number) => {
    const subject = subjectKey({ kind: 'pull_request', repositoryId, number });
    await deps.queue.enqueue(
      sql,
      readPullRequest,
      { connectionId: connection.id, subject },
      { key: `${connection.id} ${subject}`, group: connection.id },
    );
  };
  for (const { providerRepositoryId: id, fullName } of await findConnectedRepositories(sql, connection.id))
    for await (const { number } of host.listChanged({ id, fullName }, since)) await schedule(id, number);
  const openSince = new Date(startedAt.getTime() - openDays * dayMs);
  for (const open of await findOpenPullRequests(sql, connection.id, openSince))
    await schedule(open.provider_repository_id, open.number);
  await sql`UPDATE connections SET swept_at = ${startedAt} WHERE id = ${connection.id}`;
  deps.queue.wake(readPullRequest.name);
}
