import { AppError } from '../../lib/app-error.ts';
import { parseJson } from '../../lib/wire/parse-json.ts';
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
}

export type RawEvent =
  | { readonly value: unknown; readonly bytes: number; readonly hasEscapes: boolean }
  | { readonly fault: string };

/** How events are encoded: the content type decides, as in the HTTP binding of CloudEvents. */
export type ContentMode = 'structured' | 'binary' | 'batch' | 'lines';

export function contentModeOf({ mediaType, rawHeaders }: EventBody): ContentMode {
  if (mediaType === eventLinesMediaType) return 'lines';
  if (mediaType === eventBatchMediaType) return 'batch';
  return mediaType === jsonMediaType && hasEventHeaders(rawHeaders) ? 'binary' : 'structured';
}

function splitIntoTurns(values: readonly unknown[]): RawEvent[][] {
  const turns: RawEvent[][] = [];
  for (let first = 0; first < values.length; first += eventsPerTurn)
    turns.push(
      values
        .slice(first, first + eventsPerTurn)
        .map((value) => ({ value, bytes: assumedEventBytes, hasEscapes: true })),
    );
  return turns;
}

function parseLine(line: Line): RawEvent {
  if ('tooLong' in line) return { fault: `the line is longer than ${maxBodyBytes} bytes` };
  try {
    const value = parseJson(line.bytes);
    // In valid UTF-8, unstorable text can only occur as an escape.
    return { value, bytes: line.bytes.length, hasEscapes: line.bytes.includes('\\u') };
  } catch {
    return { fault: 'the line is not valid JSON in UTF-8' };
  }
}

/** Reads the events of a body, a few at a time. */
export async function* readEvents(body: EventBody, mode: ContentMode): AsyncGenerator<RawEvent[]> {
  if (mode === 'lines') {
    for await (const lines of readLines(body.stream(), maxBodyBytes)) yield lines.map(parseLine);
    return;
  }
  const value = parseJson(await body.readWhole(maxBodyBytes));
  if (mode === 'batch') {
    if (!Array.isArray(value)) throw new AppError('INVALID_REQUEST', 'A batch must be an array of events');
    yield* splitIntoTurns(value);
  } else if (mode === 'binary') yield* splitIntoTurns([binaryEvent(body.rawHeaders, value)]);
  else {
    if (Array.isArray(value)) throw new AppError('INVALID_REQUEST', 'An event must be an object');
    yield* splitIntoTurns([value]);
  }
}
