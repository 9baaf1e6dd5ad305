import { type FailedEvent, type ParsedEvent, parseEvent } from './parse-event.ts';
import type { IntakeDeps } from './receive-events.ts';
import { storeEvents } from './store-events.ts';

/** Stores events that this server made itself: few enough to need no stream. Returns those that failed. */
export type EventSink = (events: readonly object[], now: Date) => Promise<readonly FailedEvent[]>;

/** Creates the entry point for events from other parts of this server. */
export function createEventSink(deps: IntakeDeps): EventSink {
  return async (events, now) => {
    const parsed: ParsedEvent[] = [];
    const failed: FailedEvent[] = [];
    for (const [index, value] of events.entries()) {
      const event = parseEvent(deps.types, value, index, { hasEscapes: true, isLarge: false });
      if ('code' in event) failed.push(event);
      else {
        const { type, data } = event;
        parsed.push({
          ...event,
          data: type.prepare === undefined ? data : await type.prepare(data),
          isOwn: true,
        });
      }
    }
    const outcome = await storeEvents(deps, parsed, now);
    const allFailed = [...failed, ...outcome.failed];
    deps.metrics.countStored(outcome);
    deps.metrics.countFailed(allFailed);
    return allFailed;
  };
}
