import type { EventSource } from '../../access/authenticate-source.ts';
import { gatherByName } from '../../lib/concurrency/gather.ts';
import type { ParsedEvent } from './parse-event.ts';
import { type StoreDeps, type StoreOutcome, storeEvents } from './store-events.ts';

/** Stores an event that came alone; it is durable when this resolves. */
export type StoreSingleEvent = (
  event: ParsedEvent,
  now: Date,
  sender: EventSource | undefined,
) => Promise<StoreOutcome>;

interface Arrival {
  readonly event: ParsedEvent;
  readonly now: Date;
  readonly sender: EventSource | undefined;
}

const maxPerTransaction = 500;
/** A transaction costs as much as ten events or more, so it pays to wait briefly for further events. */
const patienceMs = 5;

/** The part of the outcome of several events that is about one of them. */
function outcomeOf(
  { duplicates, failed }: StoreOutcome,
  place: number,
  { index }: ParsedEvent,
): StoreOutcome {
  const failure = failed.find((candidate) => candidate.index === place);
  if (failure !== undefined) return { accepted: 0, duplicates: [], failed: [{ ...failure, index }] };
  if (duplicates.includes(place)) return { accepted: 0, duplicates: [index], failed: [] };
  return { accepted: 1, duplicates: [], failed: [] };
}

/**
 * Stores events that arrive in single requests. Those of a sender that arrive while others are being stored share the next
 * transaction and its commit; so while one group is stored, the sender gets the answers of the previous one and sends
 * further events. Each event has its own outcome, as if it were stored alone.
 */
export function createSingleEventStore(deps: StoreDeps): StoreSingleEvent {
  const store = gatherByName(
    async (_, arrivals: readonly Arrival[]) => {
      const { now, sender } = arrivals.at(-1)!;
      const events = arrivals.map(({ event }, index) => ({ ...event, index }));
      const outcome = await storeEvents(sender === undefined ? deps : { ...deps, sender }, events, now);
      return arrivals.map(({ event }, place) => outcomeOf(outcome, place, event));
    },
    { max: maxPerTransaction, patienceMs },
  );
  return (event, now, sender) => store(sender?.id ?? '', { event, now, sender });
}
