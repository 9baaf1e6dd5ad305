import { counter, type MetricsRegistry } from '../../lib/metrics.ts';
import type { EventFailure } from './event-type.ts';

/** Counts events by their outcome. */
export interface IntakeMetrics {
  countStored(outcome: { readonly accepted: number; readonly duplicates: readonly number[] }): void;
  countFailed(failures: readonly EventFailure[]): void;
}

/** The counters of the intake. */
export function intakeMetrics(registry: MetricsRegistry): IntakeMetrics {
  const events = counter(registry, {
    name: 'postil_intake_events_total',
    help: 'Events by outcome: accepted, duplicate or failed',
    labels: ['outcome'],
  });
  const failures = counter(registry, {
    name: 'postil_intake_failures_total',
    help: 'Events that failed, by error code',
    labels: ['code'],
  });
  return {
    countStored({ accepted, duplicates }) {
      events.inc({ outcome: 'accepted' }, accepted);
      events.inc({ outcome: 'duplicate' }, duplicates.length);
    },
    countFailed(failed) {
      events.inc({ outcome: 'failed' }, failed.length);
      for (const { code } of failed) failures.inc({ code });
    },
  };
}
