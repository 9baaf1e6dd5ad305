import { findArchiveFault, type KeptArchive, readArchiveState } from '../../db/archive/keep-archive.ts';
import type { Database } from '../../db/database.ts';
import { collectedGauge, type MetricsRegistry } from '../../lib/metrics.ts';

/** Registers gauges for the archive of the embedded database. */
export function measureArchive(registry: MetricsRegistry, database: Database, archive: KeptArchive): void {
  collectedGauge(
    registry,
    {
      name: 'postil_archive_failing',
      help: 'Whether the log of the embedded database cannot be archived, or the archive belongs to another server',
    },
    async () => [[{}, (await findArchiveFault(database, archive)) === undefined ? 0 : 1]],
  );
  collectedGauge(
    registry,
    {
      name: 'postil_archive_oldest_waiting_timestamp_seconds',
      help: 'Unix time since which the oldest log of the embedded database waits to be archived; absent when none waits',
    },
    async () => {
      const { oldestWaitingAt } = await readArchiveState(database);
      return oldestWaitingAt === null ? [] : [[{}, oldestWaitingAt.getTime() / 1000]];
    },
  );
}
