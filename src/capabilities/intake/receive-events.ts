import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '../../lib/app-error.ts';
import type { EventType } from './event-type.ts';
import type { IntakeMetrics } from './intake-metrics.ts';
import { type FailedEvent, type ParsedEvent, parseEvent } from './parse-event.ts';
import { contentModeOf, type EventBody, readEvents } from './read-events.ts';
import { type StoreDeps, storeEvents } from './store-events.ts';

const eventsPerTransaction = 1000;
const bytesPerTransaction = 8 * 1024 * 1024;
const maxListedErrors = 10_000;
/** Batches that are on their way to the database at once, besides the one that is being read. */
const batchesAtOnce = 3;

export interface IntakeDeps extends StoreDeps {
  readonly types: readonly EventType[];
  readonly metrics: IntakeMetrics;
}

/** What of an accepted event could not be taken. */
interface EventWarning {
  readonly index: number;
  readonly id: string;
  readonly code: 'PARTLY_READ';
  readonly message: string;
}

/** A batch on its way: applied when its events are in the transaction, stored when that is committed. */
interface Batch {
  readonly applied: Promise<void>;
  readonly stored: Promise<void>;
}

async function prepare(
  event: ParsedEvent,
  onError: IntakeDeps['onError'],
): Promise<ParsedEvent | FailedEvent> {
  const { index, id, type } = event;
  try {
    return { ...event, data: await type.prepare!(event.data) };
  } catch (error) {
    if (error instanceof AppError) return { index, id, code: error.code, message: error.message };
    onError(error);
    return { index, id, code: 'INTERNAL_ERROR', message: 'The event could not be read' };
  }
}

/**
 * Takes in one event, a batch, or a stream of any length in bounded memory; what is counted as accepted is durable. One event
 * that fails is thrown as its failure; of several, each failure is listed.
 */
export async function receiveEvents(deps: IntakeDeps, body: EventBody, now: Date) {
  const mode = contentModeOf(body);
  const types = new Map(deps.types.map((type) => [type.type, type]));
  const result = { accepted: 0, duplicate: 0, failed: 0, errors: [] as FailedEvent[] };
  const warnings: EventWarning[] = [];
  let waiting: ParsedEvent[] = [];
  let waitingBytes = 0;
  const none: Batch = { applied: Promise.resolve(), stored: Promise.resolve() };
  const batches: Batch[] = Array.from({ length: batchesAtOnce }, () => none);

  function fail(failures: readonly FailedEvent[]): void {
    result.failed += failures.length;
    deps.metrics.failed(failures);
    result.errors.push(...failures.slice(0, Math.max(0, maxListedErrors - result.errors.length)));
  }

  async function store(events: readonly ParsedEvent[], onApplied: () => void): Promise<void> {
    const outcome = await storeEvents(deps, events, now, onApplied);
    result.accepted += outcome.accepted;
    result.duplicate += outcome.duplicate;
    deps.metrics.stored(outcome);
    fail(outcome.failed);
    const failed = new Set(outcome.failed.map(({ index }) => index));
    for (const event of events) if (!failed.has(event.index)) warn(event);
  }

  function warn({ index, id, type, data }: ParsedEvent): void {
    for (const message of type.warningsOf?.(data) ?? []) {
      if (warnings.length < maxListedErrors) warnings.push({ index, id, code: 'PARTLY_READ', message });
    }
  }

  // While one batch is read, others are stored: each begins when the one before it is applied, so that of two events
  // about the same thing the later one is stored later.
  async function hand(): Promise<void> {
    const { promise: applied, resolve } = Promise.withResolvers<void>();
    await batches.shift()!.stored;
    await batches.at(-1)!.applied;
    const stored = store(waiting, resolve).finally(resolve);
    stored.catch(() => {}); // thrown where it is awaited
    batches.push({ applied, stored });
    waiting = [];
    waitingBytes = 0;
  }

  let index = 0;
  try {
    for await (const items of readEvents(body, mode)) {
      for (const item of items) {
        let parsed: ParsedEvent | FailedEvent =
          'fault' in item
            ? { index, id: null, code: 'INVALID_REQUEST', message: item.fault }
            : parseEvent(types, item.value, index, item.hasEscapes);
        if ('type' in parsed && parsed.type.prepare !== undefined)
          parsed = await prepare(parsed, deps.onError);
        index += 1;
        if ('code' in parsed) fail([parsed]);
        else {
          waiting.push(parsed);
          waitingBytes += 'bytes' in item ? item.bytes : 0;
        }
        if (waiting.length >= eventsPerTransaction || waitingBytes >= bytesPerTransaction) await hand();
      }
      // What comes faster than it is checked would otherwise keep all others waiting, the batches before it as well.
      await nextTurn();
    }
    await hand();
  } finally {
    await Promise.allSettled(batches.map(({ stored }) => stored));
  }
  for (const { stored } of batches) await stored;
  const [failure] = result.errors;
  if (failure !== undefined && (mode === 'structured' || mode === 'binary'))
    throw new AppError(failure.code, failure.message);
  result.errors.sort((a, b) => a.index - b.index);
  return {
    ...result,
    errors: result.errors.map(({ index, id, code, message }) => ({ index, id, code, message })),
    ...(warnings.length > 0 && { warnings: warnings.sort((a, b) => a.index - b.index) }),
  };
}
