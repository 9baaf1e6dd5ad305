import type { UnitOfWork } from '../../work/unit-of-work.ts';
import type { WorkQueue } from '../../work/work-queue.ts';
import type { Capability } from '../capability.ts';
import type { PullRequestListener } from '../connections/reading/pull-request-listener.ts';
import { dashboardDependencyEndpoints } from './dashboard-routes.ts';
import type { InventoryKey } from './inventory-record.ts';
import { lookAfterMerge } from './look-again.ts';
import type { RefreshDeps } from './refresh-inventory.ts';
import { dependencyEndpoints } from './routes.ts';
import { inventorySchedules } from './schedules.ts';

export interface DependenciesDeps extends RefreshDeps {
  readonly queue: WorkQueue;
}

const dayMs = 24 * 60 * 60_000;

/** The dependencies of an organization's repositories. Told about pull requests after the other capabilities. */
export function dependencyInventories(
  deps: DependenciesDeps,
  following: PullRequestListener,
): Capability & { readonly pullRequests: PullRequestListener } {
  const unit: UnitOfWork<InventoryKey> = {
    name: 'read-dependencies',
    // One at a time, so that reviews, for which people wait, have priority.
    atOnce: 1,
    atOncePerGroup: 1,
    maxSeconds: 600,
    retries: { count: 3, firstPauseSeconds: 30, maxPauseSeconds: 600 },
    async run(key, { signal }) {
      // Imported on first use, as in reviews/review-units.ts.
      const { refreshInventory } = await import('./refresh-inventory.ts');
      await refreshInventory(deps, key, signal);
    },
    async onGivenUp({ organizationId, repositoryId }) {
      const note = 'The default branch could not be read; it is tried again a day later';
      await deps.database.sql`
        UPDATE repository_inventories
        SET due_at = ${new Date(deps.clock().getTime() + dayMs)}, notes = array_append(array_remove(notes, ${note}), ${note})
        WHERE organization_id = ${organizationId} AND repository_id = ${repositoryId}`;
    },
  };
  return {
    endpoints: [...dependencyEndpoints(deps), ...dashboardDependencyEndpoints(deps)],
    units: [unit],
    schedules: inventorySchedules({ ...deps, unit }),
    pullRequests: {
      async onRead(reading) {
        await following.onRead(reading);
        await lookAfterMerge(deps, reading);
      },
      describe: (repository, number) => following.describe(repository, number),
    },
  };
}
