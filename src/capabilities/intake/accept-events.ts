import { type FailedEvent, type ParsedEvent, parseEvent } from './parse-event.ts';
import type { IntakeDeps } from './receive-events.ts';
import { storeEvents } from './store-events.ts';

/** Events that come from within: made by this server, so they are few and need no stream. */
export type EventSink = (events: readonly object[], now: Date) => Promise<readonly FailedEvent[]>;

/** Takes events in that another part of this server made; tells which failed. */
export function eventSink(deps: IntakeDeps): EventSink {
  const types = new Map(deps.types.map((type) => [type.type, type]));
  return async (events, now) => {
    const parsed: ParsedEvent[] = [];
    const failed: FailedEvent[] = [];
    for (const [index, value] of events.entries()) {
      const event = parseEvent(types, value, index, true);
      if ('code' in event) failed.push(event);
      else if (event.type.prepare === undefined) parsed.push(event);
      else parsed.push({ ...event, data: await event.type.prepare(event.data) });
    }
    const outcome = await storeEvents(deps, parsed, now);
    const allFailed = [...failed, ...outcome.failed];
    deps.metrics.stored(outcome);
    deps.metrics.failed(allFailed);
    return allFailed;
  };
}
