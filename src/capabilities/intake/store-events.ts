import type { EventSource } from '../../access/authenticate-source.ts';
import { type Database, isUnavailable, type Tx } from '../../db/database.ts';
import { plainArrayLiteral } from '../../db/driver/array-literal.ts';
import { AppError } from '../../lib/app-error.ts';
import type {
  ApplyContext,
  EventFollower,
  EventLock,
  EventType,
  ReceivedEvent,
  TransactionPart,
} from './event-type.ts';
import { locateTenants } from './locate-tenants.ts';
import type { FailedEvent, ParsedEvent } from './parse-event.ts';

export interface StoreOutcome {
  readonly accepted: number;
  /** The indexes of events that were stored before. */
  readonly duplicates: readonly number[];
  readonly failed: readonly FailedEvent[];
}

const dayMs = 24 * 60 * 60 * 1000;

// Sorted, so that two batches with the same events lock them in the same order. Usually all are new, and then their
// count is enough to know it.
async function markUnseen(
  tx: Tx,
  events: readonly ParsedEvent[],
  now: Date,
  memoryDays: number,
): Promise<ParsedEvent[]> {
  const sorted = events.toSorted((a, b) => (a.digest < b.digest ? -1 : 1));
  const digests = sorted.map(({ digest }) => digest);
  const idempotent = sorted.map(({ type }) => type.isIdempotent);
  const forgetAt = new Date(now.getTime() + memoryDays * dayMs);
  const [row] = await tx<[{ count: number; unseen: string[] | null }]>`
    WITH unseen AS (
      INSERT INTO received_events (digest, received_at, forget_at)
      SELECT digest, ${now}, CASE WHEN is_idempotent THEN ${forgetAt}::timestamptz END
      FROM unnest(${plainArrayLiteral(digests)}::uuid[], ${plainArrayLiteral(idempotent.map(String))}::boolean[])
        AS e (digest, is_idempotent)
      ON CONFLICT DO NOTHING RETURNING digest)
    SELECT count(*)::int AS count, CASE WHEN count(*) < ${digests.length} THEN array_agg(digest) END AS unseen FROM unseen`;
  if (row.count === events.length) return [...events];
  const unseen = new Set(row.unseen);
  return events.filter(({ digest }) => unseen.has(digest));
}

export interface StoreDeps {
  readonly database: Database;
  readonly followers: readonly EventFollower[];
  readonly locks?: readonly EventLock[];
  /** How long an idempotent event is remembered. */
  readonly eventMemoryDays: number;
  readonly onError: (error: unknown) => void;
  /** Who reports, if not the operator or this server itself: what it sent counts only while it may send. */
  readonly sender?: EventSource;
}

/** The parts that have begun in one transaction. */
function transactionParts(now: Date) {
  const begun = new Map<TransactionPart<unknown>, unknown>();
  const context: ApplyContext = {
    now,
    part<State>(part: TransactionPart<State>): State {
      const key = part as TransactionPart<unknown>;
      if (!begun.has(key)) begun.set(key, part.begin());
      return begun.get(key) as State;
    },
  };
  return {
    context,
    async finish(tx: Tx): Promise<void> {
      for (const [part, state] of begun) await part.finish(tx, state, context);
    },
  };
}

type Located = Awaited<ReturnType<typeof locateTenants>>['located'];

async function applyByType(
  tx: Tx,
  located: Located,
  { followers, locks = [] }: StoreDeps,
  context: ApplyContext,
  onApplied: () => void,
) {
  const byType = new Map<EventType, ReceivedEvent<unknown>[]>();
  for (const [type, items] of Map.groupBy(located, ({ parsed }) => parsed.type))
    byType.set(
      type,
      items.map(({ event }) => event),
    );
  const byTypeName = new Map([...byType].map(([{ type }, events]) => [type, events]));
  for (const lock of locks) await lock(tx, byTypeName);
  const failed: FailedEvent[] = [];
  const idOf = new Map(located.map(({ event }) => [event.index, event.id]));
  const lastType = [...byType.keys()].at(-1);
  for (const [type, events] of byType) {
    const failures = await type.apply(tx, events, context);
    if (type === lastType) onApplied();
    for (const failure of failures) failed.push({ ...failure, id: idOf.get(failure.index) ?? null });
    const applied = events.filter(({ index }) => !failures.some((failure) => failure.index === index));
    for (const follower of followers.filter((candidate) => candidate.type === type.type))
      await follower.follow(tx, applied, context);
  }
  return failed;
}

async function storeInOneTransaction(
  deps: StoreDeps,
  events: readonly ParsedEvent[],
  now: Date,
  onApplied: () => void,
): Promise<StoreOutcome> {
  return deps.database.transaction(
    async (tx) => {
      // Confirmed first, so that a transaction that removes the sender waits for this one, and not the other way round.
      await deps.sender?.confirm(tx);
      const parts = transactionParts(now);
      const fresh = await markUnseen(tx, events, now, deps.eventMemoryDays);
      const { located, failed: unlocated } = await locateTenants(tx, fresh);
      const failed = [...unlocated, ...(await applyByType(tx, located, deps, parts.context, onApplied))];
      if (failed.length > 0) {
        const failedIndexes = new Set(failed.map(({ index }) => index));
        const digests = fresh.filter(({ index }) => failedIndexes.has(index)).map(({ digest }) => digest);
        await tx`DELETE FROM received_events WHERE digest = ANY(${digests}::uuid[])`;
      }
      await parts.finish(tx);
      const unseen = new Set(fresh);
      const duplicates = events.filter((event) => !unseen.has(event)).map(({ index }) => index);
      return { accepted: fresh.length - failed.length, duplicates, failed };
    },
    { isBulk: true },
  );
}

interface Repeats {
  readonly firsts: ParsedEvent[];
  readonly repeats: ParsedEvent[];
}

function splitRepeats(events: readonly ParsedEvent[]): Repeats {
  const byDigest = Map.groupBy(events, ({ digest }) => digest);
  const groups = [...byDigest.values()];
  return { firsts: groups.map(([first]) => first!), repeats: groups.flatMap(([, ...others]) => others) };
}

function addOutcomes(a: StoreOutcome, b: StoreOutcome): StoreOutcome {
  return {
    accepted: a.accepted + b.accepted,
    duplicates: [...a.duplicates, ...b.duplicates],
    failed: [...a.failed, ...b.failed],
  };
}

/**
 * Stores each event completely or not at all; one that makes a statement fail does not affect the others. `onApplied` is
 * called once all events have been applied: from then on, transactions that touch the same rows wait for this one.
 */
export async function storeEvents(
  deps: StoreDeps,
  events: readonly ParsedEvent[],
  now: Date,
  onApplied: () => void = () => {},
): Promise<StoreOutcome> {
  const { firsts, repeats } = splitRepeats(events);
  const outcome = await storeDistinct(deps, firsts, now, onApplied);
  if (repeats.length === 0) return outcome;
  // An event counts as seen only once it is stored, so a repeat of one that failed is tried again.
  const failedIndexes = new Set(outcome.failed.map(({ index }) => index));
  const unseen = new Set(firsts.filter(({ index }) => failedIndexes.has(index)).map(({ digest }) => digest));
  const retried = repeats.filter(({ digest }) => unseen.has(digest));
  const duplicates = repeats.filter(({ digest }) => !unseen.has(digest)).map(({ index }) => index);
  const known = addOutcomes(outcome, { accepted: 0, duplicates, failed: [] });
  return addOutcomes(known, await storeEvents(deps, retried, now));
}

function isUnauthorized(error: unknown): boolean {
  return error instanceof AppError && error.code === 'UNAUTHORIZED';
}

async function storeDistinct(
  deps: StoreDeps,
  events: readonly ParsedEvent[],
  now: Date,
  onApplied: () => void = () => {},
): Promise<StoreOutcome> {
  if (events.length === 0) return { accepted: 0, duplicates: [], failed: [] };
  try {
    return await storeInOneTransaction(deps, events, now, onApplied);
  } catch (error) {
    if (isUnavailable(error) || isUnauthorized(error)) throw error;
    if (events.length === 1) {
      deps.onError(error);
      const { index, id } = events[0]!;
      return {
        accepted: 0,
        duplicates: [],
        failed: [{ index, id, code: 'INTERNAL_ERROR', message: 'The event could not be stored' }],
      };
    }
    const middle = events.length >> 1;
    const first = await storeDistinct(deps, events.slice(0, middle), now);
    return addOutcomes(first, await storeDistinct(deps, events.slice(middle), now));
  }
}
