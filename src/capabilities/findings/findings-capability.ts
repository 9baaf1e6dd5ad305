import type { Database } from '../../db/database.ts';
import type { WorkQueue } from '../../work/work-queue.ts';
import type { Capability } from '../capability.ts';
import type { EventSink } from '../intake/event-sink.ts';
import { reportOutcomes } from './outcomes/report-outcomes.ts';
import { findingEndpoints } from './routes.ts';

export interface FindingsDeps {
  readonly database: Database;
  readonly queue: WorkQueue;
  readonly acceptEvents: EventSink;
  readonly clock: () => Date;
}

/** What becomes of findings: signals, the verdict that follows from them, and handing it on. */
export function findings(deps: FindingsDeps): Capability {
  const reportUnit = reportOutcomes(deps);
  return {
    endpoints: findingEndpoints({ ...deps, reportUnit }),
    units: [reportUnit],
  };
}
