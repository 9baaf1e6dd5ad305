import { AppError } from '../../lib/app-error.ts';
import { checkJsonSize, type JsonLimits, parseJson } from '../../lib/wire/parse-json.ts';
import { binaryEvent, hasEventHeaders } from './binary-event.ts';
import { type Line, readLines } from './read-lines.ts';

export const singleEventMediaType = 'application/cloudevents+json';
export const eventBatchMediaType = 'application/cloudevents-batch+json';
export const eventLinesMediaType = 'application/x-ndjson';
/** Also a single event: complete, or only its data when the headers hold its attributes (binary mode). */
export const jsonMediaType = 'application/json';
export const eventMediaTypes = [
  singleEventMediaType,
  eventBatchMediaType,
  eventLinesMediaType,
  jsonMediaType,
];

const maxBodyBytes = 64 * 1024 * 1024;
/** About as many as one chunk of a stream holds, so that a batch yields to other work just as often. */
const eventsPerTurn = 50;
/** The assumed size of an event in a batch, where the size of each is not known. */
const assumedEventBytes = 8 * 1024;

/** The body of a request: read as a whole, or streamed however long it is. */
export interface EventBody {
  readonly mediaType: string;
  /** Names and values alternate. */
  readonly rawHeaders: readonly string[];
  readWhole(maxBytes: number): Promise<Buffer>;
  stream(): AsyncIterable<Buffer>;
  /** Waits for memory for so many bytes of it. */
  hold(bytes: number): Promise<void>;
}

/** An event as it was parsed, before anything else was checked. */
export interface RawValue {
  readonly value: unknown;
  readonly bytes: number;
  /** Whether its JSON text may contain `\\u`. */
  readonly hasEscapes: boolean;
  /** Whether it is so large that its many fields would take long to check. */
  readonly isLarge: boolean;
}

export type RawEvent = RawValue | { readonly fault: string };

const largeBytes = 64 * 1024;
/** Of one event; the largest logs of scanners have about two million. Scanning the bytes costs a hundredth of parsing them. */
const jsonLimits: JsonLimits = { maxDepth: Number.POSITIVE_INFINITY, maxEntries: 4_000_000 };

function parseChecked(bytes: Buffer): unknown {
  if (bytes.length > largeBytes) checkJsonSize(bytes, jsonLimits);
  return parseJson(bytes);
}

/** How events are encoded: the content type decides, as in the HTTP binding of CloudEvents. */
export type ContentMode = 'structured' | 'binary' | 'batch' | 'lines';

export function contentModeOf({ mediaType, rawHeaders }: EventBody): ContentMode {
  if (mediaType === eventLinesMediaType) return 'lines';
  if (mediaType === eventBatchMediaType) return 'batch';
  return mediaType === jsonMediaType && hasEventHeaders(rawHeaders) ? 'binary' : 'structured';
}

/** Unstorable text can only occur as an escape, for the bytes are valid UTF-8. */
function hasEscapesIn(bytes: Buffer): boolean {
  return bytes.includes('\\u');
}

function splitIntoTurns(
  values: readonly unknown[],
  facts: Pick<RawValue, 'hasEscapes' | 'isLarge'>,
): RawEvent[][] {
  const turns: RawEvent[][] = [];
  for (let first = 0; first < values.length; first += eventsPerTurn)
    turns.push(
      values
        .slice(first, first + eventsPerTurn)
        .map((value) => ({ value, bytes: assumedEventBytes, ...facts })),
    );
  return turns;
}

function parseLine(line: Line): RawEvent {
  if ('tooLong' in line) return { fault: `the line is longer than ${maxBodyBytes} bytes` };
  try {
    const value = parseChecked(line.bytes);
    const bytes = line.bytes.length;
    return { value, bytes, hasEscapes: hasEscapesIn(line.bytes), isLarge: bytes > largeBytes };
  } catch {
    return { fault: 'the line is not valid JSON in UTF-8' };
  }
}

/** Reads the events of a body, a few at a time. */
export async function* readEvents(body: EventBody, mode: ContentMode): AsyncGenerator<RawEvent[]> {
  if (mode === 'lines') {
    const lines = readLines(body.stream(), maxBodyBytes, (bytes) => body.hold(bytes));
    for await (const some of lines) yield some.map(parseLine);
    return;
  }
  const bytes = await body.readWhole(maxBodyBytes);
  const isLarge = bytes.length > largeBytes;
  const value = parseChecked(bytes);
  if (mode === 'batch') {
    if (!Array.isArray(value)) throw new AppError('INVALID_REQUEST', 'A batch must be an array of events');
    yield* splitIntoTurns(value, { hasEscapes: hasEscapesIn(bytes), isLarge });
  } else if (mode === 'binary') {
    // Headers have escapes of their own.
    yield* splitIntoTurns([binaryEvent(body.rawHeaders, value)], { hasEscapes: true, isLarge });
  } else {
    if (Array.isArray(value)) throw new AppError('INVALID_REQUEST', 'An event must be an object');
    yield* splitIntoTurns([value], { hasEscapes: hasEscapesIn(bytes), isLarge });
  }
}
