import type { Logger } from '../../../lib/log.ts';
import type { Schedule } from '../../../lib/schedule.ts';
import type { Database } from '../../database.ts';
import { type BackgroundIndex, backgroundIndexes } from './background-indexes.ts';
import { buildIndexes, findReadyIndexes } from './build-indexes.ts';

/** The indexes that are built while the server runs. */
export interface IndexesInBackground {
  /** Whether statements can rely on the index: it was complete when this node last checked. */
  isReady(name: string): boolean;
  /** The number of incomplete indexes at the first check. */
  readonly missing: number;
  /** Builds missing indexes, on one node at a time, and notices those that another node has built. */
  readonly schedule: Schedule;
}

const intervalMs = 60_000;

/** Looks up which indexes are complete; the schedule builds the others. */
export async function watchIndexes(
  { database, log }: { readonly database: Database; readonly log: Logger },
  indexes: readonly BackgroundIndex[] = backgroundIndexes,
): Promise<IndexesInBackground> {
  let ready = await findReadyIndexes(database.sql, indexes);
  return {
    isReady: (name) => ready.has(name),
    missing: indexes.length - ready.size,
    schedule: {
      name: 'build-indexes',
      intervalMs,
      async run(signal) {
        const before = ready;
        // In a small database they are built almost at once, and should not push the output of the start out of sight.
        let level: 'debug' | 'info' = 'debug';
        await buildIndexes(database, indexes, {
          signal,
          onStart: ({ name, table }) => log[level]({ index: name, table }, 'building an index'),
          onProgress(progress) {
            level = 'info';
            log.info(progress, 'building an index');
          },
        });
        ready = await findReadyIndexes(database.sql, indexes);
        for (const name of ready) if (!before.has(name)) log[level]({ index: name }, 'the index is ready');
      },
    },
  };
}
