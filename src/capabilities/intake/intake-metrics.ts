import { counter, type MetricsRegistry } from '../../lib/metrics.ts';
import type { EventFailure } from './event-type.ts';

/** Counts what becomes of events. */
export interface IntakeMetrics {
  stored(outcome: { readonly accepted: number; readonly duplicate: number }): void;
  failed(failures: readonly EventFailure[]): void;
}

/** The counters of the intake. */
export function intakeMetrics(registry: MetricsRegistry): IntakeMetrics {
  const events = counter(registry, {
    name: 'postil_intake_events_total',
    help: 'Events by what became of them: accepted, duplicate or failed',
    labels: ['outcome'],
  });
  const failures = counter(registry, {
    name: 'postil_intake_failures_total',
    help: 'Events that failed, by the code that was answered for them',
    labels: ['code'],
  });
  return {
    stored({ accepted, duplicate }) {
      events.inc({ outcome: 'accepted' }, accepted);
      events.inc({ outcome: 'duplicate' }, duplicate);
    },
    failed(failed) {
      events.inc({ outcome: 'failed' }, failed.length);
      for (const { code } of failed) failures.inc({ code });
    },
  };
}
