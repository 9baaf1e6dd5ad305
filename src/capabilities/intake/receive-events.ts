import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '../../lib/app-error.ts';
import type { EventType } from './event-type.ts';
import type { IntakeMetrics } from './intake-metrics.ts';
import { type FailedEvent, type ParsedEvent, parseEvent } from './parse-event.ts';
import { contentModeOf, type EventBody, readEvents } from './read-events.ts';
import { type StoreDeps, storeEvents } from './store-events.ts';
import type { StoreSingleEvent } from './store-single-event.ts';

const eventsPerTransaction = 1000;
const bytesPerTransaction = 8 * 1024 * 1024;
/** A larger event does not share a transaction with those of others. */
const maxSharedBytes = 64 * 1024;
const maxListedErrors = 10_000;
const eventsPerTurn = 500;
/** How many batches may be being stored at once, besides the one that is being read. */
const maxConcurrentBatches = 3;

export interface IntakeDeps extends StoreDeps {
  /** By name. */
  readonly types: ReadonlyMap<string, EventType>;
  readonly metrics: IntakeMetrics;
}

export interface ReceiveDeps extends IntakeDeps {
  readonly storeSingleEvent: StoreSingleEvent;
}

/** A part of an accepted event that was ignored. */
interface EventWarning {
  readonly index: number;
  readonly id: string;
  readonly code: 'PARTLY_READ';
  readonly message: string;
}

/** A batch that is being stored: `applied` once its events are in the transaction, `stored` once that is committed. */
interface Batch {
  readonly applied: Promise<void>;
  readonly stored: Promise<void>;
}

async function prepareEvent(
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
 * Stores one event, a batch, or a stream of any length in bounded memory; whatever is counted as accepted is durable. If a
 * single event fails, its failure is thrown; of several events, each failure is listed.
 */
export async function receiveEvents(deps: ReceiveDeps, body: EventBody, now: Date) {
  const mode = contentModeOf(body);
  const isSingle = mode === 'structured' || mode === 'binary';
  const result = { accepted: 0, duplicate: 0, failed: 0, errors: [] as FailedEvent[] };
  const warnings: EventWarning[] = [];
  let pending: ParsedEvent[] = [];
  let pendingBytes = 0;
  const noBatch: Batch = { applied: Promise.resolve(), stored: Promise.resolve() };
  const batches: Batch[] = Array.from({ length: maxConcurrentBatches }, () => noBatch);

  function addFailures(failures: readonly FailedEvent[]): void {
    result.failed += failures.length;
    deps.metrics.countFailed(failures);
    result.errors.push(...failures.slice(0, Math.max(0, maxListedErrors - result.errors.length)));
  }

  async function storeBatch(events: readonly ParsedEvent[], onApplied: () => void): Promise<void> {
    const [only] = events;
    const outcome =
      isSingle && only !== undefined && pendingBytes <= maxSharedBytes
        ? await deps.storeSingleEvent(only, now, deps.sender)
        : await storeEvents(deps, events, now, onApplied);
    result.accepted += outcome.accepted;
    result.duplicate += outcome.duplicates.length;
    deps.metrics.countStored(outcome);
    addFailures(outcome.failed);
    const failed = new Set(outcome.failed.map(({ index }) => index));
    for (const event of events) if (!failed.has(event.index)) addWarnings(event);
  }

  function addWarnings({ index, id, type, data }: ParsedEvent): void {
    for (const message of type.warningsOf?.(data) ?? []) {
      if (warnings.length < maxListedErrors) warnings.push({ index, id, code: 'PARTLY_READ', message });
    }
  }

  // While one batch is read, earlier ones are being stored. Each starts once the previous one is applied, so that of two
  // events about the same subject the later one is stored later.
  async function flushBatch(): Promise<void> {
    const { promise: applied, resolve } = Promise.withResolvers<void>();
    await batches.shift()!.stored;
    await batches.at(-1)!.applied;
    const stored = storeBatch(pending, resolve).finally(resolve);
    stored.catch(() => {}); // thrown where it is awaited below
    batches.push({ applied, stored });
    pending = [];
    pendingBytes = 0;
  }

  let index = 0;
  try {
    for await (const items of readEvents(body, mode)) {
      for (const item of items) {
        let parsed: ParsedEvent | FailedEvent =
          'fault' in item
            ? { index, id: null, code: 'INVALID_REQUEST', message: item.fault }
            : parseEvent(deps.types, item.value, index, item, deps.sender);
        if ('type' in parsed && parsed.type.prepare !== undefined)
          parsed = await prepareEvent(parsed, deps.onError);
        index += 1;
        // A chunk can hold thousands of lines that are refused one by one.
        if (index % eventsPerTurn === 0) await nextTurn();
        if ('code' in parsed) addFailures([parsed]);
        else {
          pending.push(parsed);
          pendingBytes += 'bytes' in item ? item.bytes : 0;
        }
        if (pending.length >= eventsPerTransaction || pendingBytes >= bytesPerTransaction) await flushBatch();
      }
      // Events that arrive faster than they are checked would otherwise starve all other work, earlier batches included.
      await nextTurn();
    }
    await flushBatch();
  } finally {
    await Promise.allSettled(batches.map(({ stored }) => stored));
  }
  for (const { stored } of batches) await stored;
  const [failure] = result.errors;
  if (failure !== undefined && isSingle) throw new AppError(failure.code, failure.message);
  result.errors.sort((a, b) => a.index - b.index);
  return {
    ...result,
    errors: result.errors.map(({ index, id, code, message }) => ({ index, id, code, message })),
    ...(warnings.length > 0 && { warnings: warnings.sort((a, b) => a.index - b.index) }),
  };
}
