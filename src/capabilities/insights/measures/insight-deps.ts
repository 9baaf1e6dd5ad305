import type { Database } from '../../../db/database.ts';
import { concurrencyLimit } from '../../../lib/concurrency/concurrency-limit.ts';

export interface InsightDeps {
  readonly database: Database;
  /** Limits how many windows are measured at once: each keeps a connection and a CPU busy. */
  readonly limitMeasuring: ReturnType<typeof concurrencyLimit>;
}

const maxConcurrentMeasures = 2;

export function createInsightDeps(database: Database): InsightDeps {
  return { database, limitMeasuring: concurrencyLimit(maxConcurrentMeasures) };
}
