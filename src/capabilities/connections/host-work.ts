import type { UnitOfWork } from '../../work/unit-of-work.ts';
import type { WorkQueue } from '../../work/work-queue.ts';
import type { ConnectionId } from './connection-record.ts';
import { giveUpDeliveries } from './deliveries/delivery-store.ts';
import { settleDeliveries } from './deliveries/settle-deliveries.ts';
import { withHost } from './open-host.ts';
import { type ReadDeps, readDelivered } from './reading/read-pull-request.ts';
import { findConnection } from './store.ts';
import { subjectKey } from './subject.ts';
import { backfillRepository } from './syncing/backfill-repository.ts';
import { noteBackfill } from './syncing/backfill-store.ts';
import { PartsUnread } from './syncing/each-on-its-own.ts';
import { enqueueRepositories } from './syncing/enqueue-repositories.ts';
import { noteOpenRead } from './syncing/open-store.ts';
import { readOpen } from './syncing/read-open.ts';
import { sweepConnection } from './syncing/sweep-connection.ts';
import { type SyncDeps, syncConnection } from './syncing/sync-connection.ts';
import type { ConnectionUnits } from './work-units.ts';

export type HostWorkDeps = ReadDeps & SyncDeps & { readonly queue: WorkQueue };

type Served = { readonly connectionId: ConnectionId };

// The retries cover an outage of a day; the pauses grow to five minutes.
const retries = { count: 300, firstPauseSeconds: 5, maxPauseSeconds: 300 };

const inventoryKey = subjectKey({ kind: 'inventory' });

/** The units of work that read from hosts; each may run twice, and no single connection takes up all the capacity. */
export function hostWorkUnits(deps: HostWorkDeps): ConnectionUnits {
  const units: ConnectionUnits = {
    readPullRequest: {
      name: 'read-pull-request',
      atOnce: 8,
      atOncePerGroup: 4,
      maxSeconds: 120,
      retries,
      run: (data) =>
        readDelivered(deps, data, async () => {
          const { connectionId } = data;
          const options = { key: `${connectionId} inventory`, group: connectionId };
          await deps.queue.enqueue(deps.database.sql, units.sync, { connectionId }, options);
          deps.queue.wake(units.sync.name);
        }),
      onGivenUp: ({ connectionId, subject }) => giveUpDeliveries(deps.database.sql, connectionId, subject),
    },
    sync: {
      ...unitOf('sync-connection', async ({ connectionId }) => {
        try {
          await settleDeliveries(deps.database.sql, connectionId, inventoryKey, () =>
            withHost(deps, connectionId, (host, connection) => syncConnection(deps, connection, host)),
          );
        } finally {
          // Also if only some organizations could be read.
          await enqueueRepositories({ ...deps, units }, connectionId);
        }
      }),
      onGivenUp: ({ connectionId }) => giveUpDeliveries(deps.database.sql, connectionId, inventoryKey),
    },
    sweep: unitOf('sweep-connection', ({ connectionId }) =>
      withHost(deps, connectionId, (host, connection) =>
        sweepConnection({ ...deps, units: () => units }, connection, host),
      ).catch((error: unknown) => {
        // Not retried: a retry would read all the other repositories again and use up the host's rate limit. The next sweep
        // reads those that failed.
        if (!(error instanceof PartsUnread)) throw error;
      }),
    ),
    readOpen: {
      ...unitOf<Served & { repositoryId: string }>(
        'read-open-pull-requests',
        ({ connectionId, repositoryId }, { signal }) =>
          withHost(deps, connectionId, (host, connection) =>
            readOpen({ ...deps, units: () => units }, connection, host, repositoryId, signal),
          ),
      ),
      maxSeconds: 6 * 60 * 60,
      onGivenUp: ({ connectionId, repositoryId }) =>
        noteOpenRead(deps.database.sql, connectionId, repositoryId, 'failed'),
    },
    backfill: {
      ...unitOf<Served & { repositoryId: string }>(
        'backfill-repository',
        ({ connectionId, repositoryId }, { signal }) =>
          withHost(deps, connectionId, (host, connection) =>
            backfillRepository(deps, connection, host, repositoryId, signal),
          ),
      ),
      maxSeconds: 6 * 60 * 60,
      async onGivenUp({ connectionId, repositoryId }) {
        const connection = await findConnection(deps.database.sql, connectionId);
        if (connection !== undefined)
          await noteBackfill(deps.database.sql, connection, repositoryId, { state: 'failed' });
      },
    },
  };
  return units;
}

function unitOf<Data extends Served>(name: string, run: UnitOfWork<Data>['run']): UnitOfWork<Data> {
  return { name, atOnce: 3, atOncePerGroup: 1, maxSeconds: 60 * 60, retries, run };
}
