import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '../../lib/app-error.ts';
import { parseJson } from '../../lib/wire/parse-json.ts';
import type { EventType } from './event-type.ts';
import type { IntakeMetrics } from './intake-metrics.ts';
import { type FailedEvent, type ParsedEvent, parseEvent } from './parse-event.ts';
import { type Line, readLines } from './read-lines.ts';
import { type StoreDeps, storeEvents } from './store-events.ts';

export const singleType = 'application/cloudevents+json';
export const batchType = 'application/cloudevents-batch+json';
export const linesType = 'application/x-ndjson';

const maxBodyBytes = 64 * 1024 * 1024;
const eventsPerTransaction = 1000;
/** As many as a piece of a stream has about, so that a batch lets others have their turn as often. */
const eventsPerTurn = 50;
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

/** Events as they come in: in one piece, or line by line for as long as it takes. */
export interface EventBody {
  readonly mediaType: string;
  readWhole(maxBytes: number): Promise<Buffer>;
  stream(): AsyncIterable<Buffer>;
}

/** A batch on its way: applied when its events are in the transaction, stored when that is committed. */
interface Batch {
  readonly applied: Promise<void>;
  readonly stored: Promise<void>;
}

type Unparsed =
  | { readonly value: unknown; readonly bytes: number; readonly hasEscapes: boolean }
  | { readonly fault: string };

async function* readWhole(body: EventBody): AsyncGenerator<Unparsed[]> {
  const events = parseJson(await body.readWhole(maxBodyBytes));
  const isBatch = body.mediaType === batchType;
  if (isBatch !== Array.isArray(events)) {
    throw new AppError(
      'INVALID_REQUEST',
      isBatch ? 'A batch is an array of events' : 'An event is an object',
    );
  }
  const bytes = bytesPerTransaction / eventsPerTransaction;
  const values = isBatch ? (events as unknown[]) : [events];
  for (let first = 0; first < values.length; first += eventsPerTurn) {
    yield values.slice(first, first + eventsPerTurn).map((value) => ({ value, bytes, hasEscapes: true }));
  }
}

function unparsed(line: Line): Unparsed {
  if ('tooLong' in line) return { fault: `the line is longer than ${maxBodyBytes} bytes` };
  try {
    const value = parseJson(line.bytes);
    // Text in UTF-8 can hold what cannot be stored only as an escape.
    return { value, bytes: line.bytes.length, hasEscapes: line.bytes.includes('\\u') };
  } catch {
    return { fault: 'the line is not valid JSON in UTF-8' };
  }
}

async function* readStream(body: EventBody): AsyncGenerator<Unparsed[]> {
  for await (const lines of readLines(body.stream(), maxBodyBytes)) yield lines.map(unparsed);
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

/** Takes in one event, a batch, or a stream of any length in bounded memory; what is counted as accepted is durable. */
export async function receiveEvents(deps: IntakeDeps, body: EventBody, now: Date) {
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
    const read = body.mediaType === linesType ? readStream : readWhole;
    for await (const items of read(body)) {
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
  result.errors.sort((a, b) => a.index - b.index);
  return {
    ...result,
    errors: result.errors.map(({ index, id, code, message }) => ({ index, id, code, message })),
    ...(warnings.length > 0 && { warnings: warnings.sort((a, b) => a.index - b.index) }),
  };
}
